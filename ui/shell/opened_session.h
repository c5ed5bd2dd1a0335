// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_provenance.h"
#include "core/io/read_control.h"
#include "core/recorded/step_file.h"
#include "core/snapshot/snapshot.h"
#include "ui/workbench/workbench.h"

#include <QString>

#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace plumb::ui {

/// A session as a document shows it: its step is planned and predicted, so that the window only puts it in
/// its place. Made on any thread, since for the deepest networks that takes longer than reading them.
struct OpenedSession {
    OpenedScene scene;
    std::vector<SessionCurve> curves;
    std::optional<FitProof> proof;
    /// What the file says of the data of its configuration.
    std::optional<std::pair<RunConfig, DataProvenance>> data;
    Marks marks;
    std::optional<std::int64_t> stepsWanted;  ///< of the next run; empty: the file does not say
    QString notice;                           ///< what is to be said of it; empty: nothing
};

/// The session of a snapshot whose runs are called `name`. Errors: those of planStep(), and readingStopped().
[[nodiscard]] Result<OpenedSession> openedSession(const QString& name, Snapshot snapshot,
                                                  const ReadControl& control = {});

/// What a document reads: a session, or the step that a recorder wrote down.
using OpenedAny = std::variant<OpenedSession, StepFile>;
/// The part of opening the deepest network's file that reading it takes; what is left is openedSession().
inline constexpr double kReadShare = 0.7;
/// Errors: BadInput for what is no file of any kind that can be opened; those of readSnapshot(),
/// readStepFile() and openedSession().
[[nodiscard]] Result<OpenedAny> readOpened(const QString& path, const ReadControl& control);

}  // namespace plumb::ui
