// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/document_tab.h"

#include "ui/planner/planner_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/keys.h"

#include <QFileInfo>

namespace plumb::ui {

DocumentTab::DocumentTab(ActionRegistry& actions, Settings& settings, FileActions& files, MainWindow& window)
    : QObject(&window), m_actions(actions), m_settings(settings), m_files(files), m_window(window) {
    const auto add = [&](const char* id, const QString& text, const QString& tip, const char* shortcut,
                         TabWish wish) {
        actions.add({QString::fromLatin1(id), text, tip, keys(shortcut)},
                    [this, wish] { emit wanted(wish); });
    };
    add("file.newTab", tr("New &tab"), tr("Begin another document in a tab beside this one"), "Ctrl+T",
        TabWish::New);
    add("file.openInTab", tr("Open in a new ta&b…"), tr("Open files in a tab beside this document"),
        "Ctrl+Shift+T", TabWish::Open);
    add("file.tabToWindow", tr("&Move the tab to a new window"),
        tr("Give this document a window of its own, with all that runs in it"), "", TabWish::ToWindow);
    add("file.nextTab", tr("Ne&xt tab"), tr("Show the next document"), "Ctrl+Tab", TabWish::Next);
    add("file.previousTab", tr("Pre&vious tab"), tr("Show the document before it"), "Ctrl+Shift+Tab",
        TabWish::Previous);
    QAction* restore = actions.add({QStringLiteral("file.restoreTabs"),
                                    tr("Open these documents at the next start"),
                                    tr("Begin with the files that were open when the window was closed last"),
                                    {},
                                    true},
                                   [this, &settings] {
                                       DocumentSettings documents = settings.documents();
                                       documents.isRestored =
                                           m_actions.action(QStringLiteral("file.restoreTabs"))->isChecked();
                                       m_settings.setDocuments(documents);
                                   });
    restore->setChecked(settings.documents().isRestored);
    setCount(0);
}

void DocumentTab::setCount(int count) {
    m_count = count;
    for (const char* id : {"file.newTab", "file.openInTab"}) m_actions.enable(id, count > 0);
    for (const char* id : {"file.tabToWindow", "file.nextTab", "file.previousTab"})
        m_actions.enable(id, count > 1);
    emit countChanged();
}

QString DocumentTab::path() const {
    const Recording* const recording = m_window.workbench().recording();
    return recording != nullptr ? recording->path : m_window.document().path();
}

QString DocumentTab::name() const {
    if (const Recording* const recording = m_window.workbench().recording())
        return QFileInfo(recording->path).fileName();
    const Document& document = m_window.document();
    if (!document.name().isEmpty() || document.isModified()) return document.name();
    for (const OpenedFiles::Kind& kind : m_window.openedFiles().kinds())
        if (kind.file->isOpen()) return QFileInfo(kind.file->path()).fileName();
    return {};
}

void DocumentTab::comeBack(const QString& path) {
    if (const QByteArray plan = m_settings.documents().plans.value(path); !plan.isEmpty()) {
        m_window.session().plan = plan;
        if (auto* planner = m_window.findChild<PlannerView*>()) planner->model().restore(plan);
    }
    m_window.openFile(path);
}

QByteArray DocumentTab::plan() const { return m_window.session().plan; }

bool DocumentTab::isUnsaved() const { return m_window.isWindowModified(); }

bool DocumentTab::wouldLose() const { return m_files.wouldLoseByClosing(); }

void DocumentTab::askToClose(const std::function<void()>& agreed) { m_files.beforeClosing(agreed); }

void DocumentTab::closeAgreed() {
    m_isAgreed = true;
    m_window.close();
}

void DocumentTab::setHearing(bool on) {
    m_isHearing = on;
    if (!on) return;
    m_settings.onFailure([this](const Error& error) { emit failed(error); });
}

}  // namespace plumb::ui
