// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <string_view>

namespace plumb::lab {

/// A place in the text of steps: what comes next there, and errors that say where it is. Numbers and signs
/// skip the blanks before them.
class StepCursor {
public:
    explicit StepCursor(std::string_view text) : m_text(text) {}

    [[nodiscard]] bool atEnd() const { return m_at == m_text.size(); }
    [[nodiscard]] char here() const { return atEnd() ? '\0' : m_text[m_at]; }
    /// Behind the next character; 0 at the end.
    [[nodiscard]] char next() const { return m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0'; }
    [[nodiscard]] std::string_view rest() const { return m_text.substr(m_at); }
    [[nodiscard]] std::size_t position() const { return m_at; }
    [[nodiscard]] std::string_view since(std::size_t begin) const {
        return m_text.substr(begin, m_at - begin);
    }
    void returnTo(std::size_t position) { m_at = position; }
    void skip(std::size_t characters = 1) { m_at += characters; }
    void skipBlanks();

    /// Skips blanks, then `c`; false where something else comes.
    bool take(char c);
    [[nodiscard]] bool atName() const;
    /// Skips a name; empty where none begins.
    std::string_view name();
    /// One of `signs` that is no part of ** or of an assignment; 0 for none.
    [[nodiscard]] char operatorHere(std::string_view signs);
    [[nodiscard]] bool atNumber();
    /// Errors: BadInput where no whole number of 64 bits stands.
    [[nodiscard]] Result<std::int64_t> number();
    [[nodiscard]] bool atScalar() const;
    /// Errors: BadInput where no number stands that fp64 holds.
    [[nodiscard]] Result<double> scalar();

    [[nodiscard]] Error bad(std::string_view what, std::string_view hint) const;
    [[nodiscard]] Error unexpected(std::string_view wanted) const;

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

}  // namespace plumb::lab
