// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/validation.h"

#include <QByteArray>
#include <QString>
#include <QVector>

#include <optional>
#include <utility>
#include <vector>

namespace plumb::ui {

class EvidenceModel;

/// "70b-2048-512xh100-80gb": what tells a published training from others of its source.
[[nodiscard]] QString evidenceTitle(const planner::ValidatedRow& row);
/// A time or memory for people: "12.3 s"; "–" where there is none.
[[nodiscard]] QString evidenceFigure(planner::Figure figure, const std::optional<double>& value);
/// "+12.3 %" with a real minus; "–" where there is none.
[[nodiscard]] QString evidenceDeviation(const std::optional<double>& deviation);
/// "−0.110": a bias as `plan validate` prints it.
[[nodiscard]] QString evidenceBias(double bias);
/// "12.3 %".
[[nodiscard]] QString evidenceShare(double share, int digits = 1);
/// What a search looks through.
[[nodiscard]] QString evidenceSearchText(const planner::Evidence& evidence, const planner::ValidatedRow& row);
/// Why a row has no prediction of this figure; empty: it has, or the source prints none.
[[nodiscard]] QString evidenceProblem(const planner::ValidatedRow& row, planner::Figure figure);

/// Everything about a row, name by name; texts are plain.
struct EvidenceFact {
    QString name;
    QString text;
    enum class Tone : std::uint8_t { Plain, Strong, Muted, Warning } tone = Tone::Plain;
    bool begins = false;  ///< the first of those that belong together
};
[[nodiscard]] QVector<EvidenceFact> evidenceFacts(const EvidenceModel& model,
                                                  const planner::ValidatedRow& row);

/// The rows in this order as CSV: raw numbers in seconds and bytes, with a point whatever the locale.
[[nodiscard]] QByteArray evidenceCsv(const EvidenceModel& model, const std::vector<int>& rows);

}  // namespace plumb::ui
