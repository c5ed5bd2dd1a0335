// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

class QLabel;
class QString;
class QWidget;

namespace plumb::ui {

/// Returns a new child of `parent`: the muted small capitals above a group of controls.
[[nodiscard]] QLabel* makeSectionHeading(const QString& text, Theme& theme, QWidget* parent);

}  // namespace plumb::ui
