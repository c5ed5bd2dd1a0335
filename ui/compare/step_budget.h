// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/budget.h"

#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace plumb::ui {

/// The budget that compared steps are held to, of a file.
class StepBudget final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void open(const QString& path);
    void clear();
    [[nodiscard]] QString path() const { return m_path; }  ///< empty: there is none
    /// The limits and the step at `index`, growth over the baseline; empty without a budget.
    [[nodiscard]] std::vector<BudgetLine> lines(const Comparison& comparison, std::size_t index) const;

signals:
    void changed();
    void failed(const plumb::Error& error);

private:
    std::optional<Budget> m_budget;
    QString m_path;
};

}  // namespace plumb::ui
