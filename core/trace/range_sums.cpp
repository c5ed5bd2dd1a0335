// SPDX-License-Identifier: Apache-2.0
#include "core/trace/range_sums.h"

#include "core/trace/collective_match.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace plumb::trace {

namespace {

using Interval = std::pair<Nanoseconds, Nanoseconds>;

/// Intervals that do not touch, in the order of time, with what those up to each are long together.
class Union {
public:
    explicit Union(std::vector<Interval> parts) {
        std::ranges::sort(parts);
        for (const auto& [begin, end] : parts) {
            if (m_parts.empty() || begin > m_parts.back().second)
                m_parts.emplace_back(begin, end);
            else
                m_parts.back().second = std::max(m_parts.back().second, end);
        }
        Nanoseconds sum = 0;
        for (const auto& [begin, end] : m_parts) m_sums.push_back(sum += end - begin);
    }
    [[nodiscard]] Nanoseconds length() const { return m_sums.empty() ? 0 : m_sums.back(); }
    [[nodiscard]] Nanoseconds within(const Interval& part) const {
        return upTo(part.second) - upTo(part.first);
    }

private:
    /// What of it lies before a point of time.
    [[nodiscard]] Nanoseconds upTo(Nanoseconds time) const {
        const auto behind = std::ranges::lower_bound(m_parts, time, {}, &Interval::first);
        if (behind == m_parts.begin()) return 0;
        const auto at = static_cast<std::size_t>(std::prev(behind) - m_parts.begin());
        return m_sums[at] - std::max<Nanoseconds>(0, m_parts[at].second - time);
    }

    std::vector<Interval> m_parts;
    std::vector<Nanoseconds> m_sums;
};

struct CutPiece {
    const GpuWork* work = nullptr;
    Interval part;
};

bool isComputing(const Trace& trace, const GpuWork& work) {
    return trace.slices.category[work.slice] == Category::Kernel && !work.communicates;
}
bool isTraffic(const Trace& trace, const GpuWork& work) {
    return work.communicates || trace.slices.category[work.slice] == Category::Copy;
}

std::vector<CutPiece> piecesWithin(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from,
                                   Nanoseconds to) {
    std::vector<CutPiece> pieces;
    for (const GpuWork& piece : work) {
        const Nanoseconds begin = trace.slices.begin[piece.slice];
        const Nanoseconds end = trace.slices.end(piece.slice);
        if (begin >= to || (begin == end ? end < from : end <= from)) continue;
        pieces.push_back({&piece, {std::max(begin, from), std::min(end, to)}});
    }
    return pieces;
}

class RangeSummary {
public:
    explicit RangeSummary(const Trace& trace) : m_trace(trace) {}

    RangeSums make(std::span<const GpuWork> work, Nanoseconds from, Nanoseconds to) {
        m_sums.from = from;
        m_sums.to = to;
        std::vector<Interval> all;
        std::vector<Interval> computing;
        for (const std::span<const GpuWork> device : workByDevice(m_trace, work)) {
            const std::vector<CutPiece> pieces = piecesWithin(m_trace, device, from, to);
            std::vector<Interval> ofDevice;
            for (const CutPiece& piece : pieces) {
                all.push_back(piece.part);
                if (isComputing(m_trace, *piece.work)) ofDevice.push_back(piece.part);
            }
            computing.insert(computing.end(), ofDevice.begin(), ofDevice.end());
            const Union behind(std::move(ofDevice));
            for (const CutPiece& piece : pieces) add(piece, behind);
        }
        m_sums.busy = Union(std::move(all)).length();
        m_sums.computing = Union(std::move(computing)).length();
        std::ranges::stable_sort(m_sums.rows, std::ranges::greater(),
                                 [](const RangeRow& row) { return row.sum.work.time; });
        std::ranges::sort(m_sums.streams);
        for (RangeRow& row : m_sums.rows) std::ranges::sort(row.streams);
        return std::move(m_sums);
    }

private:
    void add(const CutPiece& piece, const Union& computing) {
        const GpuWork& work = *piece.work;
        const NameId name = m_trace.slices.name[work.slice];
        const Nanoseconds time = piece.part.second - piece.part.first;
        m_sums.categories[static_cast<std::size_t>(work.category)].add(time);
        const std::uint64_t key =
            (static_cast<std::uint64_t>(name) << 8U) | static_cast<std::uint64_t>(work.category);
        const auto [found, isNew] = m_places.try_emplace(key, m_sums.rows.size());
        if (isNew) m_sums.rows.push_back({name, work.category, {}, {}});
        RangeRow& row = m_sums.rows[found->second];
        const std::int64_t stream = m_trace.tracks[m_trace.slices.track[work.slice]].stream;
        for (std::vector<std::int64_t>* streams : {&row.streams, &m_sums.streams})
            if (std::ranges::find(*streams, stream) == streams->end()) streams->push_back(stream);
        const Nanoseconds hidden = isTraffic(m_trace, work) ? computing.within(piece.part) : 0;
        const auto whole = bytesOfWork(m_trace, work);
        const Nanoseconds duration = m_trace.slices.duration[work.slice];
        for (RangeSum* sum : {&row.sum, &m_sums.all}) {
            sum->work.add(time);
            if (isTraffic(m_trace, work)) {
                sum->traffic.add(time);
                sum->hidden = saturated(sum->hidden, hidden);
                sum->exposed = saturated(sum->exposed, time - hidden);
            }
            if (!whole) continue;
            ++sum->withBytes;
            const double share =
                duration > 0 ? static_cast<double>(time) / static_cast<double>(duration) : 1.0;
            sum->bytes = saturated(
                sum->bytes, time == duration ? *whole : std::llround(static_cast<double>(*whole) * share));
        }
    }

