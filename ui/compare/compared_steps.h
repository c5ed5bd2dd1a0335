// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/compare/comparison.h"
#include "ui/compare/compare_detail.h"
#include "ui/compare/step_budget.h"
#include "ui/engine/job_runner.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace plumb::ui {

/// The steps that are compared, the baseline first, which of the others is looked at in detail, and the
/// budget that this one is held to. Files are read on a worker, and large steps are compared on one: until
/// they are, steps() are the new ones and there is no comparison. GUI thread only.
class ComparedSteps final : public QObject {
    Q_OBJECT
public:
    static constexpr std::size_t kMostSteps = 8;

    /// As much work is done at once: a few milliseconds (comparisonWork()).
    static constexpr std::size_t kWorkAtOnce = 5'000;

    explicit ComparedSteps(QObject* parent = nullptr);
    ~ComparedSteps() override;

    [[nodiscard]] const std::vector<ComparedStep>& steps() const { return m_now.steps; }
    /// Null while there are fewer than two, and while they are compared.
    [[nodiscard]] const Comparison* comparison() const { return m_now.comparison.get(); }
    /// The step in detail() against the baseline; null where comparison() is.
    [[nodiscard]] std::shared_ptr<const CompareDetail> detail() const { return m_now.detail; }
    /// Index of the step that is compared in detail; 1 or more where there is one.
    [[nodiscard]] std::size_t detailed() const { return m_now.detailed; }

    /// Adds a step at the end; its label is made unlike the others'. failed() beyond kMostSteps.
    void add(ComparedStep step);
    /// Reads snapshots and recorded steps and adds them in their order; what cannot be read is told once.
    void open(const QStringList& paths);
    [[nodiscard]] bool isReading() const { return m_reader.busy(); }
    [[nodiscard]] bool isComparing() const { return m_comparer.busy(); }
    [[nodiscard]] double share() const { return m_share->load(); }  ///< done of what goes on, from 0 to 1
    /// Gives up what goes on; what was compared before it is there again.
    void cancel();
    void remove(std::size_t index);
    void clear();
    void makeBaseline(std::size_t index);
    /// The baseline and the step in detail change places.
    void swap();
    void showInDetail(std::size_t index);

    [[nodiscard]] StepBudget& budget() { return m_budget; }

signals:
    void changed();
    void progressed();  ///< reading or comparing began, or went on
    void failed(const plumb::Error& error);

private:
    void put(std::vector<ComparedStep> steps, std::size_t detailed);
    void append(std::vector<ComparedStep> added);

    struct Compared {
        std::vector<ComparedStep> steps;
        std::shared_ptr<const Comparison> comparison;
        std::shared_ptr<const CompareDetail> detail;
        std::size_t detailed = 1;
    };
    void stopComparing();
    /// Compares the steps, where they are not, and works out the detail of the one at `index`.
    void workOut(std::size_t index);
    [[nodiscard]] std::function<void(double)> begin();

    Compared m_now;
    std::optional<Compared> m_before;  ///< while comparing: what cancel() goes back to
    StepBudget m_budget;
    QStringList m_waiting;
    std::shared_ptr<std::atomic<double>> m_share = std::make_shared<std::atomic<double>>(0);
    QTimer m_ticks;
    std::stop_source m_stop;
    JobRunner m_reader;
    JobRunner m_comparer;  // last: their destructors wait for the workers
};

}  // namespace plumb::ui
