// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/manual/manual_book.h"
#include "ui/shell/palette_entry.h"

#include <QObject>
#include <QPoint>

#include <memory>
#include <vector>

class QWidget;

namespace plumb::ui {

class ActionRegistry;
class ManualWindow;
class Settings;
class ShortcutMap;
class Theme;
class ViewStack;

/// What there is to read: the manual, which F1 opens at what is pointed at or has the focus, in the window
/// and in its dialogs; the shortcuts; and who made this.
class HelpActions final : public QObject {
    Q_OBJECT
public:
    /// Made last: the shortcuts are of all actions that are there, its own included.
    HelpActions(ActionRegistry& actions, ViewStack& views, Settings& settings, Theme& theme, QWidget& window);
    ~HelpActions() override;

    /// The manual that a window showed which this one replaces.
    void takeManualOf(HelpActions& old);
    /// Where F1 leads now.
    [[nodiscard]] ManualPlace placeAtHand();
    /// Opens the manual there; made when it is first asked for.
    ManualWindow& openManual(const ManualPlace& place);
    /// Pages and sections of the manual, for the palette.
    [[nodiscard]] PaletteSource source();

private:
    [[nodiscard]] ManualWindow& manual();
    [[nodiscard]] const QWidget* windowAtHand() const;
    /// The focus went to a dialog, whose keys are its own: gives it the key of the manual.
    void followFocus(QWidget* now);
    void showShortcuts();
    void showAbout();

    ActionRegistry& m_actions;
    ViewStack& m_views;
    Theme& m_theme;
    ShortcutMap* m_shortcuts = nullptr;
    QWidget& m_window;
    std::vector<ManualHit> m_headings;  ///< of the manual, once they were looked for
    std::unique_ptr<ManualWindow> m_manual;
    QPoint m_pointerThen;  ///< where the pointer was when the focus moved last: is what it points at newer?
};

}  // namespace plumb::ui
