// SPDX-License-Identifier: Apache-2.0
#include "core/io/csv_writer.h"

#include "core/base/plain_text.h"
#include "core/io/csv_table.h"

#include <fmt/format.h>

#include <cmath>

namespace plumb {
namespace {

bool beginsLikeAFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

}  // namespace

void CsvWriter::cell(std::string_view text) {
    separate();
    m_text += csvCell((beginsLikeAFormula(text) ? "'" : "") + plainText(text));
}

void CsvWriter::cell(std::optional<double> value) {
    separate();
    if (value && std::isfinite(*value)) m_text += fmt::format("{}", *value);
}

void CsvWriter::cell(std::optional<std::int64_t> value) {
    separate();
    if (value) m_text += fmt::format("{}", *value);
}

void CsvWriter::endRow() {
    m_text += "\r\n";
    m_atStart = true;
}

void CsvWriter::separate() {
    if (!m_atStart) m_text += ',';
    m_atStart = false;
}

}  // namespace plumb
