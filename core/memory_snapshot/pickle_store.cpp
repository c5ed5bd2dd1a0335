// SPDX-License-Identifier: Apache-2.0
#include "core/memory_snapshot/pickle_store.h"

#include "core/memory_snapshot/snapshot_words.h"

#include <bit>

namespace plumb {

using Kind = PickleValue::Kind;

PickleStore::PickleStore() {
    for (const std::string_view word : kSnapshotWords) (void)m_texts.add(word);
}

PickleValue PickleStore::integer(std::int64_t value) {
    if (PickleValue::fits(value)) return PickleValue::integer(value);
    m_wide.push_back(static_cast<std::uint64_t>(value));
    return {Kind::WideInteger, m_wide.size() - 1};
}

PickleValue PickleStore::real(double value) {
    m_wide.push_back(std::bit_cast<std::uint64_t>(value));
    return {Kind::Real, m_wide.size() - 1};
}

PickleValue PickleStore::tuple(std::span<const PickleValue> values) {
    m_scratch.clear();
    for (const PickleValue value : values) {
        m_scratch.push_back(static_cast<std::uint32_t>(value.bits()));
        m_scratch.push_back(static_cast<std::uint32_t>(value.bits() >> 32U));
    }
    return {Kind::Tuple, m_tuples.add(m_scratch)};
}

std::optional<std::int64_t> PickleStore::wholeOf(PickleValue value) const {
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

std::pair<std::int64_t, std::int64_t> PickleStore::wholesOf(PickleValue value) const {
    if (!value.is(Kind::Tuple)) return {0, 0};
    const auto halves = m_tuples[static_cast<std::uint32_t>(value.number())];
    if (halves.size() != 4) return {0, 0};
    const auto part = [&](std::size_t i) {
        const std::uint64_t bits = halves[2 * i] | std::uint64_t{halves[2 * i + 1]} << 32U;
        return wholeOf(PickleValue(static_cast<Kind>(bits & 15U), bits >> 4U)).value_or(0);
    };
    return {part(0), part(1)};
}

std::string PickleStore::plainText(PickleValue value, std::size_t most) const {
    if (value.is(Kind::Text)) return std::string(textOf(value).substr(0, most));
    if (value.is(Kind::Real))
        return std::to_string(static_cast<float>(std::bit_cast<double>(m_wide[value.number()])));
    if (value.is(Kind::True)) return "True";
    if (value.is(Kind::False)) return "False";
    const auto number = wholeOf(value);
    return number ? std::to_string(*number) : "None";
}

std::size_t PickleStore::bytes() const {
    return m_texts.bytes() + m_wide.capacity() * sizeof(m_wide[0]) + m_tuples.bytes();
}

}  // namespace plumb
