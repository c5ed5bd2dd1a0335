// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/read_control.h"

#include <cstddef>
#include <iterator>
#include <string_view>

namespace plumb {

/// A text that a parser walks through character by character: tells how far it is, and ends early where the
/// parser is to stop.
class WatchedText {
public:
    /// Both outlive it.
    WatchedText(std::string_view text, const ReadControl& control) : m_text(text), m_control(control) {
        pass(m_text.data());
    }
    WatchedText(const WatchedText&) = delete;
    WatchedText& operator=(const WatchedText&) = delete;

    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = char;
        using difference_type = std::ptrdiff_t;
        using pointer = const char*;
        using reference = const char&;

        Iterator() = default;
        Iterator(WatchedText& text, const char* at) : m_watched(&text), m_at(at) {}
        const char& operator*() const { return *m_at; }
        Iterator& operator++() {
            if (++m_at >= m_watched->m_next) m_at = m_watched->pass(m_at);
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const { return m_at == other.m_at; }

    private:
        WatchedText* m_watched = nullptr;
        const char* m_at = nullptr;
    };
    [[nodiscard]] Iterator begin() { return {*this, m_text.data()}; }
    [[nodiscard]] Iterator end() { return {*this, m_text.data() + m_text.size()}; }

private:
    static constexpr std::ptrdiff_t kStride = 1 << 20;

    /// Where the parser goes on: at `at`, or at the end where it is to stop.
    const char* pass(const char* at) {
        const char* const end = m_text.data() + m_text.size();
        if (!m_control.isStopped() && !m_text.empty())
            m_control.tell(static_cast<double>(at - m_text.data()) / static_cast<double>(m_text.size()));
        if (m_control.isStopped()) at = end;
        m_next = end - at > kStride ? at + kStride : end;
        return at;
    }

    std::string_view m_text;
    const ReadControl& m_control;
    const char* m_next = nullptr;
};

}  // namespace plumb
