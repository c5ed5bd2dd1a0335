// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_writer.h"

#include "app/cli/write_all.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace plumb::cli {

namespace {

constexpr std::chrono::microseconds kBatchInterval(16667);  // 60 a second
constexpr std::size_t kLossBuckets = 126;  // two points each and both ends: at most 254 points a batch
constexpr std::size_t kQueueLimit = 1000;
constexpr std::chrono::milliseconds kSlice(200);  // of a wait for room
constexpr int kHopelessSlices = 3;                // a reader that is merely slow takes something in this time
constexpr Seconds kRateWindow = 1.0;

constexpr std::chrono::microseconds kUnwatchedInterval(1'000'000);

}  // namespace

EngineWriter::EngineWriter(int descriptor, std::function<void()> onClosed)
    : EngineWriter(
          [descriptor](const protocol::Event& event) {
              return writeAll(descriptor, protocol::encode(event) + "\n");
          },
          std::move(onClosed)) {}

EngineWriter::EngineWriter(std::function<bool(const protocol::Event&)> put, std::function<void()> onClosed)
    : m_put(std::move(put)),
      m_onClosed(std::move(onClosed)),
      m_losses(kLossBuckets),
      m_nextBatch(Clock::now()),
      m_thread([this] { loop(); }) {}

EngineWriter::~EngineWriter() {
    if (m_thread.joinable() && !close(std::chrono::hours(1))) m_thread.detach();
}

void EngineWriter::send(protocol::Event event) {
    const std::lock_guard lock(m_mutex);
    m_queue.push_back(std::move(event));
    m_wake.notify_one();
}

bool EngineWriter::waitForRoom(const std::function<bool()>& isHopeless) {
    std::unique_lock lock(m_mutex);
    const auto isOver = [&] { return m_ended || m_closing || m_queue.size() < kQueueLimit; };
    for (int hopeless = 0; hopeless < kHopelessSlices;) {
        if (m_room.wait_for(lock, kSlice, isOver)) return !m_ended && !m_closing;
        hopeless = isHopeless() ? hopeless + 1 : 0;
    }
    return false;
}

void EngineWriter::setUnwatched(bool unwatched) {
    const std::lock_guard lock(m_mutex);
    m_unwatched = unwatched;
    if (!unwatched) m_nextBatch = std::min(m_nextBatch, Clock::now() + kBatchInterval);
}

void EngineWriter::beginLosses(std::int64_t id) {
    const std::lock_guard lock(m_mutex);
    m_lossId = id;
    m_stepsDone = 0;
    m_skippedSteps = 0;
    m_rates.clear();
}

void EngineWriter::addLoss(const StepMetrics& point) {
    const std::lock_guard lock(m_mutex);
    const bool first = !hasCoalesced();
    if (m_rates.empty()) {  // a resumed run begins later than at step 0
        const Seconds before = point.seconds - (std::isfinite(point.stepSeconds) ? point.stepSeconds : 0);
        m_rates.push_back(Rate{before, point.step});
    }
    m_losses.add(point);
    m_stepsDone = point.step + 1;
    m_skippedSteps += point.skipped ? 1 : 0;
    if (first) m_wake.notify_one();  // later points find the writer already waiting for the next batch
}

void EngineWriter::setReading(std::int64_t id, Reading measured) {
    const std::lock_guard lock(m_mutex);
    m_reading = protocol::Event{id, protocol::ReadingEvent{std::move(measured)}};
    m_wake.notify_one();
}

void EngineWriter::setStatistics(std::int64_t id, LayerStatistics statistics) {
    const std::lock_guard lock(m_mutex);
    m_statistics = protocol::Event{id, protocol::StatisticsEvent{std::move(statistics)}};
    m_wake.notify_one();
}

void EngineWriter::setDevice(std::int64_t id, DeviceMoment moment) {
    const std::lock_guard lock(m_mutex);
    m_device = protocol::Event{id, protocol::DeviceEvent{std::move(moment)}};
    m_wake.notify_one();
}

void EngineWriter::setProgress(std::int64_t id, protocol::Progress progress) {
    const std::lock_guard lock(m_mutex);
    m_progress = protocol::Event{id, std::move(progress)};
    m_wake.notify_one();
}

void EngineWriter::sendLast(protocol::Event event) {
    const std::lock_guard lock(m_mutex);
    queueCoalesced();
    m_queue.push_back(std::move(event));
    m_wake.notify_one();
}

bool EngineWriter::close(std::chrono::milliseconds patience) {
    {
        std::unique_lock lock(m_mutex);
        m_closing = true;
        m_wake.notify_one();
        if (!m_room.wait_for(lock, patience, [&] { return m_ended; })) return false;
    }
    if (m_thread.joinable()) m_thread.join();
    return true;
}

protocol::Event EngineWriter::takeLosses() {
    protocol::LossBatch batch{
        .points = m_losses.points(), .stepsDone = m_stepsDone, .skippedSteps = m_skippedSteps};
    const Rate now{m_losses.last().seconds, m_stepsDone};
    m_losses.clear();
    while (m_rates.size() > 1 && now.seconds - m_rates[1].seconds > kRateWindow) m_rates.pop_front();
    const Seconds elapsed = m_rates.empty() ? 0 : now.seconds - m_rates.front().seconds;
    if (elapsed > 0) batch.stepsPerSecond = static_cast<double>(now.steps - m_rates.front().steps) / elapsed;
    m_rates.push_back(now);
    return {m_lossId, std::move(batch)};
}

void EngineWriter::queueCoalesced() {
    if (!m_losses.empty()) m_queue.push_back(takeLosses());
    for (auto* slot : {&m_reading, &m_statistics, &m_device, &m_progress}) {
        if (!*slot) continue;
        m_queue.push_back(std::move(**slot));
        slot->reset();
    }
}

void EngineWriter::loop() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_wake.wait(lock, [&] { return m_closing || !m_queue.empty() || hasCoalesced(); });
        if (m_queue.empty() && hasCoalesced()) {
            m_wake.wait_until(lock, m_nextBatch, [&] { return m_closing || !m_queue.empty(); });
            if (m_queue.empty()) {
                queueCoalesced();
                m_nextBatch = Clock::now() + (m_unwatched ? kUnwatchedInterval : kBatchInterval);
            }
        }
        if (m_queue.empty()) break;  // closing, and all is written
        const protocol::Event event = std::move(m_queue.front());
        m_queue.pop_front();
        m_room.notify_all();
        lock.unlock();
        // Encoding a reading takes milliseconds: it is done here and not on the training thread.
        const bool written = m_put(event);
        lock.lock();
        if (!written) break;
    }
    const bool readerGone = !m_closing;
    m_ended = true;
    m_room.notify_all();
    lock.unlock();
    if (readerGone) m_onClosed();
}

}  // namespace plumb::cli
