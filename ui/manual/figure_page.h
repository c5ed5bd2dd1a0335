// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace plumb::ui {

class Theme;

/// The definitions of all figures as Markdown, in the language of the window: made of the registry
/// (figures.h), the categories and tiers of core, the metrics of a training and the columns of the tables.
[[nodiscard]] QString figurePageMarkdown(Theme& theme);

}  // namespace plumb::ui
