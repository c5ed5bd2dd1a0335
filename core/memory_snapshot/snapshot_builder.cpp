// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/snapshot_builder.h"

#include "core/memory_snapshot/snapshot_document.h"
#include "core/memory_snapshot/snapshot_words.h"

#include <array>

namespace plumb {

namespace {

using Kind = PickleValue::Kind;
using Shape = PickleShape;

/// The first key that only one kind of dict has says which. An entry has a name of nothing, so that names
/// come last.
Shape shapeOf(std::span<const PickleValue> items) {
    for (std::size_t i = 0; i < items.size(); i += 2) {
        switch (static_cast<SnapshotWord>(PickleStore::keyOf(items[i]))) {
        case SnapshotWord::Action:
            return Shape::Entry;
        case SnapshotWord::State:
            return Shape::Block;
        case SnapshotWord::Blocks:
            return Shape::Segment;
        case SnapshotWord::Filename:
            return Shape::Frame;
        case SnapshotWord::Stage:
            return Shape::Annotation;
        default:
            break;
        }
    }
    return Shape::Dict;
}

}  // namespace

bool SnapshotBuilder::setItems(PickleValue dict, std::span<const PickleValue> items) {
    if (!dict.is(Kind::Container)) return false;
    const PickleContainers::Place at = m_containers.at(dict);
    if (!at.isDict()) return false;
    if (at.shape != Shape::EmptyDict && at.shape != Shape::Dict)
        m_containers.become(dict, at.shape, m_rows.fill(at.shape, at.number, items));
    else if (const Shape shape = shapeOf(items); shape == Shape::Dict)
        m_containers.addPairs(dict, items);
    else
        become(dict, shape, items);
    return true;
}

void SnapshotBuilder::become(PickleValue dict, Shape shape, std::span<const PickleValue> items) {
    std::uint64_t row = m_rows.add(shape);
    PickleContainers::Pairs before;
    if (m_containers.at(dict).shape == Shape::Dict) before = m_containers.takePairs(dict);
    m_containers.become(dict, shape, row);
    for (const auto& [key, value] : before) row = m_rows.fill(shape, row, std::array{key, value});
    m_containers.become(dict, shape, m_rows.fill(shape, row, items));
}

bool SnapshotBuilder::appendFrames(PickleValue list, std::span<const PickleValue> values) {
    const PickleContainers::Place at = m_containers.at(list);
    m_stack.clear();
    if (at.shape == Shape::Stack) {
        const auto before = m_rows.made().stacks[static_cast<std::uint32_t>(at.number)];
        m_stack.assign(before.begin(), before.end());
    }
    for (const PickleValue value : values) {
        const PickleValue frame = m_containers.resolved(value);
        if (!frame.is(Kind::Frame)) return false;
        m_stack.push_back(static_cast<std::uint32_t>(frame.number()));
    }
    m_containers.become(list, Shape::Stack, m_rows.made().stacks.add(m_stack));
    return true;
}

bool SnapshotBuilder::append(PickleValue list, std::span<const PickleValue> values) {
    if (!list.is(Kind::Container)) return false;
    const PickleContainers::Place at = m_containers.at(list);
    if (at.shape != Shape::EmptyList && at.shape != Shape::List && at.shape != Shape::Stack) return false;
    if (values.empty()) return true;
    if (at.shape != Shape::List) {
        if (appendFrames(list, values)) return true;
        m_containers.becomeList(list);
        if (at.shape == Shape::Stack)
            for (const std::uint32_t frame : m_rows.made().stacks[static_cast<std::uint32_t>(at.number)])
                m_containers.append(list, {Kind::Frame, frame});
    }
    for (const PickleValue value : values) m_containers.append(list, value);
    return true;
}

Result<MemorySnapshot> SnapshotBuilder::finish(PickleValue whole) {
    PLUMB_CHECK(SnapshotDocument(m_values, m_containers, m_rows).take(whole));
    MemorySnapshot& made = m_rows.made();
    made.texts = m_values.takeTexts();
    made.texts.seal();
    made.stacks.seal();
    return std::move(made);
}

}  // namespace plumb
