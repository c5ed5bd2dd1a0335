// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "core/lab/contraction_order.h"
#include "core/lab/einsum_cost.h"
#include "ui/charts/chart_style.h"

#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>
#include <vector>

namespace plumb::ui {

/// What the page of expressions is asked.
struct EinsumInput {
    QString text = QStringLiteral("batch in, in out -> batch out");
    DimensionSizes sizes;  ///< sizes of every dimension that was ever given one
    Dtype dtype = Dtype::Bf16;
    QString device;  ///< id of a machine
    bool operator==(const EinsumInput&) const = default;
};
inline constexpr std::int64_t kUsualSize = 256;  ///< size of a dimension that was never given one

/// One line of the list of figures.
struct EinsumFigure {
    QString name, value, formula;
    ColorRole tone = ColorRole::TextStrong;
};
/// A gradient, as an expression of its own.
struct EinsumGradient {
    QString operand, text, note, flops, time;
};
/// One pairwise product on the way to the result.
struct EinsumOrderStep {
    QString product, flops, result;
};
/// A point of the roofline.
struct EinsumPoint {
    QString label, toolTip;
    double intensity = 0;
    double rate = 0;  ///< FLOP/s that the device allows
    enum class Kind { Expression, Gradient, Ladder } kind = Kind::Expression;
    QString text;          ///< expression that a click takes; empty: none
    DimensionSizes sizes;  ///< with these sizes
};

/// Everything that the page shows.
struct EinsumState {
    QString error;  ///< error of the expression or a size; then the rest is empty
    QString meant;  ///< the expression without the slip that is why; empty: it is none
    lab::EinsumExpression expression;
    std::vector<std::pair<QString, std::int64_t>> dimensions;  ///< those that need a size
    lab::ExpressionCost cost;
    Flops workFlops =
        0;  ///< FLOPs of the order in which it is timed: fewer than cost.flops for many operands
    std::optional<lab::ExpressionBound> bound;
    QString whyNoBound;
    QVector<EinsumFigure> figures;
    QVector<EinsumGradient> gradients;
    QVector<EinsumOrderStep> order;
    QString orderNote;  ///< what the order saves, or why there is none
    QString loops;
    QVector<EinsumPoint> points;  ///< those with FLOPs, where the device allows them any

    [[nodiscard]] bool valid() const { return error.isEmpty(); }
};
[[nodiscard]] EinsumState makeEinsumState(const EinsumInput& input, const std::vector<Machine>& machines);

/// What an expression took on a machine.
struct EinsumMeasurement {
    EinsumInput of;
    protocol::EinsumTimed result;
    Machine machine;  ///< where; without a name: the engine's processor

    /// Whether it is of this very expression, whatever the device that it is compared with.
    [[nodiscard]] bool isOf(const EinsumInput& input) const;
    /// FLOP/s to draw on the roofline of `device`: none where it ran elsewhere, and for what ran in the best
    /// order, whose intensity is not that of the one loop nest that is drawn.
    [[nodiscard]] std::optional<double> rateOn(const Machine& device, const EinsumState& state) const;
};
/// "Measured on …: 1.2 ms (median of 5, fastest 1.1 ms), …; 3.4 TFLOP/s". `device`: with which it is
/// compared; may be null.
[[nodiscard]] QString einsumMeasuredText(const EinsumMeasurement& measured, const EinsumState& state,
                                         const Machine* device);
/// The card beside the pointer.
[[nodiscard]] HoverCardContent einsumPointCard(const EinsumPoint& point);

/// Expressions worth looking at: the ladder of intensities first.
struct EinsumPreset {
    QString title;
    QString text;
    DimensionSizes sizes;
};
[[nodiscard]] std::vector<EinsumPreset> einsumPresets();

/// "batch=64 in=256", and back; what cannot be read is left out.
[[nodiscard]] QString sizesText(const DimensionSizes& sizes);
[[nodiscard]] DimensionSizes sizesFromText(const QString& text);

/// All that the page says, as text.
[[nodiscard]] QString einsumReport(const EinsumState& state, const QString& device);

}  // namespace plumb::ui
