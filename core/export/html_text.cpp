// SPDX-License-Identifier: Apache-2.0
#include "core/export/html_text.h"

#include "core/base/plain_text.h"
#include "core/base/words.h"

#include <fmt/format.h>

#include <cmath>

namespace plumb {
namespace {

const std::string kUnknownCell = "<td class=\"n\">–</td>";

}  // namespace

std::string htmlText(std::string_view text) {
    std::string escaped;
    for (const char c : plainText(text)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

std::string said(std::string_view english) { return htmlText(inWords(english)); }

std::string numberCell(std::optional<double> value, std::string_view unit) {
    if (!value || !std::isfinite(*value)) return kUnknownCell;
    const std::string text =
        unit == "%" ? fmt::format("{:.1f} %", *value * 100) : formatQuantity(*value, unit);
    return fmt::format(R"(<td class="n" data-value="{}">{}</td>)", *value, htmlText(text));
}

std::string numberCell(std::optional<std::int64_t> value, std::string_view unit) {
    if (!value) return kUnknownCell;
    return fmt::format(R"(<td class="n" data-value="{}">{}</td>)", *value,
                       htmlText(formatQuantity(static_cast<double>(*value), unit)));
}

std::string textCell(std::string_view text) { return "<td>" + htmlText(text) + "</td>"; }

std::string differenceCell(std::optional<double> from, std::optional<double> to) {
    if (!from || !to || !(*from > 0) || !std::isfinite(*to)) return kUnknownCell;
    const double share = *to / *from - 1;
    const char* sign = share > 0 ? "+" : share < 0 ? "−" : "";
    return fmt::format(R"(<td class="n" data-value="{}">{}{:.1f} %</td>)", share, sign,
                       std::abs(share) * 100);
}

}  // namespace plumb
