// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_overview.h"

#include "core/trace/union_length.h"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

Nanoseconds quantileOf(std::vector<Nanoseconds>& values, std::size_t percent) {
    if (values.empty()) return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * percent / 100);
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

class DeviceSummary {
public:
    DeviceSummary(const Trace& trace, std::span<const GpuWork> work, const OverviewOptions& options)
        : m_slices(trace.slices), m_trace(trace), m_work(work), m_options(options) {}

    DeviceFigures make() {
        const Track& track = m_trace.tracks[m_slices.track[m_work.front().slice]];
        m_figures.id = track.device;
        m_figures.rank = track.rank;
        if (const Device* device = m_trace.deviceOf(track)) m_figures.name = device->name;
        countWork();
        sumStreams();
        sumDevice();
        sumLaunches();
        return std::move(m_figures);
    }

private:
    void countWork() {
        m_figures.begin = INT64_MAX;
        m_figures.end = INT64_MIN;
        for (const GpuWork& work : m_work) {
            m_figures.begin = std::min(m_figures.begin, m_slices.begin[work.slice]);
            m_figures.end = std::max(m_figures.end, m_slices.end(work.slice));
            const Category category = m_slices.category[work.slice];
            if (category == Category::Copy) ++m_figures.copies;
            if (category == Category::Memset) ++m_figures.memsets;
            if (category != Category::Kernel) continue;
            const Nanoseconds duration = m_slices.duration[work.slice];
            ++m_figures.kernels;
            m_figures.kernelTime = saturated(m_figures.kernelTime, duration);
            if (usesCores(m_slices.name[work.slice]))
                m_figures.tensorCoreTime = saturated(m_figures.tensorCoreTime, duration);
        }
    }

    bool usesCores(NameId name) {
        const auto [found, isNew] = m_usesCores.try_emplace(name, false);
        if (isNew) found->second = usesTensorCores(m_trace.names.at(name));
        return found->second;
    }

    void sumStreams() {
        for (std::size_t first = 0; first < m_work.size();) {
            std::size_t last = first;
            const std::uint32_t track = m_slices.track[m_work[first].slice];
            while (last < m_work.size() && m_slices.track[m_work[last].slice] == track) ++last;
            m_figures.streams.push_back(streamOf(m_work.subspan(first, last - first)));
            first = last;
        }
    }

    /// Part of the device's time that a point lies in, or the nearest.
    [[nodiscard]] std::size_t queuePart(Nanoseconds time) const {
        const double share = static_cast<double>(time - m_figures.begin) /
                             static_cast<double>(std::max<Nanoseconds>(1, m_figures.end - m_figures.begin));
        return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * static_cast<double>(kQueueParts - 1));
    }
    void deepen(Nanoseconds from, Nanoseconds to, std::int64_t depth) {
        m_figures.queueDepths.resize(kQueueParts, 0);
        for (std::size_t part = queuePart(from); part <= queuePart(to); ++part)
            m_figures.queueDepths[part] = std::max(m_figures.queueDepths[part], depth);
    }

    [[nodiscard]] StreamFigures streamOf(std::span<const GpuWork> works) {
        StreamFigures figures;
        figures.stream = m_trace.tracks[m_slices.track[works.front().slice]].stream;
        UnionLength busy;
        std::vector<std::pair<Nanoseconds, int>> queue;  // a launch adds one, an end takes one away
        for (const GpuWork& work : works) {
            const Nanoseconds gap = busy.add(m_slices.begin[work.slice], m_slices.end(work.slice));
            if (gap > 0) {
                Nanoseconds& idle =
                    figures
                        .idle[static_cast<std::size_t>(idleCauseOf(m_slices, work, gap, m_options.shortGap))];
                idle = saturated(idle, gap);
            }
            if (m_slices.category[work.slice] == Category::Kernel) ++figures.kernels;
            if (work.launch == kNone) continue;
            queue.emplace_back(m_slices.begin[work.launch], 1);
            queue.emplace_back(std::max(m_slices.end(work.slice), m_slices.begin[work.launch]), -1);
        }
        figures.busy = busy.length();
        std::ranges::sort(queue);
        std::int64_t length = 0;
        double sum = 0;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (i > 0) {
                sum += static_cast<double>(length) * static_cast<double>(queue[i].first - queue[i - 1].first);
                deepen(queue[i - 1].first, queue[i].first, length);
            }
            length += queue[i].second;
            figures.longestQueue = std::max(figures.longestQueue, length);
        }
        if (!queue.empty() && queue.back().first > queue.front().first)
            figures.meanQueue = sum / static_cast<double>(queue.back().first - queue.front().first);
        return figures;
    }

    void sumDevice() {
        const DeviceTimes times = timesOfDevice(m_slices, m_work, orderOfWork(m_slices, m_work),
                                                m_figures.begin, m_figures.end, m_options.shortGap);
        m_figures.busy = times.busy;
        m_figures.idle = times.idle;
        m_figures.idleBy = times.idleBy;
        m_figures.communication = times.communication;
        m_figures.exposedCommunication = times.exposedCommunication;
    }

    void sumLaunches() {
        std::vector<Nanoseconds> latencies;
        for (const GpuWork& work : m_work) {
            if (work.launch == kNone) continue;
            latencies.push_back(
                std::max<Nanoseconds>(0, m_slices.begin[work.slice] - m_slices.end(work.launch)));
            if (m_slices.category[work.slice] == Category::Kernel &&
                m_slices.duration[work.slice] < m_slices.duration[work.launch])
                ++m_figures.shortKernels;
        }
        m_figures.launched = static_cast<std::int64_t>(latencies.size());
        m_figures.medianLatency = quantileOf(latencies, 50);
        m_figures.p90Latency = quantileOf(latencies, 90);
        m_figures.longestLatency = quantileOf(latencies, 100);
    }

    const Slices& m_slices;
    const Trace& m_trace;
    std::span<const GpuWork> m_work;
    const OverviewOptions& m_options;
    DeviceFigures m_figures;
    std::unordered_map<NameId, bool> m_usesCores;
};

