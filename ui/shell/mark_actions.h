// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/snapshot/bookmark.h"
#include "ui/shell/palette_entry.h"

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
struct Session;
class ViewStack;

/// Marks the place that is looked at in the document, and leads back to it: from the view of notes, from the
/// palette, and from one bookmark to the next by keys.
class MarkActions final : public QObject {
    Q_OBJECT
public:
    MarkActions(ActionRegistry& actions, Session& session, ViewStack& views, QWidget& window);

    /// What is chosen in the view that is shown; its title is the name of the place.
    [[nodiscard]] Bookmark here() const;
    /// Shows the view of a bookmark with its operations and its time chosen, as far as they are there.
    void goTo(int bookmark);
    /// The bookmarks, for the palette.
    [[nodiscard]] PaletteSource source();

signals:
    void noticed(const QString& message);

private:
    void toggle();                ///< the bookmark at the place that is looked at
    void ask(Bookmark bookmark);  ///< for its title, and adds it
    void step(int by);            ///< to the next bookmark, or the one before
    void follow();
    void connectView(int tab);  ///< that was made

    ActionRegistry& m_actions;
    Session& m_session;
    ViewStack& m_views;
    QWidget& m_window;
    int m_last = -1;  ///< where goTo() led last
};

/// What the view with this id is called; the id of one that is not of this version.
[[nodiscard]] QString viewTitle(const QString& id);

}  // namespace plumb::ui
