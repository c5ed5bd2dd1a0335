// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <string_view>

namespace plumb {

/// Text as it may stand in an element or between quotes, whoever wrote it: plainText() with the characters
/// that mean something in HTML escaped.
[[nodiscard]] std::string htmlText(std::string_view text);

/// A text of ours in the language of the process, as htmlText().
[[nodiscard]] std::string said(std::string_view english);

/// A cell of a table with a quantity: what people read, and the number itself as `data-value`, by which
/// tables are sorted and which keeps every digit. A dash where it is not known.
[[nodiscard]] std::string numberCell(std::optional<double> value, std::string_view unit);
[[nodiscard]] std::string numberCell(std::optional<std::int64_t> value, std::string_view unit);
[[nodiscard]] std::string textCell(std::string_view text);
/// By how much the second lies above the first, in percent of it; a dash where that cannot be said.
[[nodiscard]] std::string differenceCell(std::optional<double> from, std::optional<double> to);

}  // namespace plumb
