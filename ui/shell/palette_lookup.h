// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"
#include "core/measure/scene.h"
#include "ui/engine/job_runner.h"
#include "ui/history/history_entry.h"
#include "ui/shell/palette_entry.h"

#include <QObject>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

class HistoryActions;
class ViewStack;
struct Session;

/// What the palette finds that is not at hand at once: runs of the history, which lie on a disk, and what the
/// rules notice of the step that is shown, which takes half a second for the deepest. Asked for when it pops
/// up, and found when it is there.
class PaletteLookup final : public QObject {
    Q_OBJECT
public:
    /// Of the history the newest so many.
    static constexpr std::size_t kMostRuns = 2'000;
    struct Run {
        HistoryEntry entry;  ///< without figures
        QString name;        ///< made beside the window: it is read out of the configuration
    };

    PaletteLookup(Session& session, ViewStack& views, HistoryActions& history, QObject* parent);

    void lookAgain();
    [[nodiscard]] PaletteSource runs();
    [[nodiscard]] PaletteSource findings();

signals:
    void found();  ///< more than before

private:
    void lookForRuns();
    void lookForFindings();

    Session& m_session;
    ViewStack& m_views;
    HistoryActions& m_history;
    std::vector<Run> m_runs;
    std::optional<std::int64_t> m_seen;  ///< HistoryStore::changes() of them
    std::vector<Finding> m_found;
    ScenePtr m_of;       ///< whose they are; null: nobody's
    JobRunner m_finder;  // last: its destructor waits for the worker
};

}  // namespace plumb::ui
