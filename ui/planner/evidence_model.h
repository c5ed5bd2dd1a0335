// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/validation.h"
#include "ui/engine/job_runner.h"
#include "ui/widgets/search_words.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

namespace plumb::ui {

/// Which published trainings are looked at, and by which of their figures.
struct EvidenceFilter {
    enum class Use : std::uint8_t { All, Fitted, Validated };
    planner::Figure figure = planner::Figure::Time;
    Use use = Use::All;
    std::array<QString, 4> parts;  ///< of each of planner::divisions(); empty: all
    QString words;

    /// Whether it leaves rows out that have the figure.
    [[nodiscard]] bool narrows() const;
    bool operator==(const EvidenceFilter&) const = default;
};

/// What core says of some of the rows.
struct EvidencePart {
    QString name;
    std::optional<bool> fits;  ///< all of one use; empty: of both
    bool isWhole = false;      ///< all rows of its use that are shown
    planner::ErrorSummary summary;
    int without = 0;  ///< rows without a prediction, which are not in the summary
};

/// The published trainings beside what the planner says of them: worked out once in the life of the program,
/// off the GUI thread, since neither the rows nor the planner change meanwhile. Figures are core's.
class EvidenceModel final : public QObject {
    Q_OBJECT
public:
    using Source = const Result<planner::Evidence>& (*)();
    enum class State : std::uint8_t { Idle, Working, Stopped, Failed, Done };

    explicit EvidenceModel(Source source = &planner::Evidence::builtIn, QObject* parent = nullptr);
    ~EvidenceModel() override;

    /// Works the rows out, unless that goes on or is done.
    void start();
    void cancel();
    [[nodiscard]] State state() const { return m_state; }
    [[nodiscard]] double progress() const { return m_progress; }  ///< share
    [[nodiscard]] QString problem() const { return m_problem; }   ///< why it failed

    /// Pre: Done.
    [[nodiscard]] const planner::Evidence& evidence() const;
    [[nodiscard]] const std::vector<planner::ValidatedRow>& rows() const { return m_rows; }
    [[nodiscard]] bool fits(const planner::ValidatedRow& row) const;

    [[nodiscard]] const EvidenceFilter& filter() const { return m_filter; }
    void setFilter(const EvidenceFilter& filter);
    /// The rows that the filter lets through, in the order of the evidence: with a prediction or without.
    [[nodiscard]] const std::vector<int>& shown() const { return m_shown; }
    /// Rows that have the figure at all.
    [[nodiscard]] int withFigure() const;
    /// Names of the parts of a division over all rows, in alphabetical order.
    [[nodiscard]] QStringList partNames(std::size_t division) const;
    /// Of the shown rows: those of one use.
    [[nodiscard]] EvidencePart whole(bool fits) const;
    /// Of the shown rows: both uses, and the parts of a division; sources below their use; the largest
    /// first.
    [[nodiscard]] std::vector<EvidencePart> parts(std::size_t division) const;

    [[nodiscard]] std::optional<int> selected() const { return m_selected; }
    void select(std::optional<int> row);

signals:
    void changed();     ///< the state
    void progressed();  ///< the share alone
    void filtered();    ///< what is shown
    void selectionChanged();

private:
    [[nodiscard]] bool lets(int row) const;
    [[nodiscard]] EvidencePart partOf(const QString& name, std::optional<bool> fits,
                                      std::optional<std::size_t> division) const;

    Source m_source;
    State m_state = State::Idle;
    double m_progress = 0;
    QString m_problem;
    std::vector<planner::ValidatedRow> m_rows;
    std::vector<std::array<QString, 4>> m_partOf;  ///< of each row, by division
    QStringList m_searched;                        ///< of each row
    EvidenceFilter m_filter;
    std::vector<int> m_shown;
    std::vector<bool> m_isShown;
    std::optional<int> m_selected;
    std::stop_source m_stop;
    JobRunner m_runner;
};

}  // namespace plumb::ui
