// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/base/words.h"

namespace plumb::ui {

QString coreText(std::string_view text) { return toText(localProse(inWords(text))); }

}  // namespace plumb::ui
