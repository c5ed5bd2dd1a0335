// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_memory.h"

#include <QObject>
#include <QString>

namespace plumb::ui {

/// What the parts of the view of a memory snapshot share: device, key of the groups, and the cursor, a
/// position in the trace of the device (-1: before the first entry).
class AllocatorState final : public QObject {
    Q_OBJECT
public:
    explicit AllocatorState(QObject* parent = nullptr) : QObject(parent) {}

    /// Null: nothing is open. The first device and its peak are chosen.
    void setMemory(std::shared_ptr<const OpenedMemory> memory);
    [[nodiscard]] const OpenedMemory* memory() const { return m_memory.get(); }
    [[nodiscard]] const std::shared_ptr<const OpenedMemory>& shared() const { return m_memory; }
    void setDevice(int index);
    [[nodiscard]] int deviceIndex() const { return m_device; }
    /// Null without one.
    [[nodiscard]] const OpenedDevice* device() const;
    /// Index into kCurveKeys.
    void setKey(int index);
    [[nodiscard]] int key() const { return m_key; }
    /// A position outside of the trace is brought into it.
    void setCursor(std::int64_t position);
    [[nodiscard]] std::int64_t cursor() const { return m_cursor; }

    /// "12.345 ms · entry 30 of 72"; without times the entry alone. Pre: there is a device.
    [[nodiscard]] QString momentText(std::int64_t position) const;
    /// "12.345 ms", or "entry 31" without times.
    [[nodiscard]] QString shortMomentText(std::int64_t position) const;
    /// The first request that failed behind the cursor, or of all when there is none behind it; null: none
    /// failed.
    [[nodiscard]] const OutOfMemory* nextOutOfMemory() const;

signals:
    void deviceChanged();  ///< or the file
    void keyChanged();
    void cursorChanged();

private:
    std::shared_ptr<const OpenedMemory> m_memory;
    int m_device = 0;
    int m_key = 0;
    std::int64_t m_cursor = -1;
};

}  // namespace plumb::ui
