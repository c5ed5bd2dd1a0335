// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_writer.h"
#include "core/memory_snapshot/step_exports.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <vector>

namespace plumb {

namespace {

constexpr std::int64_t kBase = std::int64_t{0x7F00} << 32U;  // as a device's addresses look
constexpr std::int64_t kGrain = 512;
constexpr std::int64_t kSegmentGrain = std::int64_t{2} << 20U;
constexpr std::size_t kStretch = 1000;  // values of a list at a time, as CPython writes them

Bytes roundedUp(Bytes bytes, std::int64_t grain) { return (bytes + grain - 1) / grain * grain; }

/// Gives each tensor the lowest place where it fits.
class FirstFit {
public:
    std::int64_t take(Bytes bytes) {
        const Bytes rounded = roundedUp(bytes, kGrain);
        for (auto hole = m_free.begin(); hole != m_free.end(); ++hole) {
            if (hole->second < rounded) continue;
            const auto [begin, size] = *hole;
            m_free.erase(hole);
            if (size > rounded) m_free.emplace(begin + rounded, size - rounded);
            return begin;
        }
        const std::int64_t begin = m_end;
        m_end += rounded;
        return begin;
    }
    void giveBack(std::int64_t begin, Bytes bytes) {
        const auto [place, isNew] = m_free.emplace(begin, roundedUp(bytes, kGrain));
        const auto next = std::next(place);
        if (next != m_free.end() && place->first + place->second == next->first) {
            place->second += next->second;
            m_free.erase(next);
        }
        if (place == m_free.begin()) return;
        const auto before = std::prev(place);
        if (before->first + before->second != place->first) return;
        before->second += place->second;
        m_free.erase(place);
    }
    /// Bytes up to the highest that was ever in use.
    [[nodiscard]] Bytes bytes() const { return m_end; }

private:
    std::map<std::int64_t, Bytes> m_free;  ///< holes, merged with their neighbours
    std::int64_t m_end = 0;
};

class SnapshotExport {
public:
    SnapshotExport(const Step& step, std::span<const std::optional<Seconds>> opSeconds)
        : m_step(step), m_seconds(opSeconds), m_frames(static_cast<std::size_t>(step.tensorCount())) {}

    std::string write() {
        const std::vector<Event> events = layOut();
        m_pickle.beginDict();
        // The traces come first, so that the blocks refer to their frames.
        m_pickle.text("device_traces");
        m_pickle.beginList();
        writeTrace(events);
        m_pickle.endList();
        m_pickle.text("segments");
        writeSegment();
        m_pickle.text("allocator_settings");
        m_pickle.beginDict();
        m_pickle.endDict();
        m_pickle.text("external_annotations");
        m_pickle.emptyList();
        m_pickle.endDict();
        return m_pickle.take();
    }

private:
    struct Event {
        TensorId tensor = -1;
        bool isFree = false;
        std::int64_t time = 0;
    };
    struct Living {
        TensorId tensor = -1;
        std::int64_t address = 0;
    };

    std::vector<Event> layOut() {
        const std::int32_t ops = m_step.opCount();
        std::vector<std::vector<TensorId>> made(static_cast<std::size_t>(ops) + 1);
        std::vector<std::vector<TensorId>> freed(static_cast<std::size_t>(ops) + 1);
        m_address.resize(static_cast<std::size_t>(m_step.tensorCount()), -1);
        for (TensorId id = 0; id < m_step.tensorCount(); ++id) {
            const StepTensor& tensor = m_step.tensor(id);
            if (m_step.tensorBytes(id) <= 0 || tensor.firstOp >= ops || tensor.lastOp < tensor.firstOp)
                continue;
            if (tensor.firstOp < 0)
                addressOf(id) = m_places.take(m_step.tensorBytes(id));
            else
                made[static_cast<std::size_t>(tensor.firstOp)].push_back(id);
            if (tensor.lastOp >= 0 && tensor.lastOp < ops)
                freed[static_cast<std::size_t>(tensor.lastOp)].push_back(id);
        }
        std::vector<Event> events;
        double now = 0;
        for (std::int32_t op = 0; op < ops; ++op) {
            const auto at = static_cast<std::size_t>(op);
            for (const TensorId id : made[at]) {
                addressOf(id) = m_places.take(m_step.tensorBytes(id));
                events.push_back({id, false, std::llround(now)});
            }
            const std::optional<Seconds> seconds = at < m_seconds.size() ? m_seconds[at] : std::nullopt;
            now += std::clamp(seconds.value_or(1e-6), 0.0, 1e6) * 1e6;
            for (const TensorId id : freed[at]) {
                m_places.giveBack(addressOf(id), m_step.tensorBytes(id));
                events.push_back({id, true, std::llround(now)});
            }
        }
        m_end = std::llround(now);
        return events;
    }

    std::int64_t& addressOf(TensorId id) { return m_address[static_cast<std::size_t>(id)]; }

    void writeFrame(std::string_view name, std::string_view file, std::int64_t line) {
        m_pickle.beginDict();
        m_pickle.text("name");
        m_pickle.text(name);
        m_pickle.text("filename");
        m_pickle.text(file);
        m_pickle.text("line");
        m_pickle.whole(line);
        m_pickle.endDict();
    }

