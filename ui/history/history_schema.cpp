// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history/history_schema.h"

#include <QStringList>

#include <vector>

namespace plumb::ui {
namespace {

QStringList firstTables() {
    return {QStringLiteral("CREATE TABLE entries ("
                           "id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, "
                           "began INTEGER NOT NULL, ended INTEGER NOT NULL DEFAULT 0, "
                           "program TEXT NOT NULL, title TEXT NOT NULL, "
                           "config TEXT NOT NULL, config_key TEXT NOT NULL, "
                           "device_id TEXT NOT NULL, device TEXT NOT NULL, device_source TEXT NOT NULL, "
                           "engine TEXT NOT NULL DEFAULT '', outcome TEXT NOT NULL DEFAULT '', "
                           "steps INTEGER NOT NULL DEFAULT 0, path TEXT NOT NULL DEFAULT '', "
                           "note TEXT NOT NULL DEFAULT '', favourite INTEGER NOT NULL DEFAULT 0, "
                           "removed INTEGER NOT NULL DEFAULT 0)"),
            QStringLiteral("CREATE INDEX entries_began ON entries (began)"),
            QStringLiteral("CREATE TABLE figures ("
                           "entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE, "
                           "name TEXT NOT NULL, measured INTEGER NOT NULL, value REAL NOT NULL, "
                           "unit TEXT NOT NULL, tier TEXT NOT NULL, source TEXT NOT NULL, "
                           "low REAL, high REAL, PRIMARY KEY (entry, name, measured)) WITHOUT ROWID"),
            QStringLiteral("CREATE INDEX figures_name ON figures (name, measured)"),
            QStringLiteral("CREATE TABLE tags ("
                           "entry INTEGER NOT NULL REFERENCES entries (id) ON DELETE CASCADE, "
                           "tag TEXT NOT NULL, PRIMARY KEY (entry, tag)) WITHOUT ROWID"),
            QStringLiteral("CREATE TABLE snapshots ("
                           "entry INTEGER PRIMARY KEY REFERENCES entries (id) ON DELETE CASCADE, "
                           "packed BLOB NOT NULL)"),
            QStringLiteral("CREATE TABLE bounds (name TEXT PRIMARY KEY, value INTEGER NOT NULL) "
                           "WITHOUT ROWID")};
}

}  // namespace

HistoryDatabase::Migrations historyMigrations() {
    static const std::vector<QStringList> kVersions{firstTables()};
    return kVersions;
}

}  // namespace plumb::ui
