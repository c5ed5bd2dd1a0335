// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/threads.h"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sched.h>
#include <sstream>
#include <string>

namespace plumb::cpu {

namespace {

int coresOfAffinity() {
    cpu_set_t set;
    CPU_ZERO(&set);
    // Fails on machines with more than 1024 processors; OpenMP's own count is right there too.
    if (sched_getaffinity(0, sizeof set, &set) != 0) return omp_get_num_procs();
    return std::max(1, CPU_COUNT(&set));
}

/// Cores by the quota in one cpu.max file ("max 100000" or "150000 100000"); a large number when unlimited.
int coresOfQuota(const std::string& path) {
    constexpr int kUnlimited = 1 << 20;
    std::ifstream file(path);
    std::string quota;
    double period = 0;
    if (!(file >> quota >> period) || quota == "max" || period <= 0) return kUnlimited;
    const double cores = std::strtod(quota.c_str(), nullptr) / period;
    return std::max(1, static_cast<int>(std::min<double>(kUnlimited, cores + 0.999)));
}

/// The tightest quota from this process's control group up to the root (version 2; a container sees its own
/// group as the root).
int coresOfControlGroups() {
    int cores = coresOfQuota("/sys/fs/cgroup/cpu.max");
    std::ifstream file("/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        if (line.rfind("0::/", 0) != 0) continue;
        for (std::string group = line.substr(3); group.size() > 1; group.erase(group.rfind('/')))
            cores = std::min(cores, coresOfQuota("/sys/fs/cgroup" + group + "/cpu.max"));
    }
    return cores;
}

}  // namespace

int usableCores() {
    const int cores = std::min(coresOfAffinity(), coresOfControlGroups());
    return std::getenv("OMP_NUM_THREADS") != nullptr ? std::min(cores, omp_get_max_threads()) : cores;
}

}  // namespace plumb::cpu
