// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace plumb {

/// Rows of RFC 4180: CRLF at the end, cells by csvCell(). Texts are plain (plainText()), with an apostrophe
/// in front of what a spreadsheet would take for a formula, and run.
class CsvWriter {
public:
    void cell(std::string_view text);
    /// The shortest text that reads back as the same number; empty where it is not known.
    void cell(std::optional<double> value);
    void cell(std::optional<std::int64_t> value);
    void endRow();
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void separate();

    std::string m_text;
    bool m_atStart = true;
};

}  // namespace plumb
