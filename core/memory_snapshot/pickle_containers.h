// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/chunked_column.h"
#include "core/memory_snapshot/pickle_value.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace plumb {

/// What a dict or a list of a memory snapshot has turned out to be.
enum class PickleShape : std::uint8_t {
    EmptyDict,
    Dict,
    Entry,
    Block,
    Segment,
    Frame,
    Annotation,
    Note,
    EmptyList,
    List,
    Stack
};

/// The dicts and lists of a pickle: what each of them is by now, and what those hold that are nothing else
/// yet.
class PickleContainers {
public:
    using Pairs = std::vector<std::pair<PickleValue, PickleValue>>;
    /// Equal or consecutive values of a list.
    struct Run {
        PickleValue first;
        std::uint64_t count = 0;
    };
    using Runs = std::vector<Run>;
    struct Place {
        PickleShape shape;
        std::uint64_t number;  ///< of the thing that it is
        [[nodiscard]] bool isDict() const { return shape < PickleShape::EmptyList; }
    };

    [[nodiscard]] PickleValue add(PickleShape empty) {
        m_places.push(static_cast<std::uint64_t>(empty));
        return {PickleValue::Kind::Container, m_places.size() - 1};
    }
    /// Pre, here and below: `container` is one.
    [[nodiscard]] Place at(PickleValue container) const {
        const std::uint64_t packed = m_places[container.number()];
        return {static_cast<PickleShape>(packed & 15U), packed >> 4U};
    }
    void become(PickleValue container, PickleShape shape, std::uint64_t number) {
        m_places[container.number()] = number << 4U | static_cast<std::uint64_t>(shape);
    }
    /// The value itself, or the entry, block or frame that a container has become.
    [[nodiscard]] PickleValue resolved(PickleValue value) const;
    /// What a value holds that is a list or a dict and nothing else; null for others.
    [[nodiscard]] const Runs* listOf(PickleValue value) const;
    [[nodiscard]] const Pairs* pairsOf(PickleValue value) const;

    /// Keys and values by turns. Pre: an empty dict, or one that is nothing else.
    void addPairs(PickleValue dict, std::span<const PickleValue> items);
    /// What `dict` held, which becomes something else. Pre: a dict that is nothing else.
    [[nodiscard]] Pairs takePairs(PickleValue dict);
    /// Makes a list of what is an empty one or a stack.
    void becomeList(PickleValue list);
    /// Pre: a list that is nothing else.
    void append(PickleValue list, PickleValue value);

    /// About what it takes in memory.
    [[nodiscard]] std::size_t bytes() const { return m_places.bytes() + m_looseBytes; }

private:
    ChunkedColumn<std::uint64_t> m_places;  ///< number, and in the low four bits the shape
    std::vector<Pairs> m_dicts;
    std::vector<Runs> m_lists;
    std::vector<std::uint64_t> m_freeDicts;  ///< numbers of m_dicts that became something else
    std::size_t m_looseBytes = 0;            ///< about what m_dicts and m_lists hold
};

}  // namespace plumb
