// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_containers.h"

#include <algorithm>

namespace plumb {

using Kind = PickleValue::Kind;
using Shape = PickleShape;

PickleValue PickleContainers::resolved(PickleValue value) const {
    if (!value.is(Kind::Container)) return value;
    const Place place = at(value);
    if (place.shape == Shape::Entry) return {Kind::Entry, place.number};
    if (place.shape == Shape::Block) return {Kind::Block, place.number};
    if (place.shape == Shape::Frame) return {Kind::Frame, place.number};
    return value;
}

const PickleContainers::Runs* PickleContainers::listOf(PickleValue value) const {
    if (!value.is(Kind::Container)) return nullptr;
    const Place place = at(value);
    return place.shape == Shape::List ? &m_lists[place.number] : nullptr;
}

const PickleContainers::Pairs* PickleContainers::pairsOf(PickleValue value) const {
    if (!value.is(Kind::Container)) return nullptr;
    const Place place = at(value);
    return place.shape == Shape::Dict ? &m_dicts[place.number] : nullptr;
}

void PickleContainers::addPairs(PickleValue dict, std::span<const PickleValue> items) {
    if (at(dict).shape == Shape::EmptyDict) {
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
    Pairs& pairs = m_dicts[at(dict).number];
    for (std::size_t i = 0; i < items.size(); i += 2) pairs.emplace_back(items[i], resolved(items[i + 1]));
    m_looseBytes += items.size() * sizeof(PickleValue) * 2;  // a vector that grows has room for twice as many
}

PickleContainers::Pairs PickleContainers::takePairs(PickleValue dict) {
    const std::uint64_t number = at(dict).number;
    Pairs pairs = std::exchange(m_dicts[number], Pairs());
    m_freeDicts.push_back(number);
    m_looseBytes -= std::min(m_looseBytes, pairs.size() * sizeof(PickleValue) * 4);
    return pairs;
}

void PickleContainers::becomeList(PickleValue list) {
    m_lists.emplace_back();
    m_looseBytes += sizeof(Runs);
    become(list, Shape::List, m_lists.size() - 1);
}

void PickleContainers::append(PickleValue list, PickleValue value) {
    Runs& runs = m_lists[at(list).number];
    value = resolved(value);
    if (!runs.empty()) {
        Run& last = runs.back();
        if ((value.is(Kind::Entry) || value.is(Kind::Block)) && last.first.is(value.kind()) &&
            value.number() == last.first.number() + last.count) {
            ++last.count;
            return;
        }
    }
    runs.push_back({value, 1});
    m_looseBytes += 2 * sizeof(Run);
}

}  // namespace plumb
