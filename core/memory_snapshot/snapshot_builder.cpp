// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/snapshot_builder.h"

#include "core/memory_snapshot/snapshot_words.h"

#include <algorithm>
#include <bit>

namespace plumb {

namespace {

using Word = SnapshotWord;

constexpr Bytes kMostBytes = Bytes{1} << 50;  // a petabyte: no device has more
constexpr std::size_t kMostOtherActions = 200;
constexpr std::size_t kMostNote = 256;  // characters of each part of a note
constexpr std::size_t kMostParts = 8;

Word wordOf(std::uint32_t key) {
    return key < static_cast<std::uint32_t>(Word::Count) ? static_cast<Word>(key) : Word::None;
}

}  // namespace

SnapshotBuilder::SnapshotBuilder() {
    for (const std::string_view word : kSnapshotWords) (void)m_made.texts.add(word);
}

PickleValue SnapshotBuilder::text(std::string_view text) { return {Kind::Text, m_made.texts.add(text)}; }

PickleValue SnapshotBuilder::integer(std::int64_t value) {
    if (PickleValue::fits(value)) return PickleValue::integer(value);
    m_wide.push_back(static_cast<std::uint64_t>(value));
    return {Kind::WideInteger, m_wide.size() - 1};
}

PickleValue SnapshotBuilder::real(double value) {
    m_wide.push_back(std::bit_cast<std::uint64_t>(value));
    return {Kind::Real, m_wide.size() - 1};
}

PickleValue SnapshotBuilder::tuple(std::span<const PickleValue> values) {
    m_scratch.clear();
    for (const PickleValue value : values) {
        m_scratch.push_back(static_cast<std::uint32_t>(value.bits()));
        m_scratch.push_back(static_cast<std::uint32_t>(value.bits() >> 32U));
    }
    return {Kind::Tuple, m_tuples.add(m_scratch)};
}

PickleValue SnapshotBuilder::emptyDict() {
    m_containers.push(static_cast<std::uint64_t>(Shape::EmptyDict));
    return {Kind::Container, m_containers.size() - 1};
}

PickleValue SnapshotBuilder::emptyList() {
    m_containers.push(static_cast<std::uint64_t>(Shape::EmptyList));
    return {Kind::Container, m_containers.size() - 1};
}

SnapshotBuilder::Container SnapshotBuilder::container(PickleValue value) const {
    const std::uint64_t packed = m_containers[value.number()];
    return {static_cast<Shape>(packed & 15U), packed >> 4U};
}

void SnapshotBuilder::become(PickleValue value, Shape shape, std::uint64_t number) {
    m_containers[value.number()] = number << 4U | static_cast<std::uint64_t>(shape);
}

PickleValue SnapshotBuilder::resolved(PickleValue value) const {
    if (!value.is(Kind::Container)) return value;
    const Container at = container(value);
    if (at.shape == Shape::Entry) return {Kind::Entry, at.number};
    if (at.shape == Shape::Block) return {Kind::Block, at.number};
    if (at.shape == Shape::Frame) return {Kind::Frame, at.number};
    return value;
}

std::uint32_t SnapshotBuilder::keyOf(PickleValue value) const {
    return value.is(Kind::Text) ? static_cast<std::uint32_t>(value.number()) : 0;
}

std::string_view SnapshotBuilder::textOf(PickleValue value) const {
    return value.is(Kind::Text) ? m_made.texts[keyOf(value)] : std::string_view();
}

std::size_t SnapshotBuilder::bytes() const {
    return m_made.bytes() + m_frameIndex.bytes() + m_containers.bytes() +
           m_wide.capacity() * sizeof(m_wide[0]) + m_tuples.bytes() + m_blocks.bytes() +
           m_segments.capacity() * sizeof(RawSegment) + m_looseBytes;
}

bool SnapshotBuilder::setItems(PickleValue dict, std::span<const PickleValue> items) {
    if (!dict.is(Kind::Container)) return false;
    const Container at = container(dict);
    if (at.shape == Shape::EmptyList || at.shape == Shape::List || at.shape == Shape::Stack) return false;
    if (at.shape != Shape::EmptyDict && at.shape != Shape::Dict) {
        fill(dict, at.shape, at.number, items);
        return true;
    }
    // The first key that only one kind of dict has. An entry has a name of nothing, so that names come last.
    Shape shape = Shape::Dict;
    for (std::size_t i = 0; i < items.size() && shape == Shape::Dict; i += 2) {
        switch (wordOf(keyOf(items[i]))) {
        case Word::Action:
            shape = Shape::Entry;
            break;
        case Word::State:
            shape = Shape::Block;
            break;
        case Word::Blocks:
            shape = Shape::Segment;
            break;
        case Word::Filename:
            shape = Shape::Frame;
            break;
        case Word::Stage:
            shape = Shape::Annotation;
            break;
        default:
            break;
        }
    }
    if (at.shape == Shape::EmptyDict && shape == Shape::Dict) {
        std::uint64_t number = m_dicts.size();
        if (m_freeDicts.empty()) {
            m_dicts.emplace_back();
            m_looseBytes += sizeof(Pairs) + sizeof(std::uint64_t);
        } else {
            number = m_freeDicts.back();
            m_freeDicts.pop_back();
        }
        become(dict, Shape::Dict, number);
    }
    if (shape == Shape::Dict) {
        Pairs& pairs = m_dicts[container(dict).number];
        for (std::size_t i = 0; i < items.size(); i += 2)
            pairs.emplace_back(items[i], resolved(items[i + 1]));
        m_looseBytes +=
            items.size() * sizeof(PickleValue) * 2;  // a vector that grows has room for twice as many
        return true;
    }
    const std::uint64_t number = shape == Shape::Frame ? frameNumber({}) : newRow(shape);
    become(dict, shape, number);
    if (at.shape == Shape::Dict) {
        const Pairs pairs = std::exchange(m_dicts[at.number], Pairs());
        m_freeDicts.push_back(at.number);
        m_looseBytes -= std::min(m_looseBytes, pairs.size() * sizeof(PickleValue) * 4);
        for (const auto& [key, value] : pairs)
            fill(dict, shape, container(dict).number, std::array{key, value});
    }
    fill(dict, shape, container(dict).number, items);
    return true;
}

std::uint64_t SnapshotBuilder::newRow(Shape shape) {
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

void SnapshotBuilder::fill(PickleValue dict, Shape shape, std::uint64_t number,
                           std::span<const PickleValue> items) {
    if (shape == Shape::Frame) {
        const MemoryFrame frame = m_made.frames[number];
        become(dict, Shape::Frame, frameNumber(frameWith(frame, items)));
        return;
    }
    for (std::size_t i = 0; i < items.size(); i += 2) {
        const std::uint32_t key = keyOf(items[i]);
        if (shape == Shape::Entry) setEntry(number, key, items[i + 1]);
        if (shape == Shape::Block) setBlock(number, key, items[i + 1]);
        if (shape == Shape::Segment) setSegment(number, key, items[i + 1]);
        if (shape == Shape::Annotation) setAnnotation(number, key, items[i + 1]);
    }
}

void SnapshotBuilder::setEntry(std::uint64_t row, std::uint32_t key, PickleValue value) {
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

void SnapshotBuilder::setBlock(std::uint64_t row, std::uint32_t key, PickleValue value) {
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
        block.state = textOf(value) == "inactive"           ? BlockState::Inactive
                      : textOf(value) == "active_allocated" ? BlockState::Active
                                                            : BlockState::PendingFree;
        break;
    case Word::Frames:
        block.stack = stackOf(value);
        break;
    case Word::History: {
        // Before 2.1 what a block holds stood in the newest of its history.
        const Runs* history = listOf(value);
        const Pairs* newest = history != nullptr ? pairsOf(history->front().first) : nullptr;
        if (newest == nullptr) break;
        for (const auto& [name, held] : *newest) {
            if (wordOf(keyOf(name)) == Word::RealSize) block.requested = size(held);
            if (wordOf(keyOf(name)) == Word::Frames) block.stack = stackOf(held);
        }
        break;
    }
    default:
        unread(key);
    }
}

void SnapshotBuilder::setSegment(std::uint64_t row, std::uint32_t key, PickleValue value) {
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
        segment.pool = poolOf(value);
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

void SnapshotBuilder::setAnnotation(std::uint64_t row, std::uint32_t key, PickleValue value) {
    MemoryAnnotation& annotation = m_made.annotations[row];
    switch (wordOf(key)) {
    case Word::Name:
        annotation.name = textNumber(value);
        break;
    case Word::Stage:
        annotation.isEnd = textOf(value) == "END";
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

MemoryFrame SnapshotBuilder::frameWith(MemoryFrame frame, std::span<const PickleValue> items) {
    for (std::size_t i = 0; i < items.size(); i += 2) {
        switch (wordOf(keyOf(items[i]))) {
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
            unread(keyOf(items[i]));
        }
    }
    return frame;
}

std::uint32_t SnapshotBuilder::frameNumber(const MemoryFrame& frame) {
    const std::array<std::uint64_t, 2> parts{std::uint64_t{frame.name} << 32U | frame.file,
                                             static_cast<std::uint64_t>(frame.line)};
    const auto next = static_cast<std::uint32_t>(m_made.frames.size());
    const std::uint32_t number =
        m_frameIndex.findOrNote(seededHash({reinterpret_cast<const char*>(parts.data()), sizeof parts}), next,
                                [&](std::uint32_t other) { return m_made.frames[other] == frame; });
    if (number == next) m_made.frames.push_back(frame);
    return number;
}

void SnapshotBuilder::appendRun(Runs& runs, PickleValue value, std::uint64_t count) {
    if (!runs.empty()) {
        Run& last = runs.back();
        if ((value.is(Kind::Entry) || value.is(Kind::Block)) && last.first.is(value.kind()) &&
            value.number() == last.first.number() + last.count) {
            last.count += count;
            return;
        }
    }
    runs.push_back({value, count});
    m_looseBytes += 2 * sizeof(Run);
}

bool SnapshotBuilder::appendFrames(PickleValue list, Container at, std::span<const PickleValue> values) {
    m_scratch.clear();
    if (at.shape == Shape::Stack) {
        const auto before = m_made.stacks[static_cast<std::uint32_t>(at.number)];
        m_scratch.assign(before.begin(), before.end());
    }
    for (const PickleValue value : values) {
        const PickleValue frame = resolved(value);
        if (!frame.is(Kind::Frame)) return false;
        m_scratch.push_back(static_cast<std::uint32_t>(frame.number()));
    }
    become(list, Shape::Stack, m_made.stacks.add(m_scratch));
    return true;
}

bool SnapshotBuilder::append(PickleValue list, std::span<const PickleValue> values) {
    if (!list.is(Kind::Container)) return false;
    Container at = container(list);
    if (at.shape != Shape::EmptyList && at.shape != Shape::List && at.shape != Shape::Stack) return false;
    if (values.empty()) return true;
    if (at.shape != Shape::List) {
        if (appendFrames(list, at, values)) return true;
        m_lists.emplace_back();
        m_looseBytes += sizeof(Runs);
        if (at.shape == Shape::Stack)
            for (const std::uint32_t frame : m_made.stacks[static_cast<std::uint32_t>(at.number)])
                appendRun(m_lists.back(), {Kind::Frame, frame});
        become(list, Shape::List, m_lists.size() - 1);
        at = container(list);
    }
    for (const PickleValue value : values) appendRun(m_lists[at.number], resolved(value));
    return true;
}

std::optional<std::int64_t> SnapshotBuilder::wholeOf(PickleValue value) const {
    switch (value.kind()) {
    case Kind::Integer:
        return value.integer();
    case Kind::WideInteger:
        return static_cast<std::int64_t>(m_wide[value.number()]);
    case Kind::False:
        return 0;
    case Kind::True:
        return 1;
    case Kind::Real: {
        const auto real = std::bit_cast<double>(m_wide[value.number()]);
        if (real > -9e18 && real < 9e18) return static_cast<std::int64_t>(real);
        return std::nullopt;
    }
    default:
        return std::nullopt;
    }
}

std::int64_t SnapshotBuilder::whole(PickleValue value) {
    const auto number = wholeOf(value);
    if (!number && !value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return number.value_or(0);
}

Bytes SnapshotBuilder::size(PickleValue value) {
    const std::int64_t number = whole(value);
    if (number >= 0 && number <= kMostBytes) return number;
    m_made.findings.count(number < 0 ? MemoryFinding::NegativeSize : MemoryFinding::SizeOutOfRange);
    return 0;
}

std::uint32_t SnapshotBuilder::textNumber(PickleValue value) {
    if (!value.is(Kind::Text) && !value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return keyOf(value);
}

std::uint32_t SnapshotBuilder::stackOf(PickleValue value) {
    if (value.is(Kind::Container)) {
        const Container at = container(value);
        if (at.shape == Shape::Stack) return static_cast<std::uint32_t>(at.number);
        if (at.shape == Shape::EmptyList) return 0;
    }
    if (!value.is(Kind::None)) m_made.findings.count(MemoryFinding::WrongType);
    return 0;
}

std::uint32_t SnapshotBuilder::streamNumber(std::int64_t stream) {
    const auto [place, isNew] =
        m_streamNumbers.try_emplace(stream, static_cast<std::uint32_t>(m_made.streams.size()));
    if (isNew) {
        m_made.streams.push_back(stream);
        m_looseBytes += 64;  // about what an entry of the map takes
    }
    return place->second;
}

std::uint8_t SnapshotBuilder::actionOf(PickleValue value) {
    const std::string_view name = textOf(value);
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

std::string SnapshotBuilder::shortText(PickleValue value) const {
    if (value.is(Kind::Text)) return std::string(textOf(value).substr(0, kMostNote));
    if (value.is(Kind::Real))
        return std::to_string(static_cast<float>(std::bit_cast<double>(m_wide[value.number()])));
    if (value.is(Kind::True)) return "True";
    if (value.is(Kind::False)) return "False";
    const auto number = wholeOf(value);
    return number ? std::to_string(*number) : "None";
}

std::uint32_t SnapshotBuilder::noteOf(PickleValue value) {
    if (!value.is(Kind::Container)) return keyOf(value);
    const Container at = container(value);
    if (at.shape == Shape::Note) return static_cast<std::uint32_t>(at.number);
    if (at.shape != Shape::Dict) return 0;
    std::string note;
    for (const auto& [key, held] :
         std::span(m_dicts[at.number]).first(std::min(kMostParts, m_dicts[at.number].size())))
        note += (note.empty() ? "" : ", ") + shortText(key) + "=" + shortText(held);
    const std::uint32_t number = m_made.texts.add(note);
    // The dict itself is not needed any more: files of newer versions have one for each entry.
    m_looseBytes -= std::min(m_looseBytes, m_dicts[at.number].size() * sizeof(PickleValue) * 4);
    m_dicts[at.number] = Pairs();
    m_freeDicts.push_back(at.number);
    become(value, Shape::Note, number);
    return number;
}

std::pair<std::int64_t, std::int64_t> SnapshotBuilder::poolOf(PickleValue value) {
    if (!value.is(Kind::Tuple)) return {0, 0};
    const auto halves = m_tuples[static_cast<std::uint32_t>(value.number())];
    if (halves.size() != 4) return {0, 0};
    const auto part = [&](std::size_t i) {
        const std::uint64_t bits = halves[2 * i] | std::uint64_t{halves[2 * i + 1]} << 32U;
        return wholeOf(PickleValue(static_cast<Kind>(bits & 15U), bits >> 4U)).value_or(0);
    };
    return {part(0), part(1)};
}

void SnapshotBuilder::unread(std::uint32_t key) {
    if (key >= m_unread.size()) m_unread.resize(key + 1);
    m_unread[key] = true;
}

}  // namespace plumb
