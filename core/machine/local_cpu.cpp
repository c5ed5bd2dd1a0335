// SPDX-License-Identifier: Apache-2.0
#include "core/machine/local_cpu.h"

#include "core/base/ascii.h"
#include "core/io/file.h"
#include "core/machine/machine.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <sched.h>
#include <unistd.h>
#include <vector>

namespace plumb {

namespace {

constexpr std::size_t kMostProcBytes = std::size_t{16} << 20U;

std::vector<std::string_view> linesOf(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::optional<std::int64_t> parseCount(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (problem != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

std::optional<Bytes> parseLimit(std::string_view text) {
    text = trimmed(text);
    Bytes value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    // Version 2 writes "max"; version 1 writes a page-rounded 2^63 - 1, which is above any real memory.
    constexpr Bytes kNoLimit = Bytes{1} << 60U;
    if (problem != std::errc{} || end != text.data() + text.size() || value <= 0 || value >= kNoLimit)
        return std::nullopt;
    return value;
}

/// The number after `key` at the start of a line: "MemAvailable:    2048 kB".
std::optional<std::int64_t> fieldOf(std::string_view text, std::string_view key) {
    for (const std::string_view line : linesOf(text)) {
        if (!line.starts_with(key)) continue;
        const std::string_view value = trimmed(line.substr(key.size()));
        return parseCount(value.substr(0, value.find(' ')));
    }
    return std::nullopt;
}

/// What the group at `group` and its limit leave; cached files count as free, since they give way.
std::optional<Bytes> memoryLeftIn(const std::filesystem::path& group) {
    const auto limitText = readFile((group / "memory.max").string(), 4096);
    const auto usedText = readFile((group / "memory.current").string(), 4096);
    if (!limitText.has_value() || !usedText.has_value()) return std::nullopt;
    const auto limit = parseLimit(*limitText), used = parseCount(trimmed(*usedText));
    if (!limit || !used) return std::nullopt;
    const auto stat = readFile((group / "memory.stat").string(), kMostProcBytes);
    const std::string_view fields = stat.has_value() ? std::string_view(*stat) : std::string_view();
    const Bytes cached =
        fieldOf(fields, "inactive_file ").value_or(0) + fieldOf(fields, "active_file ").value_or(0);
    return std::max<Bytes>(0, *limit - std::max<Bytes>(0, *used - cached));
}

/// Memory left by the groups (version 2) of this process, from its own up to the root.
std::optional<Bytes> controlGroupMemoryLeft(const std::filesystem::path& root) {
    const std::filesystem::path mount = root / "sys/fs/cgroup";
    std::optional<Bytes> smallest;
    const auto groups = readFile((root / "proc/self/cgroup").string(), kMostProcBytes);
    if (!groups.has_value()) return std::nullopt;
    for (const std::string_view line : linesOf(*groups)) {
        if (line.substr(0, 3) != "0::") continue;
        const std::string_view path = line.substr(3);
        std::filesystem::path group(path.substr(std::min(path.find_first_not_of('/'), path.size())));
        for (bool isRoot = false; !isRoot; group = group.parent_path()) {
            isRoot = group.empty();
            const auto left = memoryLeftIn(mount / group);
            if (left && (!smallest || *left < *smallest)) smallest = left;
        }
    }
    return smallest;
}

/// Cores by the quota in the text of cpu.max: "150000 100000" is 2, "max 100000" is no limit.
std::optional<std::int64_t> parseCpuQuota(std::string_view text) {
    text = trimmed(text);
    const std::size_t space = std::min(text.find(' '), text.size());
    const auto quota = parseLimit(text.substr(0, space)), period = parseLimit(text.substr(space));
    if (!quota || !period) return std::nullopt;
    return (*quota - 1) / *period + 1;
}

using ParseLimit = std::optional<std::int64_t> (*)(std::string_view text);

/// The limit of the group at `path` below `mount` and of all groups above it.
std::optional<std::int64_t> smallestLimit(const std::filesystem::path& mount, std::string_view path,
                                          const char* file, ParseLimit parse) {
    std::optional<std::int64_t> smallest;
    std::filesystem::path group(path.substr(std::min(path.find_first_not_of('/'), path.size())));
    for (;;) {
        const auto content = readFile((mount / group / file).string(), 4096);
        if (content.has_value())
            if (const auto limit = parse(*content); limit && (!smallest || *limit < *smallest))
                smallest = limit;
        if (group.empty()) return smallest;
        group = group.parent_path();
    }
}

/// The first number of OMP_NUM_THREADS, which may be a list; absent when OpenMP would pass it over as well.
std::optional<std::int64_t> threadsOfEnvironment() {
    const char* const set = std::getenv("OMP_NUM_THREADS");
    if (set == nullptr) return std::nullopt;
    const std::string_view text(set);
    return parseLimit(text.substr(0, text.find(',')));
}

std::int64_t coresOfAffinity() {
    // More processors than fit in one cpu_set_t need a larger set; ask until it is large enough.
    for (int count = CPU_SETSIZE; count <= (1 << 20); count *= 2) {
        cpu_set_t* const set = CPU_ALLOC(count);
        if (set == nullptr) break;
        const std::size_t size = CPU_ALLOC_SIZE(count);
        const int cores = sched_getaffinity(0, size, set) == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (cores > 0) return cores;
    }
    return std::max<long>(1, ::sysconf(_SC_NPROCESSORS_ONLN));
}

}  // namespace

int usableCores() {
    std::int64_t cores = coresOfAffinity();
    for (const auto limit : {controlGroupCpuLimit("/"), threadsOfEnvironment()})
        if (limit) cores = std::min(cores, *limit);
    return static_cast<int>(cores);
}

CpuIdentity parseCpuInfo(std::string_view text) {
    CpuIdentity identity;
    for (const std::string_view line : linesOf(text)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        const std::string_view key = trimmed(line.substr(0, colon)), value = trimmed(line.substr(colon + 1));
        if (identity.model.empty() && (key == "model name" || key == "Model" || key == "Hardware"))
            identity.model = value;
        if (identity.flags.empty() && (key == "flags" || key == "Features")) identity.flags = value;
    }
    if (identity.model.empty()) identity.model = "unknown processor";
    return identity;
}

CpuIdentity localCpuIdentity() {
    const auto text = readFile("/proc/cpuinfo", kMostProcBytes);
    CpuIdentity identity = parseCpuInfo(text.has_value() ? std::string_view(*text) : std::string_view());
    identity.usableCores = usableCores();
    return identity;
}

std::optional<Bytes> controlGroupMemoryLimit(const std::filesystem::path& root) {
    const auto groups = readFile((root / "proc/self/cgroup").string(), kMostProcBytes);
    if (!groups.has_value()) return std::nullopt;
    std::optional<Bytes> smallest;
    for (const std::string_view line : linesOf(*groups)) {
        // "ID:CONTROLLERS:PATH"; version 2 is "0::PATH".
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
        if (second == std::string_view::npos) continue;
        const std::string controllers = "," + std::string(line.substr(first + 1, second - first - 1)) + ",";
        const std::string_view path = line.substr(second + 1);
        std::optional<Bytes> limit;
        if (controllers == ",,")
            limit = smallestLimit(root / "sys/fs/cgroup", path, "memory.max", parseLimit);
        else if (controllers.find(",memory,") != std::string::npos)
            limit = smallestLimit(root / "sys/fs/cgroup/memory", path, "memory.limit_in_bytes", parseLimit);
        if (limit && (!smallest || *limit < *smallest)) smallest = limit;
    }
    return smallest;
}

std::optional<Bytes> availableMemory(const std::filesystem::path& root) {
    std::optional<Bytes> available;
    const auto info = readFile((root / "proc/meminfo").string(), kMostProcBytes);
    if (info.has_value())
        if (const auto kibibytes = fieldOf(*info, "MemAvailable:")) available = *kibibytes * 1024;
    const auto left = controlGroupMemoryLeft(root);
    if (left && (!available || *left < *available)) available = left;
    return available;
}

std::optional<std::int64_t> controlGroupCpuLimit(const std::filesystem::path& root) {
    // A container sees its own group as the root, also where proc names another path.
    std::optional<std::int64_t> smallest =
        smallestLimit(root / "sys/fs/cgroup", "", "cpu.max", parseCpuQuota);
    const auto groups = readFile((root / "proc/self/cgroup").string(), kMostProcBytes);
    if (!groups.has_value()) return smallest;
    for (const std::string_view line : linesOf(*groups)) {
        if (line.substr(0, 3) != "0::") continue;
        const auto limit = smallestLimit(root / "sys/fs/cgroup", line.substr(3), "cpu.max", parseCpuQuota);
        if (limit && (!smallest || *limit < *smallest)) smallest = limit;
    }
    return smallest;
}

std::optional<double> otherLoad() {
    const auto text = readFile("/proc/loadavg", kMostProcBytes);
    if (!text.has_value()) return std::nullopt;
    // "0.42 0.30 0.25 3/512 4711": of 512 threads 3 can run now, this one among them.
    const std::size_t slash = text->find('/');
    const std::size_t blank = slash == std::string::npos ? slash : text->rfind(' ', slash);
    if (blank == std::string::npos) return std::nullopt;
    std::int64_t running = 0;
    const auto [end, problem] = std::from_chars(text->data() + blank + 1, text->data() + slash, running);
    if (problem != std::errc() || end != text->data() + slash) return std::nullopt;
    return static_cast<double>(std::max<std::int64_t>(running - 1, 0)) / static_cast<double>(usableCores());
}

Machine localCpu() {
    const CpuIdentity identity = localCpuIdentity();
    Machine machine{.id = "local-cpu",
                    .name = identity.model + ", " + std::to_string(identity.usableCores) +
                            (identity.usableCores == 1 ? " core" : " cores"),
                    .backend = "cpu"};
    const long pages = ::sysconf(_SC_PHYS_PAGES), pageBytes = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && pageBytes > 0) machine.memoryBytes = static_cast<Bytes>(pages) * pageBytes;
    if (const auto limit = controlGroupMemoryLimit("/");
        limit && (!machine.memoryBytes || *limit < *machine.memoryBytes))
        machine.memoryBytes = limit;
    machine.source = notCalibrated(machine.backend);
    return machine;
}

}  // namespace plumb
