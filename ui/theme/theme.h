// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include "core/plan/step_plan.h"

class QApplication;

namespace plumb::ui {

enum class ColorRole {
    Window, Panel, Card, CardBorder, Field, FieldBorder, Grid, Axis,
    Text, TextMuted, TextStrong, Accent, AccentText, Selection, Hover,
    Good, Warning, Bad, Predicted, Measured, Ghost,
};

/// Colours by role, from resources/themes/{light,dark}.json; one instance, made in main() and passed on.
/// Colours of categories and phases are the same everywhere and chosen to be told apart by colour-blind readers.
class Theme final : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    explicit Theme(QObject* parent = nullptr);

    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const { return m_mode; }
    [[nodiscard]] bool isDark() const { return m_dark; }
    [[nodiscard]] QColor color(ColorRole role) const;
    [[nodiscard]] QColor categoryColor(Category category) const;
    [[nodiscard]] QColor phaseColor(Phase phase) const;
    [[nodiscard]] QPalette palette() const;
    /// Sets palette, base font (Inter from resources, 10 pt) and the house style on `application`.
    void apply(QApplication& application);

signals:
    void changed();

private:
    Mode m_mode = Mode::System;
    bool m_dark = true;
};

}  // namespace plumb::ui
