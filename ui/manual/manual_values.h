// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace plumb::ui {

/// The text with its `{{name}}` replaced by what the program has under that name: constants that pages speak
/// of. A name that is not known stays as it is written.
[[nodiscard]] QString withManualValues(QString text);
/// All names, for tests.
[[nodiscard]] QStringList manualValueNames();

}  // namespace plumb::ui
