// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace plumb::ui {

class Theme;
class Translations;

/// Writes the manual as web pages, in all languages: FOLDER/en/index.html, FOLDER/zh_CN/index.html, ..., and
/// FOLDER/index.html, which leads to both. Pictures that lie in FOLDER/LANGUAGE/pictures are shown. Changes
/// the language of the program while it writes. Errors: Io with the file.
[[nodiscard]] Result<int> writeManualSite(const QString& folder, Theme& theme, Translations& translations);

}  // namespace plumb::ui
