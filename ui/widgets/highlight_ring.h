// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace plumb::ui {

class Theme;

/// A ring around a control of the window, that a lesson speaks of or that has the keyboard. Lies above
/// everything, takes neither mouse nor focus, and follows the control when it moves, is resized, hidden or
/// deleted.
class HighlightRing final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Lesson, Focus };  ///< Focus: thin, and inside the control's own edge
    HighlightRing(Theme& theme, QWidget* window, Kind kind = Kind::Lesson);

    /// Null: around nothing. A control inside a scroll area is scrolled into view.
    void surround(QWidget* target);
    [[nodiscard]] QWidget* target() const { return m_target; }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    Theme& m_theme;
    Kind m_kind;
    QPointer<QWidget> m_target;
};

}  // namespace plumb::ui
