// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_style.h"
#include "ui/opened/opened_trace.h"

#include <QString>
#include <QVector>

#include <cstdint>

namespace plumb::ui {

/// Kinds of slices that share a colour in the lanes of a trace, and an entry of its legend.
enum class TraceTone : std::uint8_t {
    Products,
    Attention,
    Norm,
    Loss,
    Elementwise,
    Index,
    Optimizer,
    Communication,
    Copies,
    OtherWork,
    Ops,
    Calls,
    Notes,
    Waits,
    OtherHost
};
inline constexpr std::size_t kTraceTones = static_cast<std::size_t>(TraceTone::OtherHost) + 1;

[[nodiscard]] TraceTone toneOf(const OpenedTrace& opened, std::uint32_t slice);
/// Of GPU work of this category.
[[nodiscard]] TraceTone toneOf(trace::KernelCategory category);
[[nodiscard]] QString nameOf(TraceTone tone);
/// The colour of which a tone is a share: that of GPU work is all of it.
[[nodiscard]] ChartColor chartColorOf(TraceTone tone);
/// What runs on the host is pale beside what runs on the device.
[[nodiscard]] QColor colorOf(const Theme& theme, TraceTone tone);
/// The tones that a trace has, each with a switch.
[[nodiscard]] QVector<LegendEntry> toneEntries(const OpenedTrace& opened);

}  // namespace plumb::ui
