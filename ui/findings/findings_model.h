// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"
#include "core/measure/scene.h"
#include "core/measure/training_series.h"

#include <QAbstractTableModel>
#include <QString>

#include <cstdint>
#include <optional>

namespace plumb::ui {

class Theme;
class Workbench;

/// What the rules look at: the step that is shown, with the newest training of its configuration.
struct ShownStep {
    ScenePtr scene;  ///< never null
    std::optional<TrainingSeries> training;
};
[[nodiscard]] ShownStep shownStep(const Workbench& workbench);
/// What they notice of it, on any thread: remedies of the deepest network are planned for half a second.
[[nodiscard]] Findings findingsOf(const ShownStep& shown);

/// Columns of the table of findings, in their order.
enum class FindingColumn : std::uint8_t { Severity, Sentence, Source, Place, Remedy };
inline constexpr int kFindingColumns = 5;

/// What the rules noticed, the most severe first.
class FindingsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    explicit FindingsModel(Theme& theme, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_theme(theme) {}

    void setFindings(Findings findings);
    [[nodiscard]] const Findings& findings() const { return m_findings; }
    /// Null for a row that is not there.
    [[nodiscard]] const Finding* at(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const Finding& finding, FindingColumn column) const;

    Theme& m_theme;
    Findings m_findings;
};

/// "serious", "warning", "info".
[[nodiscard]] QString severityText(Severity severity);
/// What the view with this id is called.
[[nodiscard]] QString viewName(std::string_view id);
[[nodiscard]] QString basisText(Basis basis);
/// "32 % of the time", "12 % of the memory".
[[nodiscard]] QString stakeText(const Finding& finding);

}  // namespace plumb::ui
