// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/compare/budget.h"
#include "core/compare/comparison.h"
#include "ui/engine/job_runner.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <cstddef>
#include <optional>
#include <vector>

namespace plumb::ui {

/// The steps that are compared, the baseline first, which of the others is looked at in detail, and the
/// budget that this one is held to. Files are read on a worker. GUI thread only.
class ComparedSteps final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMostSteps = 8;

    explicit ComparedSteps(QObject* parent = nullptr) : QObject(parent) {}

    [[nodiscard]] const std::vector<ComparedStep>& steps() const;
    [[nodiscard]] bool isEmpty() const { return steps().empty(); }
    /// Null while there are fewer than two.
    [[nodiscard]] const Comparison* comparison() const { return m_comparison ? &*m_comparison : nullptr; }
    /// Index of the step that is compared in detail; 1 or more where there is one.
    [[nodiscard]] std::size_t detailed() const { return m_detailed; }

    /// Adds a step at the end; its label is made unlike the others'. failed() beyond kMostSteps.
    void add(ComparedStep step);
    /// Reads snapshots and recorded steps and adds them in their order; what cannot be read is told once.
    void open(const QStringList& paths);
    [[nodiscard]] bool isReading() const { return m_reader.busy(); }
    void remove(std::size_t index);
    void clear();
    void makeBaseline(std::size_t index);
    /// The baseline and the step in detail change places.
    void swap();
    void showInDetail(std::size_t index);

    void openBudget(const QString& path);
    void clearBudget();
    [[nodiscard]] QString budgetPath() const { return m_budgetPath; }
    /// The limits and the step in detail, growth over the baseline; empty without a budget or without steps.
    [[nodiscard]] std::vector<BudgetLine> budgetLines() const;

signals:
    void changed();
    void failed(const plumb::Error& error);

private:
    void put(std::vector<ComparedStep> steps, std::size_t detailed);
    void append(std::vector<ComparedStep> added);

    std::vector<ComparedStep> m_alone;  ///< while there is at most one, which is no comparison
    std::optional<Comparison> m_comparison;
    std::size_t m_detailed = 1;
    std::optional<Budget> m_budget;
    QString m_budgetPath;
    QStringList m_waiting;
    JobRunner m_reader;
};

}  // namespace plumb::ui
