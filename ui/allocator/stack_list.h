// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"

#include <QListWidget>

#include <optional>

namespace plumb::ui {

/// The stack that made an allocation, the innermost frame first; or why there is none.
class StackList final : public QListWidget {
    Q_OBJECT
public:
    explicit StackList(AllocatorState& state, QWidget* parent = nullptr);
    void showAllocation(std::optional<std::uint32_t> allocation);

private:
    void say(const QString& sentence);
    AllocatorState& m_state;
};

}  // namespace plumb::ui
