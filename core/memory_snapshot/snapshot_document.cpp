// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/snapshot_document.h"

#include "core/base/plain_text.h"
#include "core/memory_snapshot/snapshot_words.h"

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

namespace plumb {

namespace {

using Kind = PickleValue::Kind;
using Pairs = PickleContainers::Pairs;
using Runs = PickleContainers::Runs;
using Run = PickleContainers::Run;

constexpr std::size_t kMostDevices = 4096;
constexpr std::size_t kMostSettings = 200;
constexpr std::size_t kMostUnread = 50;
constexpr std::size_t kMostSetting = 256;

Error notASnapshot(const std::string& what) {
    return badInput("is no memory snapshot: " + what,
                    "open a file that torch.cuda.memory._dump_snapshot() wrote");
}

}  // namespace

std::string_view MemorySnapshot::actionName(std::uint8_t action) const {
    const auto other = static_cast<std::size_t>(MemoryAction::Other);
    if (action <= other) return kMemoryActionNames.name(static_cast<MemoryAction>(action));
    return action - other - 1 < otherActions.size() ? otherActions[action - other - 1]
                                                    : std::string_view("other");
}

std::size_t MemoryEntries::bytes() const {
    return action.bytes() + address.bytes() + size.bytes() + time.bytes() + stack.bytes() + stream.bytes() +
           category.bytes() + note.bytes();
}

std::size_t MemorySnapshot::bytes() const {
    return texts.bytes() + frames.capacity() * sizeof(MemoryFrame) + stacks.bytes() +
           streams.capacity() * sizeof(std::int64_t) + entries.bytes() +
           segments.capacity() * sizeof(MemorySegment) + blocks.capacity() * sizeof(MemoryBlock) +
           annotations.capacity() * sizeof(MemoryAnnotation);
}

Result<void> SnapshotDocument::takeTraces(PickleValue value) {
    const Runs* devices = m_containers.listOf(value);
    if (devices == nullptr) return {};
    if (devices->size() > kMostDevices)
        return notASnapshot("it has traces of " + std::to_string(devices->size()) + " devices");
    // A list may refer to the same entries again and again; what the file holds once is there once.
    std::size_t left = m_made.entries.count();
    m_made.traces.clear();
    for (const Run& device : *devices) {
        auto& trace = m_made.traces.emplace_back();
        const Runs* entries = m_containers.listOf(device.first);
        if (entries == nullptr) continue;
        for (const Run& run : *entries) {
            const PickleValue first = m_containers.resolved(run.first);
            if (!first.is(Kind::Entry)) {
                m_made.findings.count(MemoryFinding::WrongType);
                continue;
            }
            if (run.count > left) return notASnapshot("its traces name the same entries more than once");
            left -= run.count;
            trace.push_back({first.number(), run.count});
        }
    }
    return {};
}

Result<void> SnapshotDocument::takeSegments(PickleValue value) {
    const Runs* segments = m_containers.listOf(value);
    if (segments == nullptr) return {};
    std::size_t left = m_rows.blocks().size();
    std::size_t segmentsLeft = m_rows.segments().size();
    m_made.blocks.reserve(left);
    for (const Run& run : *segments) {
        const bool isOne =
            run.first.is(Kind::Container) && m_containers.at(run.first).shape == PickleShape::Segment;
        if (!isOne) {
            m_made.findings.count(MemoryFinding::WrongType);
            continue;
        }
        if (segmentsLeft-- == 0) return notASnapshot("it names the same segments more than once");
        const SnapshotRows::RawSegment& raw = m_rows.segments()[m_containers.at(run.first).number];
        MemorySegment& segment = m_made.segments.emplace_back(raw.segment);
        segment.firstBlock = m_made.blocks.size();
        const Runs* blocks = m_containers.listOf(raw.blocks);
        std::int64_t address = segment.address;
        for (const Run& some : blocks != nullptr ? *blocks : Runs()) {
            const PickleValue first = m_containers.resolved(some.first);
            if (!first.is(Kind::Block)) {
                m_made.findings.count(MemoryFinding::WrongType);
                continue;
            }
            if (some.count > left) return notASnapshot("its segments name the same blocks more than once");
            left -= some.count;
            for (std::uint64_t i = 0; i < some.count; ++i) {
                const SnapshotRows::RawBlock& block = m_rows.blocks()[first.number() + i];
                m_made.blocks.push_back(block.block);
                // Before 2.1 blocks had no address: they follow one another.
                if (!block.hasAddress) m_made.blocks.back().address = address;
                address = static_cast<std::int64_t>(static_cast<std::uint64_t>(m_made.blocks.back().address) +
                                                    static_cast<std::uint64_t>(m_made.blocks.back().bytes));
            }
        }
        segment.blockCount = m_made.blocks.size() - segment.firstBlock;
    }
    return {};
}

/// Memory that is named twice is there once: the first block at an address of a device keeps it, and what
/// comes later counts nothing.
void SnapshotDocument::emptyRepeats() {
    struct Place {
        std::int64_t device, address;
        std::size_t index;
        auto operator<=>(const Place&) const = default;
    };
    const auto forRepeats = [&](std::vector<Place> places, const auto& empty) {
        std::ranges::sort(places);
        for (std::size_t i = 1; i < places.size(); ++i) {
            if (places[i].device != places[i - 1].device || places[i].address != places[i - 1].address)
                continue;
            m_made.findings.count(MemoryFinding::RepeatedAddress);
            empty(places[i].index);
        }
    };
    std::vector<Place> segments, blocks;
    for (std::size_t i = 0; i < m_made.segments.size(); ++i) {
        const MemorySegment& segment = m_made.segments[i];
        if (segment.address != 0) segments.push_back({segment.device, segment.address, i});
        for (std::size_t j = segment.firstBlock; j < segment.firstBlock + segment.blockCount; ++j)
            if (m_made.blocks[j].address != 0 && m_made.blocks[j].bytes > 0)
                blocks.push_back({segment.device, m_made.blocks[j].address, j});
    }
    forRepeats(std::move(segments), [&](std::size_t index) { m_made.segments[index].bytes = 0; });
    forRepeats(std::move(blocks), [&](std::size_t index) {
        m_made.blocks[index].bytes = m_made.blocks[index].requested = 0;
        m_made.blocks[index].state = BlockState::Inactive;
    });
}

void SnapshotDocument::checkTiling() {
    for (const MemorySegment& segment : m_made.segments) {
        const auto bytes = static_cast<std::uint64_t>(segment.bytes);
        std::uint64_t offset = 0;  // modulo 2^64, as the addresses may be anything
        bool follows = true;
        for (const MemoryBlock& block : m_made.blocksOf(segment)) {
            follows = follows && static_cast<std::uint64_t>(block.address) -
                                         static_cast<std::uint64_t>(segment.address) ==
                                     offset;
            offset += static_cast<std::uint64_t>(block.bytes);
        }
        if (!follows || offset != bytes) m_made.findings.count(MemoryFinding::NotTiled);
    }
}

void SnapshotDocument::takeSettings(PickleValue value, const std::string& prefix, int depth) {
    const Pairs* pairs = m_containers.pairsOf(value);
    if (pairs == nullptr || depth > 2) return;
    for (const auto& [key, held] : *pairs) {
        if (m_made.settings.size() >= kMostSettings) return;
        const std::string name = prefix + m_values.plainText(key, kMostSetting);
        if (m_containers.pairsOf(held) != nullptr)
            takeSettings(held, name + ".", depth + 1);
        else
            m_made.settings.emplace_back(name, m_values.plainText(held, kMostSetting));
    }
}

Result<void> SnapshotDocument::take(PickleValue whole) {
    const Pairs* parts = m_containers.pairsOf(whole);
    // torch.cuda.memory_snapshot() returns the segments alone.
    const bool isSegments = m_containers.listOf(whole) != nullptr;
    if (parts == nullptr && !isSegments && !whole.is(Kind::Container))
        return notASnapshot("its outermost value is neither a dict nor a list");
    bool found = isSegments;
    if (isSegments) PLUMB_CHECK(takeSegments(whole));
    for (const auto& [key, value] : parts != nullptr ? *parts : Pairs()) {
        switch (static_cast<SnapshotWord>(PickleStore::keyOf(key))) {
        case SnapshotWord::Segments:
            found = true;
            m_made.segments.clear();
            m_made.blocks.clear();
            PLUMB_CHECK(takeSegments(value));
            break;
        case SnapshotWord::DeviceTraces:
            found = true;
            PLUMB_CHECK(takeTraces(value));
            break;
        case SnapshotWord::AllocatorSettings:
            takeSettings(value, {}, 0);
            break;
        case SnapshotWord::ExternalAnnotations:
            break;  // each has its row already
        default:
            m_rows.unread(PickleStore::keyOf(key));
        }
    }
    if (!found || (isSegments && m_made.segments.empty()))
        return notASnapshot("it has neither segments nor device_traces");
    emptyRepeats();
    checkTiling();
    nameUnread();
    return {};
}

void SnapshotDocument::nameUnread() {
    const std::vector<bool>& unread = m_rows.unreadKeys();
    for (std::size_t key = 1; key < unread.size() && m_made.unreadFields.size() < kMostUnread; ++key)
        if (unread[key]) m_made.unreadFields.push_back(plainLine(m_values.textOf({Kind::Text, key}), 100));
}

}  // namespace plumb
