// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace plumb {

/// The known word with the smallest edit distance to `word`; empty when none is near enough to be meant.
[[nodiscard]] std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

/// The remedy for an unknown word: "did you mean X?" where one of the known ones is near, else `otherwise`.
[[nodiscard]] std::string didYouMean(std::string_view word, const std::vector<std::string>& known,
                                     std::string otherwise);

/// What was typed with the word in it that the remedy of `error` asks about, as didYouMean() writes it, by
/// the one that it proposes; empty: it proposes none.
[[nodiscard]] std::string asMeant(std::string_view typed, const Error& error);

}  // namespace plumb