    /// The entry "frames" of a tensor; of none (-1) it is empty.
    void writeFrames(TensorId id) {
        m_pickle.text("frames");
        if (id < 0) return m_pickle.emptyList();
        auto& noted = m_frames[static_cast<std::size_t>(id)];
        if (noted) {
            m_pickle.refer(*noted);
            return;
        }
        const StepTensor& tensor = m_step.tensor(id);
        const std::string module = m_step.tensorModule(id);
        m_pickle.beginList();
        writeFrame(m_step.tensorName(id),
                   module.empty() ? std::string(categoryLabel(tensor.category)) : module, 0);
        if (tensor.firstOp >= 0) {
            const std::string place = m_step.opModule(tensor.firstOp);
            writeFrame(m_step.opName(tensor.firstOp),
                       place.empty() ? std::string(phaseName(m_step.op(tensor.firstOp).phase)) : place,
                       tensor.firstOp);
        }
        m_pickle.endList();
        noted = m_pickle.note();
    }

    [[nodiscard]] std::string_view categoryOf(TensorId id) const {
        return id < 0 ? std::string_view("unknown") : categoryName(m_step.tensor(id).category);
    }

    void writeEntry(std::string_view action, TensorId id, std::int64_t time) {
        m_pickle.beginDict();
        m_pickle.text("action");
        m_pickle.text(action);
        m_pickle.text("addr");
        m_pickle.whole(id < 0 ? 0 : kBase + addressOf(id));
        m_pickle.text("size");
        m_pickle.whole(id < 0 ? 0 : m_step.tensorBytes(id));
        m_pickle.text("stream");
        m_pickle.whole(0);
        m_pickle.text("time_us");
        m_pickle.whole(time + 1);
        m_pickle.text("category");
        m_pickle.text(categoryOf(id));
        writeFrames(id);
        m_pickle.endDict();
        if (++m_written % kStretch == 0) m_pickle.nextStretch();
    }

    void writeTrace(const std::vector<Event>& events) {
        m_pickle.beginList();
        for (const Event& event : events) {
            if (event.isFree) writeEntry("free_requested", event.tensor, event.time);
            writeEntry(event.isFree ? "free_completed" : "alloc", event.tensor, event.time);
        }
        // Older viewers want one entry of the category "unknown".
        writeEntry("snapshot", -1, m_end);
        m_pickle.endList();
    }

    void writeBlock(std::int64_t address, Bytes bytes, TensorId id) {
        m_pickle.beginDict();
        m_pickle.text("address");
        m_pickle.whole(kBase + address);
        m_pickle.text("size");
        m_pickle.whole(bytes);
        m_pickle.text("requested_size");
        m_pickle.whole(id < 0 ? 0 : m_step.tensorBytes(id));
        m_pickle.text("state");
        m_pickle.text(id < 0 ? "inactive" : "active_allocated");
        m_pickle.text("category");
        m_pickle.text(categoryOf(id));
        writeFrames(id);
        m_pickle.endDict();
    }

    void writeSegment() {
        const Bytes total = std::max(roundedUp(m_places.bytes(), kSegmentGrain), kSegmentGrain);
        std::vector<Living> living;
        Bytes active = 0;
        Bytes requested = 0;
        for (TensorId id = 0; id < m_step.tensorCount(); ++id) {
            if (addressOf(id) < 0 || m_step.tensor(id).lastOp < m_step.opCount()) continue;
            living.push_back({id, addressOf(id)});
            active += roundedUp(m_step.tensorBytes(id), kGrain);
            requested += m_step.tensorBytes(id);
        }
        std::ranges::sort(living, {}, &Living::address);
        m_pickle.beginList();
        m_pickle.beginDict();
        const std::pair<const char*, std::int64_t> numbers[] = {{"device", 0},
                                                                {"address", kBase},
                                                                {"total_size", total},
                                                                {"stream", 0},
                                                                {"allocated_size", active},
                                                                {"active_size", active},
                                                                {"requested_size", requested}};
        for (const auto& [name, value] : numbers) {
            m_pickle.text(name);
            m_pickle.whole(value);
        }
        m_pickle.text("segment_type");
        m_pickle.text("large");
        m_pickle.text("segment_pool_id");
        m_pickle.whole(0);
        m_pickle.whole(0);
        m_pickle.pair();
        m_pickle.text("is_expandable");
        m_pickle.boolean(false);
        m_pickle.text("frames");
        m_pickle.emptyList();
        m_pickle.text("blocks");
        m_pickle.beginList();
        std::int64_t end = 0;
        std::size_t count = 0;
        const auto hole = [&](std::int64_t until) {
            if (until > end) writeBlock(end, until - end, -1);
        };
        for (const Living& each : living) {
            hole(each.address);
            const Bytes bytes = roundedUp(m_step.tensorBytes(each.tensor), kGrain);
            writeBlock(each.address, bytes, each.tensor);
            end = each.address + bytes;
            if (++count % (kStretch / 2) == 0) m_pickle.nextStretch();
        }
        hole(total);
        m_pickle.endList();
        m_pickle.endDict();
        m_pickle.endList();
    }

    const Step& m_step;
    std::span<const std::optional<Seconds>> m_seconds;
    PickleWriter m_pickle;
    FirstFit m_places;
    std::vector<std::int64_t>
        m_address;  ///< by tensor, from the beginning of the segment; -1: never resident
    std::vector<std::optional<std::uint32_t>> m_frames;
    std::size_t m_written = 0;
    std::int64_t m_end = 0;
};

}  // namespace

std::string toMemorySnapshot(const Step& step, std::span<const std::optional<Seconds>> opSeconds) {
    return SnapshotExport(step, opSeconds).write();
}

}  // namespace plumb
