// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/byte_units.h"
#include "core/base/number_style.h"
#include "ui/theme/theme.h"
#include "ui/theme/translations.h"

namespace plumb::ui {

/// Which decimal mark the window writes.
enum class DecimalMark { System, Point, Comma };

/// What parts groups of digits in whole numbers; the mark is the one of comma and point that is not decimal.
enum class GroupMark { Space, Mark, Apostrophe, None };

/// What its user chose of how the window looks and speaks; as made: the defaults.
struct Preferences {
    Theme::Look look;
    DecimalMark decimal = DecimalMark::System;
    GroupMark group = GroupMark::Space;
    ByteUnits bytes = ByteUnits::Si;
    Language language = Language::System;
    bool operator==(const Preferences&) const = default;
    /// Whether texts and sizes that are on screen would be made otherwise: a window of `other` has to be made
    /// anew for these.
    [[nodiscard]] bool needsNewWindow(const Preferences& other) const;
    [[nodiscard]] NumberStyle numberStyle() const;
};

/// Puts all but the language into force, on the theme and for the whole process.
void use(const Preferences& preferences, Theme& theme);

}  // namespace plumb::ui
