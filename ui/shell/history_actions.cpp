// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/history_actions.h"

#include "ui/history/history_exchange.h"
#include "ui/history/history_names.h"
#include "ui/history/history_record.h"
#include "ui/history/history_view.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/file_actions.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/size_field.h"

#include <QDir>

#include <memory>
#include <utility>

namespace plumb::ui {
namespace {

Result<Snapshot> keptSnapshot(HistoryStore& store, std::int64_t id, const QString& name) {
    PLUMB_TRY(const QByteArray packed, store.snapshot(id));
    return unpackedSnapshot(packed, name);
}

}  // namespace

HistoryActions::HistoryActions(ActionRegistry& actions, Session& session, ViewStack& views,
                               FileActions& files, Settings& settings, Banner& banner, QWidget& window)
    : QObject(&window),
      m_session(session),
      m_views(views),
      m_files(files),
      m_settings(settings),
      m_banner(banner),
      m_window(window) {
    actions.add({QStringLiteral("history.import"),
                 tr("I&mport a history…"),
                 tr("Add the runs of a history that was exported, each once"),
                 {}},
                [this] { askImport(); });
    actions.add({QStringLiteral("history.export"),
                 tr("Export the &history…"),
                 tr("Write all runs that were kept to one file"),
                 {}},
                [this] { askExport({}); });
    connect(&views, &ViewStack::viewMade, this, &HistoryActions::connectView);
    connect(&session.kept, &History::noticed, this, &HistoryActions::notice);
    const auto tell = [this](const QString& text) {
        m_banner.showMessage(Banner::Kind::Error, sentenceText(text));
    };
    connect(&session.kept, &History::warned, this, tell);
    connect(&session.kept, &History::failed, this,
            [tell](const Error& error) { tell(errorSentence(error)); });
}

void HistoryActions::connectView(int tab) {
    const auto* view = qobject_cast<const HistoryView*>(m_views.viewAt(tab));
    if (view == nullptr) return;
    connect(view, &HistoryView::openWanted, this, &HistoryActions::open);
    connect(view, &HistoryView::compareWanted, this, &HistoryActions::compare);
    connect(view, &HistoryView::exportWanted, this, &HistoryActions::askExport);
    connect(view, &HistoryView::importWanted, this, &HistoryActions::askImport);
}

void HistoryActions::notice(const QString& text) { m_banner.showMessage(Banner::Kind::Notice, text); }

void HistoryActions::open(const HistoryEntry& entry) {
    m_files.afterUnsavedResults([this, entry] {
        const QString name = historyName(entry);
        m_session.kept.ask(
            this,
            [id = entry.id, name](HistoryStore& store) -> Result<OpenedSession> {
                PLUMB_TRY(Snapshot snapshot, keptSnapshot(store, id, name));
                return openedSession(name, std::move(snapshot));
            },
            [this, name](OpenedSession session) {
                m_session.recorder.forgetDocument();
                m_session.document.showKept(std::move(session), name);
                m_views.goToTab(0);
                notice(tr("Opened from the history: %1").arg(name));
            });
    });
}

void HistoryActions::compare(const std::vector<HistoryEntry>& entries) {
    m_session.kept.ask(
        this,
        [entries, names = historyNames(entries)](HistoryStore& store) -> Result<std::vector<ComparedStep>> {
            std::vector<ComparedStep> steps;
            for (std::size_t i = 0; i < entries.size(); ++i) {
                const QString& name = names.at(static_cast<qsizetype>(i));
                PLUMB_TRY(const Snapshot snapshot, keptSnapshot(store, entries[i].id, name));
                PLUMB_TRY(ComparedStep step, comparedStep(snapshot, name.toStdString()));
                steps.push_back(std::move(step));
            }
            return steps;
        },
        [this](std::vector<ComparedStep> steps) {
            m_session.compared.clear();
            for (ComparedStep& step : steps) m_session.compared.add(std::move(step));
            m_views.showView(QStringLiteral("compare"));
        });
}

void HistoryActions::askExport(const std::vector<std::int64_t>& ids) {
    askSavePath(m_window, tr("Export the history"),
                QDir(m_settings.lastFolder()).filePath(QStringLiteral("runs.plumbhistory")),
                tr("Histories (*.plumbhistory)"), QStringLiteral("plumbhistory"),
                [this, ids](const QString& path) { exportTo(ids, path); });
}

void HistoryActions::exportTo(const std::vector<std::int64_t>& ids, const QString& path) {
    m_session.kept.ask(
        this, [ids, path](HistoryStore& store) { return exportHistory(store, ids, path); },
        [this, path](const HistoryExchange& done) {
            notice(tr("Exported to %1, entries: %2").arg(path, groupedDigits(done.added)));
        });
}

void HistoryActions::askImport() {
    askOpenPath(m_window, tr("Import a history"), m_settings.lastFolder(),
                tr("Histories (*.plumbhistory *.sqlite);;All files (*)"),
                [this](const QString& path) { importFrom(path); });
}

void HistoryActions::importFrom(const QString& path) {
    m_session.kept.ask(
        this, [path](HistoryStore& store) { return importHistory(store, path); },
        [this, path](const HistoryExchange& done) {
            emit m_session.kept.changed();
            notice(tr("Imported from %1: %2 new, %3 known already")
                       .arg(path, groupedDigits(done.added), groupedDigits(done.known)));
        });
}

}  // namespace plumb::ui
