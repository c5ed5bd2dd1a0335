// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/mark_actions.h"

#include "core/base/entry_at.h"
#include "ui/notes/notes_view.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/size_field.h"
#include "ui/workbench/marked_ops.h"

#include <algorithm>
#include <utility>

namespace plumb::ui {

QString viewTitle(const QString& id) {
    const int tab = ViewStack::tabOf(id);
    return tab < 0 ? id : withoutMnemonic(ViewStack::tr(entryAt(ViewStack::views(), tab).title));
}

MarkActions::MarkActions(ActionRegistry& actions, Session& session, ViewStack& views, QWidget& window)
    : QObject(&window), m_actions(actions), m_session(session), m_views(views), m_window(window) {
    setObjectName(QStringLiteral("markActions"));
    actions.add(
        {QStringLiteral("notes.add"), tr("&Bookmark this place…"),
         tr("Keep the view with the chosen operations in the document, under a title; where a bookmark "
            "is already, take it away"),
         keys("Ctrl+B")},
        [this] { toggle(); });
    actions.add({QStringLiteral("notes.next"), tr("&Next bookmark"),
                 tr("Go to the next bookmark of the document"), keys("F8")},
                [this] { step(1); });
    actions.add({QStringLiteral("notes.previous"), tr("Pre&vious bookmark"),
                 tr("Go to the bookmark before it"), keys("Shift+F8")},
                [this] { step(-1); });
    connect(&session.workbench.marks, &DocumentMarks::changed, this, &MarkActions::follow);
    connect(&session.workbench, &Workbench::sceneChanged, this, &MarkActions::follow);
    connect(&views, &ViewStack::viewMade, this, &MarkActions::connectView);
    follow();
}

void MarkActions::follow() {
    const bool hasDocument = m_session.workbench.recording() == nullptr;
    const bool hasMarks = hasDocument && !m_session.workbench.marks.all().bookmarks.empty();
    m_actions.enable("notes.add", hasDocument);
    m_actions.enable("notes.next", hasMarks);
    m_actions.enable("notes.previous", hasMarks);
}

void MarkActions::connectView(int tab) {
    if (const auto* view = qobject_cast<const NotesView*>(m_views.viewAt(tab)))
        connect(view, &NotesView::placeWanted, this, &MarkActions::goTo);
}

Bookmark MarkActions::here() const {
    Bookmark bookmark;
    OpSelection& selection = m_session.workbench.selection();
    const Step& step = *m_session.workbench.scene()->whatIf.step;
    bookmark.op = selection.op().toStdString();
    if (const std::optional<OpSpan> span = selection.range().span(); span && span->last < step.opCount()) {
        bookmark.op = step.opId(span->first);
        if (span->count() > 1) bookmark.lastOp = step.opId(span->last);
    }
    bookmark.view = entryAt(ViewStack::views(), m_views.currentTab()).id;
    if (bookmark.view == "notes") bookmark.view = bookmark.op.empty() ? "overview" : "operations";
    if (const auto* timeline = qobject_cast<const TimelineView*>(m_views.currentView()))
        if (const auto range = timeline->range()) bookmark.time = MarkedTime{range->first, range->second};
    return bookmark;
}

void MarkActions::toggle() {
    const Bookmark bookmark = here();
    const auto& all = m_session.workbench.marks.all().bookmarks;
    const auto known = std::ranges::find_if(all, [&](Bookmark other) {
        other.title.clear();
        return other == bookmark;
    });
    if (known == all.end()) return ask(bookmark);
    const QString title = bookmarkTitle(*known, m_session.workbench, viewTitle);
    m_session.markEdits.remove(static_cast<std::size_t>(known - all.begin()));
    emit noticed(tr("The bookmark “%1” is taken away. Undo brings it back.").arg(title));
}

void MarkActions::ask(Bookmark bookmark) {
    const QString name = bookmarkTitle(bookmark, m_session.workbench, viewTitle);
    askText(m_window, tr("Bookmark this place"), tr("Title of the bookmark"), name,
            [this, bookmark = std::move(bookmark)](const QString& title) mutable {
                bookmark.title = title.simplified().toStdString();
                if (!m_session.markEdits.add(bookmark))
                    emit noticed(tr("A file takes no more than %1 bookmarks: delete one first")
                                     .arg(groupedDigits(static_cast<qint64>(kMostBookmarks))));
            });
}

void MarkActions::goTo(int bookmark) {
    const auto& all = m_session.workbench.marks.all().bookmarks;
    if (bookmark < 0 || bookmark >= std::ssize(all)) return;
    m_last = bookmark;
    const Bookmark mark = entryAt(all, bookmark);
    if (const std::optional<OpSpan> span = spanOf(mark, m_session.workbench)) {
        const Step& step = *m_session.workbench.scene()->whatIf.step;
        m_session.workbench.selection().select(toText(step.opId(span->first)));
        m_session.workbench.selection().range().select(span->count() > 1 ? span : std::nullopt);
    } else if (!mark.op.empty()) {
        emit noticed(tr("The operations of this bookmark are not in the step that is shown"));
    }
    const int tab = ViewStack::tabOf(toText(mark.view));
    if (tab < 0 || !m_views.isThere(tab))
        return emit noticed(
            tr("The view %1 of this bookmark is not there").arg(viewTitle(toText(mark.view))));
    m_views.goToTab(tab);
    if (auto* timeline = qobject_cast<TimelineView*>(m_views.currentView()); timeline != nullptr && mark.time)
        timeline->showRange({mark.time->from, mark.time->to});
}

void MarkActions::step(int by) {
    const auto count = static_cast<int>(m_session.workbench.marks.all().bookmarks.size());
    if (count == 0) return;
    const int from = m_last < 0 || m_last >= count ? (by > 0 ? -1 : 0) : m_last;
    goTo((from + by + count) % count);
}

PaletteSource MarkActions::source() {
    return [this](std::vector<PaletteEntry>& entries) {
        if (m_session.workbench.recording() != nullptr) return;
        const auto& all = m_session.workbench.marks.all().bookmarks;
        for (int i = 0; i < std::ssize(all); ++i) {
            const Bookmark& mark = entryAt(all, i);
            entries.push_back({bookmarkTitle(mark, m_session.workbench, viewTitle), tr("Bookmark"),
                               bookmarkPlace(mark, m_session.workbench), viewTitle(toText(mark.view)),
                               [this, i] { goTo(i); }});
        }
    };
}

}  // namespace plumb::ui
