// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace plumb::ui {

/// What went wrong and what can be done, as a sentence with its full stop.
[[nodiscard]] QString errorSentence(const Error& error);

}  // namespace plumb::ui
