// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QStringList>

class QBoxLayout;

namespace plumb::ui {

class ActionRegistry;
class HighlightRing;
class LessonPanel;
class Settings;
class SidePanel;
class Theme;
class TopBar;
class ViewStack;

/// The lessons beside the views, and what they point at: a control, the button of an action, a tab or a page
/// of the Lab, which comes into sight with a ring around it.
class Lessons final : public QObject {
    Q_OBJECT
public:
    /// Where lessons find what they name. Views may call controls of their own the same as these.
    struct Places {
        QWidget& window;
        TopBar& menus;    ///< what stands for an action without a button
        SidePanel& side;  ///< where the panel is
        QWidget& runPanel;
        QWidget& keyFigures;
        QBoxLayout& beside;  ///< takes the panel at its end
    };
    Lessons(ActionRegistry& actions, ViewStack& views, Theme& theme, Settings& settings, Places places);

    /// Shows the lesson at this place among the built-in ones.
    void open(int index);
    /// Is as open as these of the window before, at the same step.
    void takePlaceOf(const Lessons& old);

private:
    void make();
    void showOrHide();
    /// The first one, or what takes keys within it.
    void giveKeyboard(const QStringList& controls);
    void pointAt(const QStringList& controls);
    /// The control, action button or tab of this name; null when there is none.
    [[nodiscard]] QWidget* controlOf(const QString& name);

    ActionRegistry& m_actions;
    ViewStack& m_views;
    Theme& m_theme;
    Settings& m_settings;
    Places m_places;
    LessonPanel* m_panel = nullptr;  ///< made when first asked for
    QPointer<HighlightRing> m_ring;  ///< goes with the window of a view
};

}  // namespace plumb::ui
