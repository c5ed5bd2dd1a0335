// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

class QAbstractItemModel;
class QTableView;

namespace plumb::ui {

class Card;

/// What the dot before a name takes of its cell.
inline constexpr int kEvidenceUseRoom = 18;

/// A table of the page of evidence, which fills the card: dots of the use, warnings on what misses the goals,
/// shares held as bars. `rows` is EvidenceParts or EvidenceRows; keys and sizes reach `filter` as events.
[[nodiscard]] QTableView* makeEvidenceTable(Theme& theme, const EvidenceModel& model, const char* name,
                                            Card* card, QAbstractItemModel* rows, QObject* filter);
/// Width of a column of such a table with room for its title and for this text.
[[nodiscard]] int evidenceColumnWidth(const QTableView& table, int column, const QString& widest);

}  // namespace plumb::ui
