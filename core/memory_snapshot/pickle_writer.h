// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

namespace plumb {

/// Writes a pickle of protocol 2, which every reader of PyTorch's snapshots knows. Each text stands in it
/// once.
class PickleWriter {
public:
    PickleWriter();
    void text(std::string_view text);
    void whole(std::int64_t value);
    void boolean(bool value);
    void beginDict() { m_bytes += "}("; }
    void endDict() { m_bytes += 'u'; }
    void beginList() { m_bytes += "]("; }
    void endList() { m_bytes += 'e'; }
    /// Ends a stretch of a list and begins the next one: readers hold a stretch on their stack.
    void nextStretch() { m_bytes += "e("; }
    void emptyList() { m_bytes += ']'; }
    /// The two values before become a tuple.
    void pair() { m_bytes += '\x86'; }
    /// Notes the value before; refer() puts it in again.
    [[nodiscard]] std::uint32_t note();
    void refer(std::uint32_t number);
    /// The whole pickle. Call it last.
    [[nodiscard]] std::string take();

private:
    void number(std::uint64_t value, std::size_t bytes);
    std::string m_bytes;
    std::unordered_map<std::string, std::uint32_t> m_texts;
    std::uint32_t m_noted = 0;
};

}  // namespace plumb
