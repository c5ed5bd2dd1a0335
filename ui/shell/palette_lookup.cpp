// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_lookup.h"

#include "ui/findings/findings_model.h"
#include "ui/history/history_model.h"
#include "ui/history/history_names.h"
#include "ui/shell/history_actions.h"
#include "ui/shell/session.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/finding_text.h"

#include <utility>

namespace plumb::ui {
namespace {

/// The entries that are known after `seen`; empty: they are those of then.
using NewEntries = std::optional<std::pair<std::int64_t, std::vector<PaletteLookup::Run>>>;

Result<NewEntries> newEntries(HistoryStore& store, std::optional<std::int64_t> seen) {
    PLUMB_TRY(const std::int64_t changes, store.changes());
    if (seen == changes) return NewEntries();
    PLUMB_TRY(std::vector<HistoryEntry> entries, store.entries());
    if (entries.size() > PaletteLookup::kMostRuns) entries.resize(PaletteLookup::kMostRuns);
    std::vector<PaletteLookup::Run> runs;
    for (HistoryEntry& entry : entries) {
        entry.figures.clear();
        QString name = historyName(entry);
        runs.push_back({std::move(entry), std::move(name)});
    }
    return NewEntries(std::in_place, changes, std::move(runs));
}

}  // namespace

PaletteLookup::PaletteLookup(Session& session, ViewStack& views, HistoryActions& history, QObject* parent)
    : QObject(parent), m_session(session), m_views(views), m_history(history) {
    // What this window writes is not counted as a change.
    connect(&session.kept, &History::changed, this, [this] { m_seen.reset(); });
}

void PaletteLookup::lookAgain() {
    lookForRuns();
    lookForFindings();
}

void PaletteLookup::lookForRuns() {
    m_session.kept.ask(
        this, [seen = m_seen](HistoryStore& store) { return newEntries(store, seen); },
        [this](NewEntries entries) {
            if (!entries) return;
            m_seen = entries->first;
            m_runs = std::move(entries->second);
            emit found();
        });
}

void PaletteLookup::lookForFindings() {
    const ScenePtr scene = m_session.workbench.scene();
    if (m_of == scene && m_session.workbench.runs().all().empty()) return;
    m_finder.run([shown = shownStep(m_session.workbench)] { return findingsOf(shown); },
                 [this, scene](Findings findings) {
                     m_of = scene;
                     m_found = std::move(findings.found);
                     emit found();
                 });
}

PaletteSource PaletteLookup::runs() {
    return [this](std::vector<PaletteEntry>& entries) {
        for (const auto& [run, name] : m_runs)
            entries.push_back({name, tr("History"),
                               historyKindTitle(run.kind) + QLatin1Char(' ') +
                                   deviceText(run.device.toStdString()) + QLatin1Char(' ') +
                                   run.tags.join(QLatin1Char(' ')) + QLatin1Char(' ') + run.note,
                               run.isFavourite ? QStringLiteral("★") : QString(),
                               [this, run = run] { m_history.open(run); }});
    };
}

PaletteSource PaletteLookup::findings() {
    return [this](std::vector<PaletteEntry>& entries) {
        if (m_of != m_session.workbench.scene()) return;
        for (const Finding& finding : m_found)
            entries.push_back(
                {sentenceText(finding.sentence), tr("Finding"), sentenceText(finding.remedy.advice),
                 viewName(finding.view),
                 [this, view = toText(finding.view), op = toText(finding.opId)] { m_views.goTo(view, op); }});
    };
}

}  // namespace plumb::ui
