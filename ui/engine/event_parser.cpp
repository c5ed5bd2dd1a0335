// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/event_parser.h"

#include "core/base/ascii.h"
#include "core/base/plain_text.h"
#include "ui/theme/text.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <unistd.h>
#include <utility>

namespace plumb::ui {
namespace {
constexpr std::size_t kReadBytes = std::size_t{256} << 10U;
// No pipe holds more without privileges; a child of the engine that goes on writing must not keep us.
constexpr std::size_t kDrainBytes = std::size_t{1} << 20U;
constexpr std::size_t kShownCharacters = 60;  // of what is no message
}  // namespace

void EventParser::begin(int generation, int descriptor) {
    close();
    m_generation = generation;
    m_lines = protocol::LineBuffer();
    m_batch = {};
    forgetJoins();
    m_buffer.resize(kReadBytes);
    m_finishing = false;
    m_waiting = false;
    m_hasSpoken = false;
    m_descriptor = descriptor;
    m_notifier = std::make_unique<QSocketNotifier>(descriptor, QSocketNotifier::Read);
    connect(m_notifier.get(), &QSocketNotifier::activated, this, &EventParser::pump);
}

void EventParser::proceed(int generation) {
    if (generation != m_generation) return;
    m_waiting = false;
    if (m_finishing)
        pump();
    else if (m_notifier)
        m_notifier->setEnabled(true);
}

void EventParser::finish(int generation) {
    if (generation != m_generation) return;
    m_finishing = true;
    m_drainBytes = kDrainBytes;
    if (!m_waiting) pump();
}

void EventParser::close() {
    m_notifier.reset();
    if (m_descriptor >= 0) ::close(m_descriptor);
    m_descriptor = -1;
    m_finishing = false;
}

void EventParser::pump() {
    if (m_waiting) return;
    ssize_t count = 0;
    do {
        count = -1;
        if (m_descriptor < 0 || (m_finishing && m_drainBytes == 0)) break;
        count = ::read(m_descriptor, m_buffer.data(), m_buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        const auto size = static_cast<std::size_t>(count);
        if (m_finishing) m_drainBytes -= std::min(size, m_drainBytes);
        for (Result<std::string>& line : m_lines.add({m_buffer.data(), size})) add(std::move(line));
        refuseForeignStart({m_buffer.data(), size});
        if (!m_batch.items.empty()) return hand();
    } while (m_finishing);

    if (m_finishing) {
        const int generation = m_generation;
        if (const Result<void> rest = m_lines.finish(); !rest.has_value()) {
            m_batch.items.push_back({nullptr, coreText(rest.error().text()), true});
            hand();
        }
        close();
        emit ended(generation);
    } else if (count == 0 && m_notifier) {
        m_notifier->setEnabled(false);  // closed: the end of the process is told by finish()
    }
}

void EventParser::refuseForeignStart(std::string_view bytes) {
    if (m_hasSpoken) return;
    const std::string_view said = trimmed(bytes);
    m_hasSpoken = !said.empty();
    // A prompt waits for an answer and ends no line: nothing else would ever be heard of it.
    if (!said.empty() && said.front() != '{' && m_batch.items.empty())
        m_batch.items.push_back(
            {nullptr, tr("it begins with “%1”").arg(toText(plainLine(said, kShownCharacters)))});
}

void EventParser::add(Result<std::string> line) {
    if (line.has_value()) {
        Result<protocol::Event> event = protocol::parseEvent(line.value());
        if (event.has_value()) return put(std::move(event).value());
        // One of another release is refused by whoever knows what that means.
        if (std::optional<protocol::Hello> hello = protocol::helloOf(line.value()))
            return put({protocol::headingOf(line.value()).id, std::move(*hello)});
        line = event.error();
    }
    forgetJoins();
    m_batch.items.push_back({nullptr, coreText(line.error().text())});
}

void EventParser::put(protocol::Event event) {
    const auto join = [&](std::optional<std::size_t>& with) -> protocol::Event* {
        if (with && m_batch.items[*with].event->id == event.id) return m_batch.items[*with].event.get();
        with = m_batch.items.size();
        return nullptr;
    };
    if (auto* losses = std::get_if<protocol::LossBatch>(&event.body)) {
        if (protocol::Event* earlier = join(m_losses)) {
            auto& all = std::get<protocol::LossBatch>(earlier->body);
            std::ranges::move(losses->points, std::back_inserter(all.points));
            all.stepsDone = losses->stepsDone;
            all.stepsPerSecond = losses->stepsPerSecond;
            all.skippedSteps = losses->skippedSteps;
            return;
        }
    } else if (std::holds_alternative<protocol::ReadingEvent>(event.body)) {
        if (protocol::Event* earlier = join(m_reading)) {
            *earlier = std::move(event);
            return;
        }
    } else if (std::holds_alternative<protocol::StatisticsEvent>(event.body)) {
        // The first of a run is kept for good, so only those from the second on may be replaced.
        const bool isFirst = !m_statistics[0] || m_batch.items[*m_statistics[0]].event->id != event.id;
        if (isFirst) m_statistics[1].reset();
        if (protocol::Event* earlier = join(m_statistics[isFirst ? 0 : 1])) {
            *earlier = std::move(event);
            return;
        }
    } else {
        forgetJoins();
    }
    m_batch.items.push_back({std::make_shared<protocol::Event>(std::move(event)), {}});
}

void EventParser::forgetJoins() {
    m_losses.reset();
    m_reading.reset();
    m_statistics = {};
}

void EventParser::hand() {
    m_waiting = true;
    if (m_notifier) m_notifier->setEnabled(false);
    forgetJoins();
    emit parsed(m_generation, std::make_shared<const EventBatch>(std::exchange(m_batch, {})));
}

}  // namespace plumb::ui
