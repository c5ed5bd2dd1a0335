// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/glyph_button.h"

#include <QWidget>

#include <optional>

class QLabel;
class QVBoxLayout;

namespace plumb::ui {

class ActionRegistry;
class Meter;
class Theme;

/// What stands for the panel at the left while it is folded: the button that unfolds it, its sections,
/// whether the step fits in memory, and the buttons that run it.
class SideRail final : public QWidget {
    Q_OBJECT
public:
    SideRail(Theme& theme, QWidget* parent = nullptr);

    /// A button that asks for the section whose heading has this object name.
    void addSection(Glyph glyph, const QString& name, const QString& heading);
    /// Run or Pause, Stop and Profile, which are there once the actions are.
    void addRunButtons(const ActionRegistry& actions);
    /// A training that waits goes on by the same button.
    void setPaused(bool isPaused);
    void setMemory(std::optional<double> share, const QString& toolTip);
    /// Sections and run buttons are of the sliders' model alone.
    void setOfRecording(bool ofRecording);

signals:
    void unfoldWanted();
    void sectionWanted(const QString& heading);

private:
    GlyphButton* addButton(Glyph glyph, const QString& name, QVBoxLayout& layout);

    Theme& m_theme;
    QWidget* m_sections;
    QWidget* m_runs;
    GlyphButton* m_pause = nullptr;
    Meter* m_meter;
    QLabel* m_fits;
};

}  // namespace plumb::ui
