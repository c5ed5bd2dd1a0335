// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/busy_threads.h"

#include "core/calibrate/reduced_message.h"
#include "core/calibrate/survey_rows.h"
#include "core/comm/thread_ranks.h"
#include "core/train/executor.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace plumb {

BusyThreads::BusyThreads(std::size_t count) : m_busy(static_cast<std::ptrdiff_t>(count)) {
    m_threads.reserve(count);
}

BusyThreads::~BusyThreads() { static_cast<void>(end()); }

Result<std::unique_ptr<BusyThreads>> BusyThreads::start(std::vector<Make> makes) {
    std::unique_ptr<BusyThreads> made(new BusyThreads(makes.size()));
    try {
        for (Make& make : makes)
            made->m_threads.emplace_back([self = made.get(), own = std::move(make)](
                                             const std::stop_token& stop) { self->work(own, stop); });
    } catch (const std::system_error& error) {
        makes.clear();  // who waits for those that are missing is told
        return Error{ErrorCode::Unavailable,
                     fmt::format("no thread can be started beside what is measured ({})", error.what()),
                     "end other programs, or use fewer ranks"};
    }
    makes.clear();
    made->m_busy.wait();
    PLUMB_CHECK(made->went());
    return made;
}

void BusyThreads::work(const Make& make, const std::stop_token& stop) {
    bool hasBegun = false;
    const auto rounds = [&]() -> Result<void> {
        PLUMB_TRY(const Round round, make());
        for (bool isOver = false; !isOver;) {
            PLUMB_TRY(isOver, round(stop.stop_requested()));
            if (!std::exchange(hasBegun, true)) m_busy.count_down();
        }
        return {};
    };
    if (const Result<void> went = rounds(); !went.has_value()) {
        const std::scoped_lock lock(m_mutex);
        if (!m_failed) m_failed = went.error();
    }
    if (!hasBegun) m_busy.count_down();
}

Result<void> BusyThreads::end() {
    for (std::jthread& thread : m_threads) thread.request_stop();
    m_threads.clear();
    return went();
}

Result<void> BusyThreads::went() const {
    const std::scoped_lock lock(m_mutex);
    return m_failed ? Result<void>(*m_failed) : Result<void>();
}

Result<std::unique_ptr<BusyThreads>> keepStepping(const std::shared_ptr<const StepPlan>& plan,
                                                  std::span<Backend* const> backends) {
    std::vector<BusyThreads::Make> makes;
    for (Backend* const backend : backends)
        makes.emplace_back([plan, backend]() -> Result<BusyThreads::Round> {
            auto rows = std::make_shared<const SurveyRows>(plan->config);
            PLUMB_TRY(auto made, Executor::create(plan, *backend, rows.get()));
            return BusyThreads::Round(
                [rows, executor = std::shared_ptr<Executor>(std::move(made))](bool isLast) -> Result<bool> {
                    PLUMB_TRY([[maybe_unused]] const auto metrics, executor->runStep());
                    return isLast;
                });
        });
    return BusyThreads::start(std::move(makes));
}

Result<std::unique_ptr<BusyThreads>> keepReducing(int ranks, Bytes bytes) {
    std::vector<BusyThreads::Make> makes;
    for (std::unique_ptr<World>& own : threadRanks(ranks))
        makes.emplace_back(
            [world = std::shared_ptr<World>(std::move(own)), bytes]() -> Result<BusyThreads::Round> {
                PLUMB_TRY(auto made, ReducedMessage::create(*world, Dtype::Fp32, bytes));
                return BusyThreads::Round([world, message = std::shared_ptr<ReducedMessage>(std::move(made))](
                                              bool isLast) -> Result<bool> {
                    // What all add up says whether one of them wants to end.
                    message->first() = isLast ? 1 : 0;
                    PLUMB_TRY([[maybe_unused]] const Seconds seconds, message->reduce());
                    return message->first() > 0;
                });
            });
    return BusyThreads::start(std::move(makes));
}

}  // namespace plumb
