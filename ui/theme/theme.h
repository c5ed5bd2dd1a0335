// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/enum_array.h"
#include "core/plan/step_plan.h"

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>
#include <QPointer>
#include <QStyle>

#include <string>

class QApplication;

namespace plumb::ui {

/// What a colour is for. Axis and TextMuted carry text and keep a contrast of 4.5:1 on every surface.
enum class ColorRole {
    Window,
    Panel,
    Card,
    CardBorder,
    Field,
    FieldBorder,
    Grid,
    Axis,
    Text,
    TextMuted,
    TextStrong,
    Accent,
    AccentText,
    Selection,
    Hover,
    Good,
    Warning,
    Bad,
    Predicted,
    Measured,
    Ghost,
    Track,
    Button,
    ButtonHover,
    Knob,
    Shadow,
    BitSign,
    BitExponent,
    BitMantissa,
    Baseline,  ///< the step that others are compared with ...
    Compared,  ///< ... and the one that is
};

constexpr ColorRole lastOf(ColorRole /*type*/) { return ColorRole::Compared; }
/// The key of a role in the theme files: "cardBorder".
[[nodiscard]] QString colorRoleName(ColorRole role);

/// Colours by role, from resources/themes; one instance, made in main() and passed on. Colours of categories
/// and phases are chosen to be told apart by colour-blind readers, and some more so: those of
/// Look::safeColors and of high contrast.
class Theme final : public QObject {
    Q_OBJECT
public:
    enum class Mode { System, Light, Dark };
    static constexpr double kLeastFontScale = 0.8, kMostFontScale = 2.0;
    struct Look {
        Mode mode = Mode::System;
        bool highContrast = false;  ///< black on white or white on black, and lines that are seen
        bool safeColors = false;    ///< categories, phases and verdicts far apart for every eye
        double fontScale = 1;       ///< of the letters; kLeastFontScale to kMostFontScale
        bool operator==(const Look&) const = default;
    };
    explicit Theme(QObject* parent = nullptr);
    /// Takes its style off the application: widgets that outlive it are drawn by Fusion.
    ~Theme() override;

    void setLook(const Look& look);
    [[nodiscard]] const Look& look() const { return m_look; }
    /// Of the look, the rest of which stays.
    void setMode(Mode mode);
    [[nodiscard]] Mode mode() const { return m_look.mode; }
    [[nodiscard]] bool isDark() const { return m_dark; }
    [[nodiscard]] QColor color(ColorRole role) const { return m_colors.roles[role]; }
    [[nodiscard]] QColor categoryColor(Category category) const { return m_colors.categories[category]; }
    [[nodiscard]] QColor phaseColor(Phase phase) const { return m_colors.phases[phase]; }
    [[nodiscard]] QPalette palette() const;
    /// Sets palette, base font (Inter where it is installed, 10 pt by the look's scale) and the house style
    /// on `application`, and follows the system's palette from then on.
    void apply(QApplication& application);

signals:
    void changed();

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void refresh();
    void setFont() const;

    struct Colors {
        EnumArray<ColorRole, QColor> roles;
        EnumArray<Category, QColor> categories;
        EnumArray<Phase, QColor> phases;
    };
    [[nodiscard]] static Colors load(bool dark, const Look& look);

    Look m_look;
    Look m_loaded;  ///< what the colours are of
    bool m_dark = false;
    Colors m_colors;
    bool m_readingSystem = false;  ///< palette events that refresh() itself causes are not changes
    QPointer<QApplication> m_application;
    QPointer<QStyle> m_style;  ///< reads colours of this theme; the application owns it
};

}  // namespace plumb::ui
