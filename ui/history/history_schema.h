// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/history/history_database.h"

namespace plumb::ui {

/// The tables of docs/history.md, version by version. A published version stays as it is: what changes later
/// is one more.
[[nodiscard]] HistoryDatabase::Migrations historyMigrations();

}  // namespace plumb::ui
