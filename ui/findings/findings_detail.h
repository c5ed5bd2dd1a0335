// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace plumb::ui {

class ActionLink;
class Theme;

/// One finding in full: its numbers with their sources, what to try and what is predicted of that; buttons
/// that lead there and that put it into force. Without one: what was looked at and found fine, and what could
/// not be looked at.
class FindingsDetail final : public QWidget {
    Q_OBJECT
public:
    explicit FindingsDetail(Theme& theme, QWidget* parent = nullptr);

    void show(const Finding& finding);
    void showSilent(const Findings& findings);
    /// Takes the keyboard, whose arrows then scroll what is below it.
    [[nodiscard]] QWidget& heading();

signals:
    void placeWanted();
    void remedyWanted();

private:
    QLabel* addLabel(const char* name);

    Theme& m_theme;
    QLabel* m_heading;
    QLabel* m_evidence;
    QLabel* m_remedy;
    QPushButton* m_show;
    QPushButton* m_apply;
    ActionLink* m_profile;  ///< measures what could not be looked at
};

}  // namespace plumb::ui
