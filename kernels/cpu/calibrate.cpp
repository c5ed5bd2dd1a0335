// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/calibrate.h"

#include "core/calibrate/bandwidth_survey.h"
#include "core/calibrate/cost_survey.h"
#include "core/calibrate/rank_survey.h"
#include "core/machine/local_cpu.h"
#include "kernels/cpu/arena.h"
#include "kernels/cpu/cpu_backend.h"
#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace plumb {

namespace {

using Clock = std::chrono::steady_clock;
Seconds since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Time spent on one pattern at one size; the best of the repeats counts, since everything that disturbs
/// slows down.
constexpr Seconds kSecondsPerTraffic = 0.1;
constexpr int kFewestRepeats = 3;
constexpr Bytes kSmallestArrays = Bytes{64} << 10;
constexpr Bytes kLargestArrays = Bytes{1} << 30;
constexpr Bytes kPage = 4096;

/// Best bytes/s of one traffic pattern over two arrays.
double trafficRate(double BandwidthPoint::*pattern, const float* in, float* inOut, std::int64_t count,
                   int threads, const std::stop_token& stop) {
    const cpu::Kernels& kernels = cpu::bestKernels();
    const bool reads = pattern == &BandwidthPoint::read;
    const bool copies = pattern == &BandwidthPoint::copy;
    const double bytesPerElement = reads ? 4 : copies ? 8 : 12;
    double best = 0;
    volatile double sink = 0;  // keeps the reads
    const auto begin = Clock::now();
    for (int repeat = 0; repeat < kFewestRepeats || since(begin) < kSecondsPerTraffic; ++repeat) {
        if (stop.stop_requested()) break;
        const auto start = Clock::now();
        cpu::parallelRanges(threads, count, 1024, cpu::kElementsPerThread,
                            [&](std::int64_t from, std::int64_t to) {
                                if (reads) {
                                    const double sum = kernels.sumOf(in + from, to - from);
                                    if (sum != 0) sink = sum;
                                } else if (copies) {
                                    kernels.copy(in + from, inOut + from, to - from);
                                } else {
                                    kernels.scaleAdd(in + from, 0.5F, inOut + from, to - from);
                                }
                            });
        const Seconds seconds = since(start);
        const double bytes = static_cast<double>(count) * bytesPerElement;
        if (repeat > 0 && seconds > 0)
            best = std::max(best, bytes / seconds);  // the first one touches the pages
    }
    return best;
}

std::vector<Bytes> workingSets(const Backend& backend) {
    const Bytes memory = backend.machine().memoryBytes.value_or(Bytes{8} << 30);
    std::vector<Bytes> sizes{kSmallestArrays};
    while (sizes.back() * 4 <= std::min(kLargestArrays, memory / 4)) sizes.push_back(sizes.back() * 4);
    return sizes;
}

/// Bytes/s over arrays from a part of the first cache to what only memory holds.
Result<std::vector<BandwidthPoint>> bandwidthCurve(Backend& backend, const SurveyProgress& progress,
                                                   const std::stop_token& stop) {
    const std::vector<Bytes> sizes = workingSets(backend);
    const Bytes arrayBytes = sizes.back() / 2;
    PLUMB_TRY(auto arena, cpu::Arena::create(2 * arrayBytes + 2 * kPage));
    PLUMB_TRY(const Buffer in, arena->allocate(arrayBytes, Category::Workspace));
    PLUMB_TRY(const Buffer inOut, arena->allocate(arrayBytes, Category::Workspace));
    PLUMB_CHECK(backend.fillZero(in));
    PLUMB_CHECK(backend.fillZero(inOut));
    const auto rate = [&](double BandwidthPoint::*pattern, Bytes size) -> Result<double> {
        // Reading has one array alone, as large as the two of the others.
        const std::int64_t count =
            std::min(size, pattern == &BandwidthPoint::read ? arrayBytes : size / 2) / 4;
        return trafficRate(pattern, static_cast<const float*>(in.data), static_cast<float*>(inOut.data),
                           count, usableCores(), stop);
    };
    PLUMB_TRY(auto curve, surveyBandwidth(backend, sizes, rate, progress, stop));
    arena->release(inOut);
    arena->release(in);
    return curve;
}

}  // namespace

// The token comes by value, as std::jthread hands it out.
// NOLINTBEGIN(performance-unnecessary-value-param)
Result<Machine> calibrateCpu(const std::function<void(std::string_view, int, int)>& progress,
                             std::stop_token stop, const SurveyGrid& grid) {
    // NOLINTEND(performance-unnecessary-value-param)
    PLUMB_TRY(auto backend, makeCpuBackend());
    const auto sizes = static_cast<int>(workingSets(*backend).size());
    const int steps = surveyCount(grid);
    Machine machine = localCpu();
    const double load = otherLoad().value_or(0);
    PLUMB_TRY(auto curve, bandwidthCurve(*backend, progressOfPart(progress, 0, steps), stop));
    PLUMB_TRY(Survey survey, surveyCosts(*backend, grid, progressOfPart(progress, sizes, 0), stop));
    if (survey.speed) survey.speed->systemLoad = load;
    keepSurvey(std::move(survey), std::move(curve), machine);
    if (progress) progress("done", sizes + steps, sizes + steps);
    return machine;
}

// NOLINTBEGIN(performance-unnecessary-value-param)
Result<RankCosts> calibrateCpuRanks(int ranks,
                                    const std::function<void(std::string_view, int, int)>& progress,
                                    std::stop_token stop, const SurveyGrid& grid) {
    // NOLINTEND(performance-unnecessary-value-param)
    std::vector<std::unique_ptr<Backend>> owned;
    std::vector<Backend*> backends;
    for (int rank = 0; rank < ranks; ++rank) {
        PLUMB_TRY(auto backend, makeCpuBackend(threadsOfRank(ranks)));
        backends.push_back(owned.emplace_back(std::move(backend)).get());
    }
    const double load = otherLoad().value_or(0);
    PLUMB_TRY(RankCosts costs, surveyRanks(backends, grid, progress, stop));
    if (costs.costs.speed) costs.costs.speed->systemLoad = load;
    return costs;
}

}  // namespace plumb
