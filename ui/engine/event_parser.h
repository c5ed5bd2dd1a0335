// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <memory>
#include <string_view>

namespace plumb::ui {

/// Turns the engine's output into events, on a worker thread. `generation` names the process that spoke.
class EventParser final : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void begin(int generation) {
        m_generation = generation;
        m_lines = protocol::LineBuffer();
    }
    void add(const QByteArray& bytes) {
        const std::string_view view(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        for (const Result<std::string>& line : m_lines.add(view)) {
            if (!line.has_value()) {
                emit refused(m_generation, QString::fromStdString(line.error().text()));
                continue;
            }
            Result<protocol::Event> event = protocol::parseEvent(line.value());
            if (event.has_value())
                emit parsed(m_generation, std::make_shared<const protocol::Event>(std::move(event).value()));
            else
                emit refused(m_generation, QString::fromStdString(event.error().text()));
        }
    }
    void end() {
        if (const Result<void> rest = m_lines.finish(); !rest.has_value())
            emit refused(m_generation, QString::fromStdString(rest.error().text()));
        emit ended(m_generation);
    }

signals:
    void parsed(int generation, const std::shared_ptr<const plumb::protocol::Event>& event);
    void refused(int generation, const QString& reason);
    void ended(int generation);

private:
    protocol::LineBuffer m_lines;
    int m_generation = 0;
};

}  // namespace plumb::ui
