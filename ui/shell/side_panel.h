// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

class QLabel;

namespace plumb::ui {

class RecordingPanel;
class RunPanel;
class Settings;
class SideRail;
class Theme;

/// The place at the left of the views: a panel, or the rail that stands for it. In a wide window the panel
/// stands beside the views; in a narrow one it lies over them, with the keyboard, until something else is
/// clicked, Escape is pressed or another view is shown; it says so, and casts a shadow.
class SidePanel final : public QWidget {
    Q_OBJECT
public:
    enum class Subject { None, Run, Recording };  ///< whose panel it is; without one there is nothing at all

    /// Takes the panels as children of `parent`, over which they may lie.
    SidePanel(RunPanel& run, RecordingPanel& recording, Theme& theme, Settings& settings, QWidget* parent);

    [[nodiscard]] SideRail& rail() { return m_rail; }
    void setSubject(Subject subject);
    [[nodiscard]] Subject subject() const { return m_subject; }
    [[nodiscard]] bool isUnfolded() const { return m_isUnfolded; }
    /// Width of what the panel hides of the views, at their left; 0 where it lies over none.
    [[nodiscard]] int covered() const;
    /// What leads through the panel: a press there leaves it as it is.
    void setGuide(QWidget& guide) { m_guide = &guide; }
    /// By the user, who is remembered to want it so in windows as wide as this one.
    void setUnfolded(bool unfolded);
    /// Folds the panel where it lies over the views; for somebody who goes on in one of them.
    void uncoverViews();
    /// Unfolds the panel when `control` is in it, and scrolls to it.
    void reveal(QWidget& control);

signals:
    void foldingChanged();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* panel() const;
    [[nodiscard]] bool liesOverViews() const;
    [[nodiscard]] bool isElsewhere(const QWidget& widget, const QMouseEvent& press) const;
    void unfold(bool unfolded);
    void fit();
    void place();

    QWidget& m_run;
    QWidget& m_recording;
    Settings& m_settings;
    SideRail& m_rail;
    QWidget& m_shade;                   ///< at the right edge of the panel
    std::vector<QLabel*> m_waysToFold;  ///< in the corner of each panel
    QPointer<QWidget> m_guide;
    Subject m_subject = Subject::Run;
    bool m_isNarrow = false;
    bool m_isUnfolded = true;
};

}  // namespace plumb::ui
