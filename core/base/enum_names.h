// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

/// The text of each enumerator, as files, messages and the command line have it: what writes and what reads
/// use the same table. A range of pairs, in the order in which they are offered.
template <class Enum, std::size_t kCount>
class EnumNames {
public:
    using Entry = std::pair<Enum, std::string_view>;
    explicit constexpr EnumNames(const Entry (&entries)[kCount]) : m_entries(std::to_array(entries)) {}

    /// Empty for an enumerator that is not in the table.
    [[nodiscard]] constexpr std::string_view name(Enum value) const {
        for (const auto& [entry, text] : m_entries)
            if (entry == value) return text;
        return {};
    }
    [[nodiscard]] constexpr std::optional<Enum> find(std::string_view text) const {
        for (const auto& [entry, name] : m_entries)
            if (name == text) return entry;
        return std::nullopt;
    }
    /// "a, b, c", for messages.
    [[nodiscard]] std::string list() const {
        std::string all;
        for (const auto& [entry, text] : m_entries) (all += all.empty() ? "" : ", ") += text;
        return all;
    }
    [[nodiscard]] constexpr auto begin() const { return m_entries.begin(); }
    [[nodiscard]] constexpr auto end() const { return m_entries.end(); }
    [[nodiscard]] constexpr std::size_t size() const { return kCount; }
    [[nodiscard]] constexpr const Entry& at(std::size_t index) const { return m_entries.at(index); }

private:
    std::array<Entry, kCount> m_entries;
};

/// enumNames<Colour>({{Colour::Red, "red"}, {Colour::Blue, "blue"}})
template <class Enum, std::size_t kCount>
[[nodiscard]] constexpr EnumNames<Enum, kCount>
enumNames(const std::pair<Enum, std::string_view> (&entries)[kCount]) {
    return EnumNames<Enum, kCount>(entries);
}

}  // namespace plumb
