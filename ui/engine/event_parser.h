// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QObject>
#include <QSocketNotifier>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace plumb::ui {

/// What one read gave, in order. Losses, readings and statistics of one command are put together: the points
/// of all, the last reading, the first and the last statistics.
struct EventBatch {
    struct Item {
        std::shared_ptr<protocol::Event> event;  ///< null: refused
        QString refusal;
        bool isCutShort = false;  ///< refused, since the engine's output ended inside of it
    };
    std::vector<Item> items;
};

/// Reads the engine's output and turns it into events, on a worker thread. `generation` names the process
/// that spoke.
///
/// One batch at a time is under way: the next read waits for proceed(). An engine that says more than the
/// window can take finds its pipe full and waits, and the window's memory stays as it is.
class EventParser final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    ~EventParser() override { close(); }

    /// Takes over `descriptor`, the non-blocking read end of the engine's output.
    void begin(int generation, int descriptor);
    void proceed(int generation);  ///< the batch has been dealt with
    void finish(int generation);   ///< the process has ended: what the pipe still holds, then ended()
    void close();                  ///< nobody wants to hear more

signals:
    void parsed(int generation, const std::shared_ptr<const plumb::ui::EventBatch>& batch);
    void ended(int generation);

private:
    void pump();
    void add(Result<std::string> line);
    void put(protocol::Event event);
    void refuseForeignStart(std::string_view bytes);
    void hand();
    void forgetJoins();

    protocol::LineBuffer m_lines;
    std::unique_ptr<QSocketNotifier> m_notifier;
    EventBatch m_batch;
    std::optional<std::size_t> m_losses, m_reading;          ///< items that a following one may join
    std::array<std::optional<std::size_t>, 2> m_statistics;  ///< the first one and the newest
    std::vector<char> m_buffer;
    std::size_t m_drainBytes = 0;  ///< that may still be read once the process is gone
    int m_descriptor = -1;
    int m_generation = 0;
    bool m_hasSpoken = false;  ///< something but blanks
    bool m_finishing = false;
    bool m_waiting = false;  ///< for proceed()
};

}  // namespace plumb::ui
