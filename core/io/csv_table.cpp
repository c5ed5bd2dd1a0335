// SPDX-License-Identifier: Apache-2.0
#include "core/io/csv_table.h"

#include "core/base/ascii.h"
#include "core/io/file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

namespace plumb {

namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
constexpr std::size_t kShown = 40;  // of a cell, in a message
constexpr std::string_view kCellBlanks = " \t\r";

/// Infinite for a number whose exponent is out of every range.
std::optional<double> numberOf(std::string_view cell) {
    std::string_view text = trimmed(cell, kCellBlanks);
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size()) return std::nullopt;
    if (error == std::errc::result_out_of_range) return std::numeric_limits<double>::infinity();
    if (error != std::errc()) return std::nullopt;
    return value;
}

/// A number that is meant to be finite and is not in fp32. "inf" and "nan" are what they say.
bool isBeyondFp32(std::string_view cell, double value) {
    if (std::isfinite(value)) return !std::isfinite(static_cast<float>(value));
    return !std::isnan(value) && std::any_of(cell.begin(), cell.end(), isDigit);
}

/// Reads rows of cells, one after the other.
class Rows {
public:
    Rows(std::string_view text, char separator) : m_text(text), m_separator(separator) {}

    /// False at the end. Empty lines are passed over. A quote that is not closed takes the rest of the text.
    bool next(std::vector<std::string>& cells) {
        while (m_at < m_text.size() && (m_text[m_at] == '\n' || m_text[m_at] == '\r')) skipBreak();
        if (m_at >= m_text.size()) return false;
        cells.clear();
        for (;;) {
            cells.push_back(cell());
            if (m_at >= m_text.size()) return true;
            if (m_text[m_at] == m_separator) {
                ++m_at;
                continue;
            }
            skipBreak();
            return true;
        }
    }

private:
    void skipBreak() { ++m_at; }
    std::string cell() {
        std::string value;
        bool quoted = false;
        if (m_at < m_text.size() && m_text[m_at] == '"') {
            quoted = true;
            ++m_at;
        }
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (quoted && c == '"') {
                const bool doubled = m_at + 1 < m_text.size() && m_text[m_at + 1] == '"';
                if (!doubled) {
                    quoted = false;
                    continue;
                }
                ++m_at;
            } else if (!quoted && (c == m_separator || c == '\n' || c == '\r')) {
                break;
            }
            value += c;
        }
        return value;
    }

    std::string_view m_text;
    char m_separator;
    std::size_t m_at = 0;
};

/// The one of , ; and tab that the first line has most of.
char separatorOf(std::string_view text) {
    const std::string_view first = text.substr(0, text.find('\n'));
    char best = ',';
    std::ptrdiff_t most = 0;
    for (const char candidate : {',', ';', '\t'}) {
        const auto count = std::count(first.begin(), first.end(), candidate);
        if (count <= most) continue;
        most = count;
        best = candidate;
    }
    return best;
}

std::string shown(std::string_view cell) {
    return std::string(cell.substr(0, kShown)) + (cell.size() > kShown ? "..." : "");
}

}  // namespace

std::vector<std::string> csvCells(std::string_view line) {
    Rows rows(line, ',');
    std::vector<std::string> cells, more;
    const bool isOneLine = rows.next(cells) && !rows.next(more);
    return isOneLine ? cells : std::vector{std::string(line)};
}

std::string csvCell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string cell = "\"";
    for (const char c : text) {
        if (c == '"') cell += '"';
        cell += c;
    }
    return cell + '"';
}

Result<CsvTable> parseCsvTable(std::string_view text, const std::string& path) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    Rows rows(text, separatorOf(text));
    CsvTable table;
    std::vector<std::string> cells;
    bool first = true;
    while (rows.next(cells)) {
        ++table.rows;
        if (first) {
            first = false;
            const bool header = !std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
                return numberOf(cell).has_value();
            });
            for (std::size_t i = 0; i < cells.size(); ++i)
                table.names.push_back(header ? std::string(trimmed(cells[i], kCellBlanks))
                                             : std::to_string(i + 1));
            table.firstRow = header ? 2 : 1;
            if (header) continue;
        }
        if (cells.size() != table.names.size())
            return badFile(path,
                           fmt::format("has {} cells in row {}, and {} in the first one", cells.size(),
                                       table.rows, table.names.size()),
                           "give every row the same columns");
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::optional<double> value = numberOf(cells[i]);
            if (!value)
                return badFile(
                    path,
                    trimmed(cells[i], kCellBlanks).empty()
                        ? fmt::format("has nothing in row {}, column {}", table.rows, table.names[i])
                        : fmt::format("has no number in row {}, column {} ({})", table.rows, table.names[i],
                                      shown(cells[i])),
                    "leave the row or the column out, or put a number there; the decimal sign is a dot");
            if (isBeyondFp32(cells[i], *value))
                return badFile(path,
                               fmt::format("has {} in row {}, column {}, which fp32 cannot hold",
                                           shown(cells[i]), table.rows, table.names[i]),
                               "scale the column, or leave the row or the column out");
            table.values.push_back(static_cast<float>(*value));
        }
    }
    table.rows =
        table.names.empty() ? 0 : static_cast<std::int64_t>(table.values.size() / table.names.size());
    if (table.rows == 0)
        return badFile(path, "has no rows of numbers", "give a row per sample, below a line of column names");
    return table;
}

Result<CsvTable> readCsvTable(const std::string& path) {
    PLUMB_TRY(const std::string text, readFile(path, kMostBytes));
    return parseCsvTable(text, path);
}

}  // namespace plumb
