// SPDX-License-Identifier: Apache-2.0
#include "core/base/table.h"

#include "core/base/plain_text.h"

#include <algorithm>
#include <utility>

namespace plumb {

namespace {

/// Code points; the texts hold no combining or double-width ones.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continuesCharacter(c); }));
}

}  // namespace

void Table::add(std::vector<std::string> row) {
    for (std::string& cell : row) cell = plainLine(cell);
    m_rows.push_back(std::move(row));
}

std::string Table::text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : m_rows) {
        widths.resize(std::max(widths.size(), row.size()), 0);
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string out;
    for (const auto& row : m_rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widths[i] - width(row[i]), ' ');
            if (i > 0) line += "  ";
            line += i < m_wordColumns ? row[i] + padding : padding + row[i];
        }
        line.erase(line.find_last_not_of(' ') + 1);
        out += line + "\n";
    }
    return out;
}

std::string Table::markdown() const {
    std::string out;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        for (const std::string& cell : m_rows[i]) {
            out += "| ";
            for (const char c : cell) out += c == '|' ? "\\|" : std::string(1, c);
            out += ' ';
        }
        out += "|\n";
        if (i > 0) continue;
        for (std::size_t column = 0; column < m_rows[i].size(); ++column)
            out += column < m_wordColumns ? "| --- " : "| ---: ";
        out += "|\n";
    }
    return out;
}

}  // namespace plumb
