// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/protocol.h"
#include "core/measure/loss_history.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace plumb::cli {

/// Writes events to a descriptor, or wherever else they go, from a thread of its own, so that a slow reader
/// never holds up training.
///
/// Losses, readings, what a device tells and progress coalesce while they wait: losses into one decimated
/// batch at most 60 times a second, of the others the newest stays. Everything else is sent, in order. What
/// waits is therefore bounded however slow the reader is. All member functions may be called from any thread.
class EngineWriter {
public:
    /// `onClosed` is called once, from the writer's thread, when the reader has gone away.
    EngineWriter(int descriptor, std::function<void()> onClosed);
    /// `put` takes the events, on the writer's thread, and is waited for; false: nobody will take any more.
    EngineWriter(std::function<bool(const protocol::Event&)> put, std::function<void()> onClosed);
    ~EngineWriter();  ///< as close()
    EngineWriter(const EngineWriter&) = delete;
    EngineWriter& operator=(const EngineWriter&) = delete;

    void send(protocol::Event event);
    /// Answers command `id` with an error of BadInput.
    void refuse(std::int64_t id, std::string message, std::string hint) {
        send({id, protocol::ErrorEvent{{ErrorCode::BadInput, std::move(message), std::move(hint)}}});
    }
    /// Waits while a thousand events are queued: a client that asks and never reads is held up. False, and
    /// nothing should be sent any more, when the reader has gone, close() was called, or `isHopeless` (asked
    /// about every 200 ms) has said so for half a second in which the reader took nothing.
    [[nodiscard]] bool waitForRoom(const std::function<bool()>& isHopeless);

    /// Nobody looks at the losses as they come: batches of a second are enough.
    void setUnwatched(bool unwatched);
    void beginLosses(std::int64_t id);  ///< losses from now on belong to command `id`
    void addLoss(const StepMetrics& point);
    void setStatistics(std::int64_t id, LayerStatistics statistics);
    void setReading(std::int64_t id, Reading measured);
    void setDevice(std::int64_t id, DeviceMoment moment);
    void setProgress(std::int64_t id, protocol::Progress progress);
    /// Queues what coalesces, then `event`: nothing of a run comes after its end.
    void sendLast(protocol::Event event);

    /// Writes what is queued and ends. False when the reader did not take it within `patience`; the writer's
    /// thread is then left behind, and the process must end with std::_Exit().
    [[nodiscard]] bool close(std::chrono::milliseconds patience);

private:
    using Clock = std::chrono::steady_clock;
    struct Rate {
        Seconds seconds = 0;
        std::int64_t steps = 0;
    };

    void loop();
    void queueCoalesced();                       // with the lock held
    [[nodiscard]] protocol::Event takeLosses();  // with the lock held; some are pending
    [[nodiscard]] bool hasCoalesced() const {
        return !m_losses.empty() || m_reading || m_statistics || m_device || m_progress;
    }

    const std::function<bool(const protocol::Event&)> m_put;
    const std::function<void()> m_onClosed;
    std::mutex m_mutex;
    std::condition_variable m_wake;  // the writer's thread
    std::condition_variable m_room;  // those who wait for it
    std::deque<protocol::Event> m_queue;
    LossHistory m_losses;
    std::int64_t m_lossId = 0;
    std::int64_t m_stepsDone = 0;
    std::int64_t m_skippedSteps = 0;
    std::deque<Rate> m_rates;  // about the last second of batches
    std::optional<protocol::Event> m_reading;
    std::optional<protocol::Event> m_statistics;
    std::optional<protocol::Event> m_device;
    std::optional<protocol::Event> m_progress;
    Clock::time_point m_nextBatch;
    bool m_unwatched = false;
    bool m_closing = false;
    bool m_ended = false;
    std::thread m_thread;  // last: it uses all of the above
};

}  // namespace plumb::cli
