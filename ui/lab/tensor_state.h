// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/dtype.h"
#include "core/lab/layout_steps.h"
#include "core/machine/machine.h"
#include "ui/theme/theme.h"

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace plumb::ui {

/// What the page of tensors is asked: texts as they are typed.
struct TensorInput {
    QString shape = QStringLiteral("4, 6");
    QString steps = QStringLiteral(".transpose(0, 1)");
    Dtype dtype = Dtype::Fp32;
    QString device;                          ///< id of the GPU that .cuda() copies to
    QString bus = QStringLiteral("device");  ///< name of the way there; "device": as its data sheet says
    bool operator==(const TensorInput&) const = default;
};

/// One line of the list of steps; the first is the tensor before any step.
struct TensorRow {
    QString step;  ///< ".transpose(0, 1)"
    QString shape, strides, offset;
    QString memory;  ///< "storage 0", "shares storage 0", "copies to storage 1"
    QString cost;    ///< "192 B · 1.2 µs"; empty where nothing moves
    QString toolTip;
    QString failure;                   ///< torch's own words; empty when the step works
    ColorRole tone = ColorRole::Text;  ///< tone of `memory`
    bool reached = true;               ///< false after a step that failed
};

/// Everything that the page shows.
struct TensorState {
    QString shapeError, stepsError;  ///< why there is nothing to show; empty: the rest holds
    QString stepsMeant;              ///< the steps without the slip that is why; empty: it is none
    lab::LayoutChain chain;
    std::vector<lab::LayoutStep> steps;  ///< all, the failing one and what follows included
    std::vector<TensorRow> rows;
    Dtype dtype = Dtype::Fp32;
    QString summary;  ///< storages, copied bytes and time

    [[nodiscard]] bool valid() const { return shapeError.isEmpty() && stepsError.isEmpty(); }
    /// The tensor after `row` lines, and how it is written: "x.transpose(0, 1)".
    [[nodiscard]] const lab::TensorLayout& layout(int row) const;
    [[nodiscard]] QString name(int row) const;
    /// Lines that have a tensor: the first one that failed and what follows have none.
    [[nodiscard]] int reachedRows() const { return 1 + static_cast<int>(chain.steps.size()); }
};

/// `host` gives the rate of copies in the host's memory, `gpus` are those that can be chosen.
[[nodiscard]] TensorState makeTensorState(const TensorInput& input, const Machine& host,
                                          const std::vector<Machine>& gpus);

/// "4, 6" and "[4, 6]" and "4x6" as sizes. Errors: BadInput with the text.
[[nodiscard]] Result<std::vector<std::int64_t>> parseShape(const QString& text);

/// The text of steps written one after the other.
[[nodiscard]] QString joinSteps(const std::vector<lab::LayoutStep>& steps);

/// Examples worth looking at.
struct TensorPreset {
    const char* title;  ///< to be translated
    const char* shape;
    const char* steps;
};
[[nodiscard]] const std::vector<TensorPreset>& tensorPresets();

/// The list as text with tabs between the columns.
[[nodiscard]] QString tensorTableText(const TensorState& state);

}  // namespace plumb::ui
