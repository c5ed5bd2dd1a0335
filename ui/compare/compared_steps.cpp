// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compared_steps.h"

#include "ui/theme/text.h"

#include <algorithm>
#include <string>
#include <utility>

namespace plumb::ui {
namespace {

/// "a.plumb", and "a.plumb (2)" where there is one.
std::string labelUnlike(const std::vector<ComparedStep>& steps, const std::string& wanted) {
    std::string label = wanted;
    const auto isTaken = [&](const ComparedStep& step) { return step.label == label; };
    for (int number = 2; std::ranges::any_of(steps, isTaken); ++number)
        label = wanted + " (" + std::to_string(number) + ")";
    return label;
}

struct ReadSteps {
    std::vector<ComparedStep> steps;
    std::vector<Error> refused;
};

}  // namespace

const std::vector<ComparedStep>& ComparedSteps::steps() const {
    return m_comparison ? m_comparison->steps : m_alone;
}

void ComparedSteps::put(std::vector<ComparedStep> steps, std::size_t detailed) {
    m_comparison.reset();
    m_alone.clear();
    m_detailed = std::clamp<std::size_t>(detailed, 1, std::max<std::size_t>(steps.size(), 2) - 1);
    if (steps.size() >= 2)
        m_comparison = compare(std::move(steps));
    else
        m_alone = std::move(steps);
    emit changed();
}

void ComparedSteps::append(std::vector<ComparedStep> added) {
    std::vector<ComparedStep> all = steps();
    std::size_t refused = 0;
    for (ComparedStep& step : added) {
        if (all.size() >= kMostSteps) {
            ++refused;
            continue;
        }
        step.label = labelUnlike(all, step.label);
        all.push_back(std::move(step));
    }
    if (added.size() > refused) {
        const std::size_t last = all.size() - 1;
        put(std::move(all), last);
    }
    if (refused > 0)
        emit failed(Error{
            ErrorCode::BadInput,
            tr("%1 steps are compared at most, and %n more were left out", nullptr, static_cast<int>(refused))
                .arg(kMostSteps)
                .toStdString(),
            tr("remove one first").toStdString()});
}

void ComparedSteps::add(ComparedStep step) {
    std::vector<ComparedStep> one;
    one.push_back(std::move(step));
    append(std::move(one));
}

void ComparedSteps::open(const QStringList& paths) {
    // A new job makes the results of the one that runs stale, so it takes over what that one was to read.
    m_waiting += paths;
    m_reader.run(
        [paths = m_waiting] {
            ReadSteps read;
            for (const QString& path : paths) {
                Result<ComparedStep> step = readComparedStep(path.toStdString());
                if (step.has_value())
                    read.steps.push_back(std::move(step.value()));
                else
                    read.refused.push_back(step.error());
            }
            return read;
        },
        [this](ReadSteps read) {
            m_waiting.clear();
            append(std::move(read.steps));
            if (read.refused.size() == 1) emit failed(read.refused.front());
            if (read.refused.size() > 1)
                emit failed(Error{read.refused.front().code,
                                  tr("%1 files could not be read, the first of them: %2")
                                      .arg(read.refused.size())
                                      .arg(toText(read.refused.front().message))
                                      .toStdString(),
                                  read.refused.front().hint});
        });
}

void ComparedSteps::remove(std::size_t index) {
    std::vector<ComparedStep> left = steps();
    if (index >= left.size()) return;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
    put(std::move(left), m_detailed > index && m_detailed > 1 ? m_detailed - 1 : m_detailed);
}

void ComparedSteps::clear() { put({}, 1); }

void ComparedSteps::makeBaseline(std::size_t index) {
    if (index == 0 || index >= steps().size()) return;
    std::vector<ComparedStep> all = steps();
    const auto chosen = all.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(all.begin(), chosen, chosen + 1);
    // The one that was the baseline is what the new one is most likely held against.
    put(std::move(all), m_detailed == index ? 1 : m_detailed + (m_detailed < index ? 1 : 0));
}

void ComparedSteps::swap() {
    if (!m_comparison) return;
    std::vector<ComparedStep> all = steps();
    std::swap(all.front(), all[m_detailed]);
    put(std::move(all), m_detailed);
}

void ComparedSteps::showInDetail(std::size_t index) {
    if (index == 0 || index >= steps().size() || index == m_detailed) return;
    m_detailed = index;
    emit changed();
}

void ComparedSteps::openBudget(const QString& path) {
    Result<Budget> budget = readBudget(path.toStdString());
    if (!budget.has_value()) {
        emit failed(budget.error());
        return;
    }
    m_budget = budget.value();
    m_budgetPath = path;
    emit changed();
}

void ComparedSteps::clearBudget() {
    m_budget.reset();
    m_budgetPath.clear();
    emit changed();
}

std::vector<BudgetLine> ComparedSteps::budgetLines() const {
    if (!m_budget || !m_comparison) return {};
    return checkBudget(*m_budget, steps()[m_detailed], &steps().front());
}

}  // namespace plumb::ui
