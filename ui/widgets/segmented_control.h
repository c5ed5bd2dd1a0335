// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QButtonGroup;

namespace plumb::ui {

class Theme;

/// A few choices side by side of which one is on. Arrow keys move between them, as in a group of radio
/// buttons.
class SegmentedControl final : public QWidget {
    Q_OBJECT
public:
    /// Segment i is called "NAMEi" and has labels[i].
    SegmentedControl(Theme& theme, const QStringList& labels, const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] int current() const;
    void setCurrent(int index);  ///< emits nothing
    void setSegmentToolTip(int index, const QString& text);
    void setSegmentVisible(int index, bool visible);
    /// The segments go into as many lines as it takes, instead of asking for the width of all.
    void setWrapping();
    /// Any number of segments may be on; then isOn() and toggled() stand for current() and chosen().
    void setSeveral();
    [[nodiscard]] bool isOn(int index) const;
    void setOn(int index, bool on);  ///< emits nothing

signals:
    void chosen(int index);            ///< by the user
    void toggled(int index, bool on);  ///< by the user, with setSeveral()

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    QButtonGroup* m_group;
};

}  // namespace plumb::ui
