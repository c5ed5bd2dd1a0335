// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>

class QLabel;
class QLineEdit;
class QVBoxLayout;
class QWidget;

namespace plumb::ui {

/// Adds rows to a layout of the run panel. The widgets become children of `parent`.
class PanelRows {
public:
    PanelRows(Theme& theme, QWidget& parent, QVBoxLayout& layout)
        : m_theme(theme), m_parent(parent), m_layout(layout) {}

    [[nodiscard]] Theme& theme() const { return m_theme; }
    [[nodiscard]] QWidget* parent() const { return &m_parent; }
    [[nodiscard]] QVBoxLayout& layout() const { return m_layout; }
    /// The same panel, at another place of it.
    [[nodiscard]] PanelRows in(QVBoxLayout& layout) const { return {m_theme, m_parent, layout}; }

    /// Returns the line, so that it can be named.
    QLabel* addHeading(const QString& text) const;
    /// A line above the control that it names; returns `text`, which names it for readers of the screen too.
    QString addCaption(const QString& text) const;
    /// `width` 0: `widget` takes what the label leaves.
    void addLabelled(const QString& text, QWidget* widget, int width = 0) const;
    /// A line for showSentence().
    [[nodiscard]] QLabel* addSentence(const char* name, ColorRole role = ColorRole::Bad) const;

private:
    Theme& m_theme;
    QWidget& m_parent;
    QVBoxLayout& m_layout;
};

/// Fills `panel` with the colour of panels, and follows the theme.
void fillAsPanel(QWidget& panel, Theme& theme);
/// Hides the line while there is none.
void showSentence(QLabel* line, const QString& sentence);
/// Leaves what is being typed.
void showEntry(QLineEdit* field, const QString& text);

}  // namespace plumb::ui
