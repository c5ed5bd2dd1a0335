// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/calibrate.h"

#include "core/calibrate/bandwidth_survey.h"
#include "core/calibrate/cost_survey.h"
#include "kernels/cuda/copy_survey.h"
#include "kernels/cuda/cuda_backend.h"
#include "kernels/cuda/device.h"
#include "kernels/cuda/event_span.h"
#include "kernels/cuda/traffic.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace plumb::cuda {

namespace {

constexpr Bytes kMiB = Bytes{1} << 20;

// What steps on a GPU are like: a thousand times the work of those on a processor.
SurveyGrid gridOf(bool quick) {
    SurveyGrid grid;
    if (quick) {
        grid.widths = {128, 512, 2048, 4096};
        grid.rows = {16, 128, 1024, 8192};
        grid.variantWidths = {256, 4096};
        grid.variantRows = {128, 4096};
        grid.optimizerWidths = {512, 4096};
        grid.optimizerRows = {128};
        grid.outputs = {16};
        grid.headWidths = {256, 4096};
        grid.headRows = {128, 4096};
        grid.loadWidths = {256, 4096};
        grid.loadRows = {128, 4096};
        grid.mostWork = 0x1p38;
        grid.perRound = 0.002;
        grid.rounds = 1;
        return grid;
    }
    grid.widths = {64, 128, 256, 512, 1024, 2048, 4096, 8192};
    grid.rows = {1, 16, 64, 256, 1024, 4096, 16384};
    grid.variantWidths = {256, 1024, 4096};
    grid.variantRows = {64, 1024, 8192};
    grid.optimizerWidths = {256, 1024, 4096};
    grid.optimizerRows = {64, 8192};
    grid.outputs = {4, 16, 64};
    grid.headWidths = {256, 1024, 4096};
    grid.headRows = {64, 1024, 8192};
    grid.loadWidths = {64, 512, 4096};
    grid.loadRows = {64, 1024, 8192};
    grid.deepWidths = {256, 1024, 4096};
    grid.deepRows = {64, 1024};
    grid.mostWork = 0x1p40;
    grid.perRound = 0.005;
    grid.rounds = 2;
    grid.enough = 0.1;
    return grid;
}

std::vector<Bytes> workingSets(Bytes memory) {
    std::vector<Bytes> sizes;
    const Bytes most = std::max(std::min(Bytes{4096} * kMiB, memory / 4), 2 * kMiB);
    for (Bytes size = kMiB; size <= most; size *= 4) sizes.push_back(size);
    return sizes;
}

/// Two blocks of it are on a card at a time, beside what the backend has.
CopySurvey copySurvey(Bytes memory, bool quick) {
    CopySurvey survey;
    survey.bytes = std::clamp(memory / 16, kMiB, survey.bytes);
    if (quick) survey.copies = 3;
    return survey;
}

/// Bytes per second; the best of some passes, after one to warm up.
Result<double> trafficRate(Traffic traffic, const float* in, float* inOut, std::int64_t count,
                           cudaStream_t stream) {
    PLUMB_TRY(const EventSpan span, EventSpan::create(stream));
    const double arrays = traffic == Traffic::Read ? 1 : traffic == Traffic::Copy ? 2 : 3;
    const double bytes = arrays * 4 * static_cast<double>(count);
    const int passes = static_cast<int>(std::clamp(4e9 / bytes, 3.0, 200.0));
    const auto enqueue = [&]() -> Result<void> {
        for (int pass = 0; pass < passes; ++pass)
            if (const int result = launchTraffic(traffic, in, inOut, count, stream); result != 0)
                return errorOf(static_cast<cudaError_t>(result), "launchTraffic");
        return {};
    };
    double best = 0;
    for (int round = 0; round < 4; ++round) {
        PLUMB_TRY(const Seconds seconds, span.seconds(enqueue));
        if (round > 0 && seconds > 0) best = std::max(best, bytes * passes / seconds);
    }
    return best;
}

Result<std::vector<BandwidthPoint>>
bandwidthCurve(Backend& backend, Bytes memory,
               const std::function<void(std::string_view, int, int)>& progress, const std::stop_token& stop) {
    const std::vector<Bytes> sizes = workingSets(memory);
    const Bytes arrayBytes = sizes.back() / 2;
    PLUMB_TRY(const Unique<cudaStream_t> stream, makeStream());
    PLUMB_TRY(const DeviceBlock in, allocateDevice(2 * arrayBytes));
    PLUMB_TRY(const DeviceBlock inOut, allocateDevice(arrayBytes));
    // Nothing of what is there matters but that it is there.
    PLUMB_CUDA(cudaMemsetAsync(in.get(), 0x3c, static_cast<std::size_t>(2 * arrayBytes), stream.get()));
    PLUMB_CUDA(cudaMemsetAsync(inOut.get(), 0x3c, static_cast<std::size_t>(arrayBytes), stream.get()));
    const auto rate = [&](double BandwidthPoint::*pattern, Bytes size) -> Result<double> {
        // Reading has one array alone, as large as the two of the others.
        const bool reads = pattern == &BandwidthPoint::read;
        const Traffic traffic = reads                              ? Traffic::Read
                                : pattern == &BandwidthPoint::copy ? Traffic::Copy
                                                                   : Traffic::Update;
        return trafficRate(traffic, static_cast<const float*>(in.get()), static_cast<float*>(inOut.get()),
                           (reads ? size : size / 2) / 4, stream.get());
    };
    return surveyBandwidth(backend, sizes, rate, progress, stop);
}

}  // namespace

// The token comes by value, as std::jthread hands it out.
// NOLINTBEGIN(performance-unnecessary-value-param)
Result<Machine> calibrateGpu(const GpuIdentity& gpu,
                             const std::function<void(std::string_view, int, int)>& progress,
                             std::stop_token stop, bool quick) {
    // NOLINTEND(performance-unnecessary-value-param)
    Machine machine = machineOf(gpu);
    const SurveyGrid grid = gridOf(quick);
    const auto sizes = static_cast<int>(workingSets(gpu.memoryBytes).size());
    const int copies = 1;
    const int steps = surveyCount(grid);
    const int all = sizes + copies + steps;
    PLUMB_TRY(auto backend, makeCudaBackend(machine, gpu));
    PLUMB_TRY(auto curve,
              bandwidthCurve(*backend, gpu.memoryBytes, progressOfPart(progress, 0, copies + steps), stop));
    if (progress) progress("copies", sizes, all);
    PLUMB_TRY(const std::vector<GpuIdentity> cards, listGpus());
    PLUMB_TRY(machine.copies, surveyCopies(gpu.index, cards, copySurvey(gpu.memoryBytes, quick), stop));
    PLUMB_TRY(Survey survey, surveyCosts(*backend, grid, progressOfPart(progress, sizes + copies, 0), stop));
    keepSurvey(std::move(survey), std::move(curve), machine);
    if (progress) progress("done", all, all);
    return machine;
}

}  // namespace plumb::cuda