/// Busy time of a device in the windows of all steps; both are in the order of time.
void fillSteps(const Trace& trace, std::span<const GpuWork> device, std::vector<StepFigures>& steps) {
    const Slices& slices = trace.slices;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> spans;
    spans.reserve(device.size());
    for (const GpuWork& work : device) spans.emplace_back(slices.begin[work.slice], slices.end(work.slice));
    std::ranges::sort(spans);
    std::vector<std::pair<Nanoseconds, Nanoseconds>> busy;  // without overlaps
    for (const auto& [begin, end] : spans) {
        if (busy.empty() || begin > busy.back().second)
            busy.emplace_back(begin, end);
        else
            busy.back().second = std::max(busy.back().second, end);
    }
    std::size_t at = 0;
    for (StepFigures& step : steps) {
        while (at < busy.size() && busy[at].second <= step.step.begin) ++at;
        for (std::size_t i = at; i < busy.size() && busy[i].first < step.step.windowEnd; ++i)
            step.busy += std::max<Nanoseconds>(0, std::min(busy[i].second, step.step.windowEnd) -
                                                      std::max(busy[i].first, step.step.begin));
        step.idle = std::max<Nanoseconds>(0, step.step.windowEnd - step.step.begin) - step.busy;
    }
    // The last end of what each step launched.
    std::vector<std::optional<Nanoseconds>> lastEnds(steps.size());
    for (const GpuWork& work : device) {
        if (work.launch == kNone) continue;
        const Nanoseconds launched = slices.begin[work.launch];
        const auto behind =
            std::ranges::upper_bound(steps, launched, {}, [](const StepFigures& s) { return s.step.begin; });
        if (behind == steps.begin() || launched >= std::prev(behind)->step.windowEnd) continue;
        auto& last = lastEnds[static_cast<std::size_t>(std::prev(behind) - steps.begin())];
        last = std::max(last.value_or(INT64_MIN), slices.end(work.slice));
    }
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (lastEnds[i] && lastEnds[i - 1]) steps[i].gpuDuration = *lastEnds[i] - *lastEnds[i - 1];
}

void sumKernels(const Trace& trace, std::span<const GpuWork> all, TraceOverview& overview) {
    std::unordered_map<NameId, std::size_t> places;
    for (const GpuWork& work : all) {
        const Nanoseconds duration = trace.slices.duration[work.slice];
        overview.categories[static_cast<std::size_t>(work.category)].add(duration);
        if (trace.slices.category[work.slice] != Category::Kernel) continue;
        const auto [found, isNew] =
            places.try_emplace(trace.slices.name[work.slice], overview.kernels.size());
        if (isNew) overview.kernels.push_back({trace.slices.name[work.slice], work.category, {}});
        overview.kernels[found->second].sum.add(duration);
    }
    std::ranges::stable_sort(overview.kernels, std::ranges::greater(),
                             [](const KernelSum& k) { return k.sum.time; });
}

}  // namespace

std::optional<double> DeviceFigures::overlap() const {
    if (communication <= 0) return std::nullopt;
    return static_cast<double>(communication - exposedCommunication) / static_cast<double>(communication);
}

bool DeviceFigures::isHostBound() const {
    const Nanoseconds window = end - begin;
    return window > 0 && static_cast<double>(busy) < 0.8 * static_cast<double>(window) &&
           idleBy[static_cast<std::size_t>(IdleCause::HostWait)] > idle / 2;
}

TraceOverview overviewOf(const Trace& trace, TraceLinks links, const OverviewOptions& options) {
    TraceOverview overview;
    overview.stepsAreInferred = links.stepsAreInferred;
    for (const TraceStep& step : links.steps) overview.steps.emplace_back().step = step;
    overview.unlaunched = links.unlaunched;
    overview.duplicateLaunches = links.duplicateLaunches;
    const std::span<const GpuWork> all(links.work);
    for (const std::span<const GpuWork> device : workByDevice(trace, all)) {
        overview.devices.push_back(DeviceSummary(trace, device, options).make());
        if (overview.devices.size() == 1) fillSteps(trace, device, overview.steps);
    }
    sumKernels(trace, all, overview);
    overview.ops = std::move(links.ops);
    overview.modules = std::move(links.modules);
    if (trace.slices.size() > 0) {
        overview.begin = INT64_MAX;
        overview.end = INT64_MIN;
        for (const Track& track : trace.tracks)
            if (track.count > 0) overview.begin = std::min(overview.begin, trace.slices.begin[track.first]);
        for (std::size_t i = 0; i < trace.slices.size(); ++i)
            overview.end = std::max(overview.end, trace.slices.end(i));
    }
    return overview;
}

}  // namespace plumb::trace
