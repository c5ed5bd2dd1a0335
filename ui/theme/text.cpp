// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.h"

#include "core/base/words.h"

namespace plumb::ui {

QString coreText(std::string_view text) { return toText(inWords(text)); }

QString errorText(const Error& error) { return capitalised(coreText(error.text())); }

}  // namespace plumb::ui
