// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace plumb::ui {

/// What an entry of the history is of. In the database and in searches by its word (historyKindWord()).
enum class HistoryKind : std::uint8_t { Training, Profile, Curve };

/// One number of an entry, predicted or measured, as its reading said it.
struct HistoryFigure {
    QString name;  ///< "step_time": one of historyFigures()
    bool isMeasured = false;
    double value = 0;                 ///< finite; a number that is not known has no figure
    QString unit;                     ///< "s", "B", empty
    QString tier;                     ///< tierName(); empty: it has none
    QString source;                   ///< sourceName(); empty: it has none
    std::optional<double> low, high;  ///< its spread; absent: not known
    bool operator==(const HistoryFigure&) const = default;
};

/// One training, profile or measured curve that is kept. Times are milliseconds since 1970, UTC.
struct HistoryEntry {
    std::int64_t id = 0;  ///< in this database; 0: not in one yet
    QString uid;          ///< the same in every database that it was copied to
    HistoryKind kind = HistoryKind::Training;
    std::int64_t began = 0;
    std::int64_t ended = 0;  ///< 0: it goes on, or its end was never seen
    QString program;         ///< programVersion() of the window that kept it
    QString title;           ///< "D 256 · L 4 · B 256 · fp32 · AdamW"
    QString config;          ///< as in a snapshot, JSON
    QString configKey;       ///< equal for equal configurations
    QString deviceId;
    QString device;        ///< name of the device
    QString deviceSource;  ///< where its ceilings are from: "calibrated 2026-11-20"
    QString engine;        ///< what ran it where that was not the built-in trainer
    QString outcome;       ///< of a training, in the engine's words
    std::int64_t steps = 0;
    QString path;  ///< file that it was saved in; empty: none
    QString note;
    bool isFavourite = false;
    QStringList tags;  ///< sorted, none twice
    std::vector<HistoryFigure> figures;
    std::int64_t snapshotBytes = 0;  ///< of its snapshot, packed; 0: it has none (any more)

    /// Null where it was not predicted or measured.
    [[nodiscard]] const HistoryFigure* figure(const QString& name, bool isMeasured) const;
    bool operator==(const HistoryEntry&) const = default;
};

/// What the history may take. What is more goes: of the oldest that are no favourites first the snapshots,
/// then the entries.
struct HistoryBounds {
    static constexpr std::int64_t kBytes = std::int64_t{500} * 1000 * 1000;
    static constexpr std::int64_t kEntries = 10'000;
    std::int64_t bytes = kBytes;
    std::int64_t entries = kEntries;
    bool operator==(const HistoryBounds&) const = default;
};

/// What goes when the bounds are set lower.
struct HistoryLoss {
    std::vector<std::int64_t> removed;  ///< entries above the number, which can be had back
    std::int64_t removedBytes = 0;      ///< of their snapshots, packed
    std::int64_t entries = 0;           ///< gone for good, for the bytes
    std::int64_t snapshots = 0;         ///< the same, of entries that stay or go
    std::int64_t bytes = 0;             ///< that are given back to the disk at once
    [[nodiscard]] bool isNothing() const { return removed.empty() && entries == 0 && snapshots == 0; }
};

struct HistoryUsage {
    std::int64_t bytes = 0;
    std::int64_t entries = 0;
    std::int64_t snapshots = 0;
    HistoryBounds bounds;
};

/// "training", "profile", "curve": the word in the database and in searches, in every language the same.
[[nodiscard]] QString historyKindWord(HistoryKind kind);
[[nodiscard]] std::optional<HistoryKind> historyKindOf(const QString& word);
/// The kind for people: "Training".
[[nodiscard]] QString historyKindTitle(HistoryKind kind);

/// A number that entries have.
struct HistoryFigureSpec {
    const char* name;       ///< in the database and in searches
    const char* title;      ///< to be translated
    const char* unit;       ///< as parseQuantity() and formatQuantity() take it; "%": a share
    const char* shortName;  ///< a second name in searches
};
[[nodiscard]] const std::vector<HistoryFigureSpec>& historyFigures();
/// By either name; null for one that nobody knows.
[[nodiscard]] const HistoryFigureSpec* historyFigure(const QString& name);
[[nodiscard]] QString historyFigureTitle(const HistoryFigureSpec& spec);
/// The value with its unit, as it is shown.
[[nodiscard]] QString historyFigureText(const HistoryFigureSpec& spec, double value);

}  // namespace plumb::ui
