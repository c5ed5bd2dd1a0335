// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/memory_snapshot/interned.h"
#include "core/memory_snapshot/pickle_value.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb {

/// What the values of a pickle hold that do not fit into eight bytes: texts, wide numbers and tuples. The
/// first texts are kSnapshotWords.
class PickleStore {
public:
    PickleStore();

    [[nodiscard]] PickleValue text(std::string_view text) {
        return {PickleValue::Kind::Text, m_texts.add(text)};
    }
    [[nodiscard]] PickleValue integer(std::int64_t value);
    [[nodiscard]] PickleValue real(double value);
    [[nodiscard]] PickleValue tuple(std::span<const PickleValue> values);

    /// The number of a text; 0, that of the empty one, for what is none.
    [[nodiscard]] static std::uint32_t keyOf(PickleValue value) {
        return value.is(PickleValue::Kind::Text) ? static_cast<std::uint32_t>(value.number()) : 0;
    }
    [[nodiscard]] std::string_view textOf(PickleValue value) const { return m_texts[keyOf(value)]; }
    /// The whole number that a value is, or that is in it; empty for what is no number.
    [[nodiscard]] std::optional<std::int64_t> wholeOf(PickleValue value) const;
    /// Both halves of a pair of whole numbers; zeros for what is none.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> wholesOf(PickleValue value) const;
    /// A text, number or truth as Python writes it, texts of at most `most` characters.
    [[nodiscard]] std::string plainText(PickleValue value, std::size_t most) const;

    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] TextTable takeTexts() { return std::move(m_texts); }

private:
    TextTable m_texts;
    std::vector<std::uint64_t> m_wide;  ///< bits of integers and reals
    SequenceTable m_tuples;             ///< both halves of each value
    std::vector<std::uint32_t> m_scratch;
};

}  // namespace plumb
