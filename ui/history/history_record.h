// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/snapshot/snapshot.h"
#include "ui/history/history_entry.h"

#include <QByteArray>
#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace plumb::ui {

/// A piece of work of the engine that is to be kept, as the window knows it.
struct FinishedWork {
    HistoryKind kind = HistoryKind::Training;
    QString uid;  ///< the same again writes over what was kept of it
    RunConfig config;
    Target target;
    std::int64_t began = 0;  ///< milliseconds since 1970, UTC
    std::int64_t ended = 0;  ///< 0: it goes on
    std::optional<TrainingSeries> training;
    double stepsPerSecond = 0;                ///< of the training; 0: not known
    std::shared_ptr<const Reading> measured;  ///< null: nothing was measured
    std::vector<MeasuredPolicy> curve;
};

struct KeptWork {
    HistoryEntry entry;
    QByteArray packed;  ///< its snapshot
};

/// Plans, predicts, writes and packs: tens of milliseconds, off the window's thread. Errors: those of
/// planStep().
[[nodiscard]] Result<KeptWork> kept(const FinishedWork& work);

/// The text of its file, compressed.
[[nodiscard]] QByteArray packedSnapshot(const Snapshot& snapshot);
/// The way back; messages call it `name`. Errors: BadInput for what is damaged or too large; those of
/// parseSnapshot().
[[nodiscard]] Result<Snapshot> unpackedSnapshot(const QByteArray& packed, const QString& name);

/// Equal for equal configurations: twelve digits.
[[nodiscard]] QString configKeyOf(const RunConfig& config);

}  // namespace plumb::ui
