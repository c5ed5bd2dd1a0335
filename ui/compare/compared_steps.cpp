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

ComparedSteps::ComparedSteps(QObject* parent) : QObject(parent) {
    constexpr int kTickMs = 100;  // how often progress is told
    m_ticks.setInterval(kTickMs);
    connect(&m_budget, &StepBudget::changed, this, &ComparedSteps::changed);
    connect(&m_budget, &StepBudget::failed, this, &ComparedSteps::failed);
    connect(&m_ticks, &QTimer::timeout, this, [this] {
        if (!isReading() && !isComparing()) m_ticks.stop();
        emit progressed();
    });
}

// The worker is told to stop before its runner waits for it.
ComparedSteps::~ComparedSteps() { m_stop.request_stop(); }

std::function<void(double)> ComparedSteps::begin() {
    m_share = std::make_shared<std::atomic<double>>(0);
    m_ticks.start();
    return [share = m_share](double done) { share->store(done); };
}

void ComparedSteps::stopComparing() {
    m_stop.request_stop();
    m_comparer.cancel();
}

void ComparedSteps::put(std::vector<ComparedStep> steps, std::size_t detailed) {
    if (!m_before) m_before = std::move(m_now);  // else what goes on is of steps that were never compared
    stopComparing();
    detailed = std::clamp<std::size_t>(detailed, 1, std::max<std::size_t>(steps.size(), 2) - 1);
    m_now = {std::move(steps), nullptr, nullptr, detailed};
    if (m_now.steps.size() >= 2 && comparisonWork(m_now.steps) > kWorkAtOnce) {
        workOut(detailed);
    } else {
        if (m_now.steps.size() >= 2) {
            m_now.comparison = std::make_shared<const Comparison>(compare(m_now.steps));
            m_now.detail = detailOf(*m_now.comparison, detailed);
        }
        m_before.reset();
    }
    emit changed();
}

void ComparedSteps::workOut(std::size_t index) {
    m_stop = {};
    const CompareControl control{m_stop.get_token(), begin()};
    struct Made {
        std::shared_ptr<const Comparison> comparison;
        std::shared_ptr<const CompareDetail> detail;
    };
    m_comparer.run(
        [steps = m_now.steps, comparison = m_now.comparison, index, control]() mutable {
            if (comparison == nullptr) {
                std::optional<Comparison> found = compare(std::move(steps), control);
                if (!found) return Made();
                comparison = std::make_shared<const Comparison>(*std::move(found));
            }
            return Made{comparison, detailOf(*comparison, index)};
        },
        [this, index](Made made) {
            m_now.comparison = std::move(made.comparison);
            m_now.detail = std::move(made.detail);
            m_now.detailed = index;
            m_before.reset();
            emit changed();
        });
    emit progressed();
}

void ComparedSteps::cancel() {
    const bool wasReading = isReading();
    m_reader.cancel();
    m_waiting.clear();
    if (isComparing() && m_before) {
        stopComparing();
        m_now = std::move(*m_before);
        m_before.reset();
    } else if (!wasReading) {
        return;
    }
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
            tr("%1 steps are compared at most; left out: %2").arg(kMostSteps).arg(refused).toStdString(),
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
        [paths = m_waiting, progress = begin()] {
            ReadSteps read;
            for (const QString& path : paths) {
                progress(static_cast<double>(read.steps.size() + read.refused.size()) /
                         static_cast<double>(paths.size()));
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
    emit progressed();
}

void ComparedSteps::remove(std::size_t index) {
    std::vector<ComparedStep> left = steps();
    if (index >= left.size()) return;
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(index));
    put(std::move(left), detailed() > index && detailed() > 1 ? detailed() - 1 : detailed());
}

void ComparedSteps::clear() { put({}, 1); }

void ComparedSteps::makeBaseline(std::size_t index) {
    if (index == 0 || index >= steps().size()) return;
    std::vector<ComparedStep> all = steps();
    const auto chosen = all.begin() + static_cast<std::ptrdiff_t>(index);
    std::rotate(all.begin(), chosen, chosen + 1);
    // The one that was the baseline is what the new one is most likely held against.
    put(std::move(all), detailed() == index ? 1 : detailed() + (detailed() < index ? 1 : 0));
}

void ComparedSteps::swap() {
    if (steps().size() < 2) return;
    std::vector<ComparedStep> all = steps();
    std::swap(all.front(), all[detailed()]);
    put(std::move(all), detailed());
}

void ComparedSteps::showInDetail(std::size_t index) {
    if (index == 0 || index >= steps().size() || index == detailed()) return;
    if (m_now.comparison != nullptr && comparisonWork(steps()) > kWorkAtOnce) {
        m_before = m_now;
        return workOut(index);
    }
    m_now.detailed = index;
    // What is being compared is of the step that was chosen when it began.
    if (m_now.comparison == nullptr && isComparing()) return put(steps(), index);
    if (m_now.comparison != nullptr) m_now.detail = detailOf(*m_now.comparison, index);
    emit changed();
}

}  // namespace plumb::ui