    const Trace& m_trace;
    RangeSums m_sums;
    std::unordered_map<std::uint64_t, std::size_t> m_places;
};

}  // namespace

std::optional<std::int64_t> bytesOfWork(const Trace& trace, const GpuWork& work) {
    if (trace.slices.category[work.slice] != Category::Kernel) {
        const std::int64_t bytes = trace.bytesOf(work.slice);
        return bytes < 0 ? std::nullopt : std::optional(bytes);
    }
    const std::uint32_t entry = trace.collectiveOf(work.slice);
    if (entry == 0) return std::nullopt;
    const Collectives& collectives = trace.collectives;
    const std::int64_t elements = std::max(collectives.elementsIn[entry], collectives.elementsOut[entry]);
    const std::int64_t size = elementBytes(trace.names.at(collectives.elementType[entry]));
    std::int64_t bytes = 0;
    if (elements < 0 || size == 0 || __builtin_mul_overflow(elements, size, &bytes)) return std::nullopt;
    return bytes;
}

RangeSums sumsOfRange(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from, Nanoseconds to) {
    return RangeSummary(trace).make(work, from, to);
}

WindowFigures figuresOfAll(const Trace& trace, std::span<const GpuWork> work, const TraceOverview& overview) {
    WindowFigures figures;
    for (const DeviceFigures& device : overview.devices) {
        DeviceWindow& window = figures.devices.emplace_back();
        window.id = device.id;
        window.rank = device.rank;
        window.begin = device.begin;
        window.end = device.end;
        window.times = {device.busy, device.idle,          device.idleBy,
                        0,           device.communication, device.exposedCommunication};
        window.kernels = device.kernels;
        window.kernelTime = device.kernelTime;
        window.tensorCoreTime = device.tensorCoreTime;
    }
    figures.sums = sumsOfRange(trace, work, overview.begin, overview.end + 1);
    return figures;
}

WindowFigures figuresOfWindow(const Trace& trace, std::span<const GpuWork> work, Nanoseconds from,
                              Nanoseconds to) {
    WindowFigures figures;
    std::unordered_map<NameId, bool> usesCores;
    for (const std::span<const GpuWork> device : workByDevice(trace, work)) {
        const Track& track = trace.tracks[trace.slices.track[device.front().slice]];
        DeviceWindow& window = figures.devices.emplace_back();
        window.id = track.device;
        window.rank = track.rank;
        window.begin = from;
        window.end = to;
        window.times = timesOfDevice(trace.slices, device, orderOfWork(trace.slices, device), from, to);
        for (const CutPiece& piece : piecesWithin(trace, device, from, to)) {
            const std::uint32_t slice = piece.work->slice;
            if (trace.slices.category[slice] != Category::Kernel) continue;
            const Nanoseconds time = piece.part.second - piece.part.first;
            ++window.kernels;
            window.kernelTime = saturated(window.kernelTime, time);
            const auto [found, isNew] = usesCores.try_emplace(trace.slices.name[slice], false);
            if (isNew) found->second = usesTensorCores(trace.name(slice));
            if (found->second) window.tensorCoreTime = saturated(window.tensorCoreTime, time);
        }
    }
    figures.sums = sumsOfRange(trace, work, from, to);
    return figures;
}

}  // namespace plumb::trace
