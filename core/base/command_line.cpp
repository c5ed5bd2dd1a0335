// SPDX-License-Identifier: Apache-2.0
#include "core/base/command_line.h"

#include "core/base/ascii.h"

#include <optional>
#include <utility>

namespace plumb {

namespace {

constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::string_view kKeptInDoubleQuotes = "\"\\$`";
constexpr std::string_view kPlain = "+-./:=@_%,";  // besides letters and digits: what no shell looks at

/// Reads a command line from its beginning to its end.
class CommandLineReader {
public:
    explicit CommandLineReader(std::string_view line) : m_line(line) {}

    [[nodiscard]] Result<std::vector<std::string>> read() {
        for (; m_at < m_line.size(); ++m_at) {
            const char c = m_line[m_at];
            if (c == '\'' || c == '"') {
                PLUMB_CHECK(readQuoted(c));
            } else if (c == '\\') {
                if (m_at + 1 == m_line.size())
                    return badInput("nothing follows the backslash at the end of the command line",
                                    "write it twice to mean a backslash, or take it away");
                word() += m_line[++m_at];
            } else if (kSpaces.find(c) != std::string_view::npos) {
                endWord();
            } else {
                word() += c;
            }
        }
        endWord();
        return std::move(m_words);
    }

private:
    [[nodiscard]] Result<void> readQuoted(char quote) {
        const std::size_t begin = m_at;
        std::string& text = word();
        for (++m_at; m_at < m_line.size(); ++m_at) {
            const char c = m_line[m_at];
            if (c == quote) return {};
            const bool escapes = quote == '"' && c == '\\' && m_at + 1 < m_line.size() &&
                                 kKeptInDoubleQuotes.find(m_line[m_at + 1]) != std::string_view::npos;
            text += escapes ? m_line[++m_at] : c;
        }
        const std::string where = std::to_string(begin + 1);
        return badInput(
            quote == '"' ? "the double quote at character " + where + " of the command line is never closed"
                         : "the single quote at character " + where + " of the command line is never closed",
            "close it, or write \\" + std::string(1, quote) + " to mean the character itself");
    }
    std::string& word() {
        if (!m_word) m_word.emplace();
        return *m_word;
    }
    void endWord() {
        if (m_word) m_words.push_back(*std::exchange(m_word, std::nullopt));
    }

    std::string_view m_line;
    std::size_t m_at = 0;
    std::vector<std::string> m_words;
    std::optional<std::string> m_word;  // the one that is being read; '' begins an empty one
};

}  // namespace

Result<std::vector<std::string>> splitCommandLine(std::string_view line) {
    return CommandLineReader(line).read();
}

std::string quotedWord(std::string_view word) {
    const auto isPlain = [](char c) {
        return isLetter(c) || isDigit(c) || kPlain.find(c) != std::string_view::npos;
    };
    bool plain = !word.empty();
    for (const char c : word) plain = plain && isPlain(c);
    if (plain) return std::string(word);
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'')
            quoted += "'\\''";
        else
            quoted += c;
    }
    return quoted + '\'';
}

std::string joinCommandLine(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) line += (line.empty() ? "" : " ") + quotedWord(word);
    return line;
}

}  // namespace plumb
