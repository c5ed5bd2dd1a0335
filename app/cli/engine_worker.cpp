// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_worker.h"

#include "core/train/weights_inspection.h"

#include <utility>

namespace plumb::cli {

using protocol::EngineState;

void EngineWorker::start(EngineWork work, EngineState state, std::int64_t id) {
    if (!begin(work, state)) return m_writer.refuse(id, "the engine is busy", "stop what it does first");
    m_writer.send({id, protocol::State{state}});
    m_thread = std::jthread(
        [this, id, work = std::move(work)](const std::stop_token& stop) { doWork(work, id, stop); });
}

bool EngineWorker::begin(const EngineWork& work, EngineState state) {
    const std::lock_guard lock(m_mutex);
    if (m_state != EngineState::Idle) return false;
    m_state = state;
    const auto* training = std::get_if<protocol::Run>(&work);
    m_keepsCheckpoints = training != nullptr && !training->checkpoints.folder.empty();
    if (training != nullptr) m_learned.reset();
    return true;
}

void EngineWorker::doWork(const EngineWork& work, std::int64_t id, const std::stop_token& stop) {
    const EngineJob job{
        id,
        m_writer,
        stop,
        [this] {
            const std::lock_guard lock(m_mutex);
            return m_state == EngineState::Paused;
        },
        [this, stop](const std::function<void()>& meanwhile) { return waitWhilePaused(stop, meanwhile); },
        [this] { return nextRequest(); },
        [this](const RunConfig& config, LearnedWeights weights, std::int64_t steps) {
            const std::lock_guard lock(m_mutex);
            m_learned = std::make_shared<const Learned>(Learned{config, std::move(weights), steps});
        },
        m_pyTorch,
        m_loss};
    end(id, runJob(work, job));
}

void EngineWorker::end(std::int64_t id, protocol::Finished finished) {
    const std::lock_guard lock(m_mutex);
    // Those that came after the last step had asked for them.
    for (const TensorRequest& request : std::exchange(m_requests, {}))
        m_writer.refuse(request.id, "the training ended before the tensor was written", "ask while it runs");
    m_state = EngineState::Idle;
    m_writer.sendLast({id, std::move(finished)});
    m_writer.send({id, protocol::State{EngineState::Idle}});
    m_changed.notify_all();
}

void EngineWorker::setPaused(bool paused, std::int64_t id) {
    const EngineState wanted = paused ? EngineState::Paused : EngineState::Running;
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == EngineState::Running || m_state == EngineState::Paused) {
            m_state = wanted;
            m_changed.notify_all();
            // Sent under the lock, so that the end of the run cannot come between.
            m_writer.send({id, protocol::State{wanted}});
            return;
        }
    }
    m_writer.refuse(id, paused ? "no training goes on that could be paused" : "no training is paused",
                    "run first");
}

bool EngineWorker::waitWhilePaused(const std::stop_token& stop, const std::function<void()>& meanwhile) {
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait(lock, stop, [&] { return m_state != EngineState::Paused || !m_requests.empty(); });
        if (m_state != EngineState::Paused || stop.stop_requested()) return !stop.stop_requested();
        lock.unlock();
        meanwhile();  // takes the requests, with the lock of its own
        lock.lock();
    }
}

void EngineWorker::inspect(const protocol::Inspect& command, std::int64_t id) {
    // More than that wait only for a client that asks without looking at the answers.
    constexpr std::size_t kMostRequests = 64;
    std::shared_ptr<const Learned> learned;
    {
        const std::lock_guard lock(m_mutex);
        const bool training = m_state == EngineState::Running || m_state == EngineState::Paused;
        learned = m_learned;
        if (training && m_requests.size() < kMostRequests) {
            m_requests.push_back({id, command.role, command.layer, command.saveTo});
            m_changed.notify_all();
            return;
        }
        if (training) return m_writer.refuse(id, "too many tensors are asked for", "wait for the answers");
    }
    if (learned) return inspectLearned(*learned, command, id);
    m_writer.refuse(id, "no training goes on whose tensors could be looked at", "run first");
}

void EngineWorker::inspectLearned(const Learned& learned, const protocol::Inspect& command, std::int64_t id) {
    if (command.role != TensorRole::Weight)
        return m_writer.refuse(id, "the training is over: its weights are left, and nothing else",
                               "run again");
    const auto inspection =
        inspectWeights(learned.config, learned.weights, command.layer, learned.steps, command.saveTo);
    if (inspection.has_value())
        m_writer.send({id, protocol::TensorValues{*inspection}});
    else
        m_writer.send({id, protocol::ErrorEvent{inspection.error()}});
}

std::optional<TensorRequest> EngineWorker::nextRequest() {
    const std::lock_guard lock(m_mutex);
    if (m_requests.empty()) return std::nullopt;
    const TensorRequest request = m_requests.front();
    m_requests.pop_front();
    return request;
}

bool EngineWorker::stop(std::chrono::milliseconds patience, std::chrono::milliseconds patienceToSave) {
    m_thread.request_stop();
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, m_keepsCheckpoints ? patienceToSave : patience,
                              [&] { return m_state == EngineState::Idle; });
}

}  // namespace plumb::cli
