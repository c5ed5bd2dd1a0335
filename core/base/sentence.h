// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace plumb {

/// A text about what happened, as people read it by itself: with a capital at its beginning and a full stop
/// at its end, in the language of the process (core/base/words.h). The window and the command line show
/// errors so; in files and in the protocol they stay without.
///
/// A first word that is a name stays as it is: one with other signs than letters ("/tmp/x", "--layers",
/// "beta1", "model.json"), one before a colon ("tril: ..."), one without a vowel ("lr"), and those of
/// `names`; and whatever begins a Chinese text. A text that ends with a stop, an exclamation or question mark
/// or an ellipsis gets no other, also where a closing quote stands behind it.
[[nodiscard]] std::string asSentence(std::string_view text, std::span<const std::string_view> names = {});

}  // namespace plumb
