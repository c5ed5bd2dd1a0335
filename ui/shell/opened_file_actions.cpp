// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/opened_file_actions.h"

#include "core/base/entry_at.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/document_tab.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"

#include <QFileInfo>

#include <utility>

namespace plumb::ui {
namespace {

QString progressText(const QString& path, double share) {
    const QFileInfo info(path);
    if (share >= 1) return OpenedFileActions::tr("Working out the figures of %1…").arg(info.fileName());
    return OpenedFileActions::tr("Reading %1: %2 of %3")
        .arg(info.fileName(), numberText(100 * share, 'f', 0) + QStringLiteral(" %"), bytesText(info.size()));
}

/// What closes that which the current view shows; null: the view stays.
auto closingOf(const ViewStack& views) { return entryAt(ViewStack::views(), views.currentTab()).close; }

}  // namespace

OpenedFileActions::OpenedFileActions(ActionRegistry& actions, Session& session, ViewStack& views,
                                     Banner& banner, DocumentTab& tabs, QWidget& window)
    : QObject(&window), m_banner(banner) {
    QAction* close =
        actions.add({QStringLiteral("file.close"), tr("&Close"),
                     tr("Close the trace or other file that the view shows, else the tab of the document"),
                     keys("Ctrl+W")},
                    [&session, &views, &tabs] {
                        if (const auto closeShown = closingOf(views)) return closeShown(session);
                        if (tabs.count() > 1) emit tabs.wanted(TabWish::Close);
                        // Of the only document the model of the sliders stays.
                        else
                            session.workbench.open(std::optional<Recording>());
                    });
    const auto follow = [close, &session, &views, &tabs] {
        close->setEnabled(closingOf(views) != nullptr || tabs.count() > 1 ||
                          session.workbench.recording() != nullptr);
    };
    connect(&session.workbench, &Workbench::sceneChanged, this, follow);
    connect(&views, &ViewStack::tabShown, this, follow);
    connect(&tabs, &DocumentTab::countChanged, this, follow);
    follow();
    connect(&session.openedFiles, &OpenedFiles::opened, this, [&views](const QString& tab) {
        if (ViewStack::tabOf(tab) >= 0) views.goToTab(ViewStack::tabOf(tab));
    });
    connect(&session.openedFiles, &OpenedFiles::progressed, this,
            [this](OpenedFile* file) { showProgress(*file); });
    connect(&session.document, &Document::progressed, this,
            [this, &document = session.document] { showProgress(document); });
    // In front of a view of something else nobody would see that another step was opened.
    connect(&session.document, &Document::opened, this, [&views] {
        if (!entryAt(ViewStack::views(), views.shownTab()).isOfStep)
            views.goToTab(ViewStack::tabOf(QStringLiteral("overview")));
    });
}

void OpenedFileActions::showProgress(OpenedFile& file) {
    showProgress(file, file.readingPath(), file.share(), [read = &file] { read->cancel(); });
}

void OpenedFileActions::showProgress(Document& document) {
    showProgress(document, document.readingPath(), document.readShare(),
                 [read = &document] { read->cancelOpening(); });
}

void OpenedFileActions::showProgress(const QObject& reader, const QString& path, double share,
                                     std::function<void()> cancel) {
    if (path.isEmpty()) {
        if (m_shown == &reader) m_banner.endOngoing();
        if (m_shown == &reader) m_shown = nullptr;
        return;
    }
    if (m_shown == &reader) return m_banner.setOngoingText(progressText(path, share));
    m_shown = &reader;
    m_banner.showMessage(Banner::Kind::Ongoing, progressText(path, share), tr("Cancel"), std::move(cancel));
}

}  // namespace plumb::ui
