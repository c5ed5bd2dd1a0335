// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/snapshot_rows.h"

#include "core/memory_snapshot/snapshot_words.h"

#include <algorithm>
#include <array>

namespace plumb {

namespace {

using Kind = PickleValue::Kind;
using Shape = PickleShape;
using Word = SnapshotWord;

constexpr Bytes kMostBytes = Bytes{1} << 50;  // a petabyte: no device has more
constexpr std::size_t kMostOtherActions = 200;
constexpr std::size_t kMostNote = 256;  // characters of each part of a note
constexpr std::size_t kMostParts = 8;

Word wordOf(std::uint32_t key) {
    return key < static_cast<std::uint32_t>(Word::Count) ? static_cast<Word>(key) : Word::None;
}

}  // namespace

std::size_t SnapshotRows::bytes() const {
    constexpr std::size_t kStream = 64;  // about what an entry of the map takes
    return m_made.bytes() + m_frameIndex.bytes() + m_blocks.bytes() +
           m_segments.capacity() * sizeof(RawSegment) + m_streamNumbers.size() * kStream;
}

std::uint64_t SnapshotRows::add(Shape shape) {
    if (shape == Shape::Frame) return frameNumber({});
    if (shape == Shape::Entry) {
        MemoryEntries& entries = m_made.entries;
        entries.action.push(static_cast<std::uint8_t>(MemoryAction::Other));
        entries.address.push(0);
        entries.size.push(0);
        entries.time.push(0);
        entries.stack.push(0);
        entries.stream.push(streamNumber(0));
        entries.category.push(0);
        entries.note.push(0);
        return entries.count() - 1;
    }
    if (shape == Shape::Block) {
        m_blocks.push({});
        return m_blocks.size() - 1;
    }
    if (shape == Shape::Segment) {
        m_segments.emplace_back();
        return m_segments.size() - 1;
    }
    m_made.annotations.emplace_back();
    return m_made.annotations.size() - 1;
}

std::uint64_t SnapshotRows::fill(Shape shape, std::uint64_t row, std::span<const PickleValue> items) {
    if (shape == Shape::Frame) return frameNumber(frameWith(m_made.frames[row], items));
    for (std::size_t i = 0; i < items.size(); i += 2) {
        const std::uint32_t key = PickleStore::keyOf(items[i]);
        if (shape == Shape::Entry) setEntry(row, key, items[i + 1]);
        if (shape == Shape::Block) setBlock(row, key, items[i + 1]);
        if (shape == Shape::Segment) setSegment(row, key, items[i + 1]);
        if (shape == Shape::Annotation) setAnnotation(row, key, items[i + 1]);
    }
    return row;
}

void SnapshotRows::setEntry(std::uint64_t row, std::uint32_t key, PickleValue value) {
    MemoryEntries& entries = m_made.entries;
    switch (wordOf(key)) {
    case Word::Action:
        entries.action[row] = actionOf(value);
        break;
    case Word::Addr:
    case Word::DeviceFree:
        entries.address[row] = whole(value);
        break;
    case Word::Size:
        entries.size[row] = size(value);
        break;
    case Word::TimeUs:
        entries.time[row] = whole(value);
        break;
    case Word::Stream:
        entries.stream[row] = streamNumber(whole(value));
        break;
    case Word::Frames:
        entries.stack[row] = stackOf(value);
        break;
    case Word::Category:
        entries.category[row] = textNumber(value);
        break;
    case Word::UserMetadata:
        entries.note[row] = noteOf(value);
        break;
    default:
        unread(key);
    }
}

void SnapshotRows::setBlock(std::uint64_t row, std::uint32_t key, PickleValue value) {
    MemoryBlock& block = m_blocks[row].block;
    switch (wordOf(key)) {
    case Word::Address:
        block.address = whole(value);
        m_blocks[row].hasAddress = true;
        break;
    case Word::Size:
        block.bytes = size(value);
        if (block.requested == 0) block.requested = block.bytes;
        break;
    case Word::RequestedSize:
        block.requested = size(value);
        break;
    case Word::State:
        // Documents of old call the second "active_awaiting_free".
        block.state = m_values.textOf(value) == "inactive"           ? BlockState::Inactive
                      : m_values.textOf(value) == "active_allocated" ? BlockState::Active
                                                                     : BlockState::PendingFree;
        break;
    case Word::Frames:
        block.stack = stackOf(value);
        break;
    case Word::Category:
        block.category = textNumber(value);
        break;
    case Word::History: {
        // Before 2.1 what a block holds stood in the newest of its history.
        const PickleContainers::Runs* history = m_containers.listOf(value);
        const PickleContainers::Pairs* newest =
            history != nullptr ? m_containers.pairsOf(history->front().first) : nullptr;
        if (newest == nullptr) break;
        for (const auto& [name, held] : *newest) {
            if (wordOf(PickleStore::keyOf(name)) == Word::RealSize) block.requested = size(held);
            if (wordOf(PickleStore::keyOf(name)) == Word::Frames) block.stack = stackOf(held);
        }
        break;
    }
    default:
        unread(key);
    }
}

void SnapshotRows::setSegment(std::uint64_t row, std::uint32_t key, PickleValue value) {
    MemorySegment& segment = m_segments[row].segment;
    switch (wordOf(key)) {
    case Word::Device:
        segment.device = whole(value);
        break;
    case Word::Address:
        segment.address = whole(value);
        break;
    case Word::TotalSize:
        segment.bytes = size(value);
        break;
    case Word::Stream:
        segment.stream = whole(value);
        break;
    case Word::SegmentType:
        segment.type = textNumber(value);
        break;
    case Word::SegmentPoolId:
        segment.pool = m_values.wholesOf(value);
        break;
    case Word::IsExpandable:
        segment.isExpandable = value.is(Kind::True);
        break;
    case Word::Frames:
        segment.stack = stackOf(value);
        break;
    case Word::Blocks:
        m_segments[row].blocks = value;
        break;
    case Word::AllocatedSize:  // sums of the blocks, which are counted
    case Word::ActiveSize:
    case Word::RequestedSize:
        break;
    default:
        unread(key);
    }
}

void SnapshotRows::setAnnotation(std::uint64_t row, std::uint32_t key, PickleValue value) {
    MemoryAnnotation& annotation = m_made.annotations[row];
    switch (wordOf(key)) {
    case Word::Name:
        annotation.name = textNumber(value);
        break;
    case Word::Stage:
        annotation.isEnd = m_values.textOf(value) == "END";
        break;
    case Word::Device:
        annotation.device = whole(value);
        break;
    case Word::TimeUs:
        annotation.time = whole(value);
        break;
    default:
        unread(key);
    }
}

MemoryFrame SnapshotRows::frameWith(MemoryFrame frame, std::span<const PickleValue> items) {
    for (std::size_t i = 0; i < items.size(); i += 2) {
        switch (wordOf(PickleStore::keyOf(items[i]))) {
        case Word::Name:
            frame.name = textNumber(items[i + 1]);
            break;
        case Word::Filename:
            frame.file = textNumber(items[i + 1]);
            break;
        case Word::Line:
            frame.line = whole(items[i + 1]);
            break;
        default:
            unread(PickleStore::keyOf(items[i]));
        }
    }
    return frame;
}

std::uint32_t SnapshotRows::frameNumber(const MemoryFrame& frame) {
    const std::array<std::uint64_t, 2> parts{std::uint64_t{frame.name} << 32U | frame.file,
                                             static_cast<std::uint64_t>(frame.line)};
    const auto next = static_cast<std::uint32_t>(m_made.frames.size());
    const std::uint32_t number =
        m_frameIndex.findOrNote(seededHash({reinterpret_cast<const char*>(parts.data()), sizeof parts}), next,
                                [&](std::uint32_t other) { return m_made.frames[other] == frame; });
    if (number == next) m_made.frames.push_back(frame);
    return number;
}

std::int64_t SnapshotRows::whole(PickleValue value) {
    const auto number = m_values.wholeOf(value);
    if (!number && !value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return number.value_or(0);
}

Bytes SnapshotRows::size(PickleValue value) {
    const std::int64_t number = whole(value);
    if (number >= 0 && number <= kMostBytes) return number;
    m_made.findings.count(number < 0 ? MemoryFinding::NegativeSize : MemoryFinding::SizeOutOfRange);
    return 0;
}

std::uint32_t SnapshotRows::textNumber(PickleValue value) {
    if (!value.is(Kind::Text) && !value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return PickleStore::keyOf(value);
}

std::uint32_t SnapshotRows::stackOf(PickleValue value) {
    if (value.is(Kind::Container)) {
        const PickleContainers::Place at = m_containers.at(value);
        if (at.shape == Shape::Stack) return static_cast<std::uint32_t>(at.number);
        if (at.shape == Shape::EmptyList) return 0;
    }
    if (!value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return 0;
}

std::uint32_t SnapshotRows::streamNumber(std::int64_t stream) {
    const auto [place, isNew] =
        m_streamNumbers.try_emplace(stream, static_cast<std::uint32_t>(m_made.streams.size()));
    if (isNew) m_made.streams.push_back(stream);
    return place->second;
}

std::uint8_t SnapshotRows::actionOf(PickleValue value) {
    const std::string_view name = m_values.textOf(value);
    if (const auto known = kMemoryActionNames.find(name)) return static_cast<std::uint8_t>(*known);
    m_made.findings.count(MemoryFinding::UnknownAction);
    auto& others = m_made.otherActions;
    auto found = std::ranges::find(others, name.substr(0, kMostNote));
    if (found == others.end()) {
        if (others.size() >= kMostOtherActions) return static_cast<std::uint8_t>(MemoryAction::Other);
        others.emplace_back(name.substr(0, kMostNote));
        found = others.end() - 1;
    }
    return static_cast<std::uint8_t>(static_cast<std::ptrdiff_t>(MemoryAction::Other) + 1 +
                                     (found - others.begin()));
}

void SnapshotRows::unread(std::uint32_t key) {
    if (key >= m_unread.size()) m_unread.resize(key + 1);
    m_unread[key] = true;
}

std::uint32_t SnapshotRows::noteOf(PickleValue value) {
    if (!value.is(Kind::Container)) return PickleStore::keyOf(value);
    const PickleContainers::Place at = m_containers.at(value);
    if (at.shape == Shape::Note) return static_cast<std::uint32_t>(at.number);
    if (at.shape != Shape::Dict) return 0;
    // The dict itself is not needed any more: files of newer versions have one for each entry.
    const PickleContainers::Pairs pairs = m_containers.takePairs(value);
    std::string note;
    for (const auto& [key, held] : std::span(pairs).first(std::min(kMostParts, pairs.size())))
        note += (note.empty() ? "" : ", ") + m_values.plainText(key, kMostNote) + "=" +
                m_values.plainText(held, kMostNote);
    const auto number = static_cast<std::uint32_t>(m_values.text(note).number());
    m_containers.become(value, Shape::Note, number);
    return number;
}

}  // namespace plumb
