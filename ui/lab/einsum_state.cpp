// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_state.h"

#include "core/base/nearest.h"
#include "core/base/typed_number.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

const Machine* machineOf(const QString& id, const std::vector<Machine>& machines) {
    const auto found = std::ranges::find(machines, id.toStdString(), &Machine::id);
    return found == machines.end() ? nullptr : &*found;
}

/// What the sizes say about the dimensions of `expression`; a dimension never seen gets the usual size.
DimensionSizes sizesFor(const lab::EinsumExpression& expression, const DimensionSizes& known) {
    DimensionSizes sizes;
    for (const std::string& name : expression.dimensions()) {
        const auto found = known.find(name);
        sizes[name] = found == known.end() ? kUsualSize : found->second;
    }
    return sizes;
}

void addFigures(EinsumState& state, Dtype dtype, const Machine* machine) {
    const lab::ExpressionCost& cost = state.cost;
    const auto add = [&](const QString& name, const QString& value, const QString& formula,
                         ColorRole tone = ColorRole::TextStrong) {
        state.figures.push_back({name, value, formula, tone});
    };
    add(tr("Loop iterations"), quantityText(static_cast<double>(cost.points), ""),
        exactText(cost.points, ""));
    add(tr("FLOP"), quantityText(static_cast<double>(cost.flops), "FLOP"), toText(cost.flopsFormula));
    add(tr("FLOP, exactly"), quantityText(static_cast<double>(cost.exactFlops), "FLOP"),
        tr("%1: a sum of K terms takes K − 1 adds").arg(exactText(cost.exactFlops, "")));
    add(tr("Bytes"), cost.isView ? tr("none: a view") : bytesText(cost.bytes),
        cost.isView
            ? tr("only the strides change; read and written it would be %1").arg(bytesText(cost.bytes))
            : toText(cost.bytesFormula));
    add(tr("Intensity"), quantityText(cost.intensity, "FLOP/B"), tr("FLOP / bytes, both compulsory"));
    if (!state.bound) {
        add(tr("Bound"), QStringLiteral("–"), state.whyNoBound, ColorRole::Bad);
        return;
    }
    const lab::ExpressionBound& bound = *state.bound;
    add(tr("Balance"), quantityText(bound.balance, "FLOP/B"),
        tr("%1 %2 / %3 of %4")
            .arg(toText(dtypeName(bound.peakDtype)), quantityText(bound.peakFlopPerSecond, "FLOP/s"),
                 quantityText(bound.bandwidthBytesPerSecond, "B/s"), deviceText(*machine)));
    add(tr("Bound by"),
        bound.computeBound ? tr("compute")
                           : QCoreApplication::translate("plumb::ui", "memory", "what bounds an operation"),
        coreText(bound.formula), bound.computeBound ? ColorRole::Good : ColorRole::Warning);
    add(tr("Time at least"), quantityText(bound.seconds, "s"),
        tr("the larger of %1 of arithmetic and %2 of memory")
            .arg(quantityText(bound.computeSeconds, "s"), quantityText(bound.memorySeconds, "s")));
    Q_UNUSED(dtype);
}

std::optional<EinsumPoint> pointOf(const QString& text, const DimensionSizes& sizes, Dtype dtype,
                                   const Machine& machine, EinsumPoint::Kind kind) {
    const auto expression = lab::EinsumExpression::parse(text.toStdString(), sizes);
    if (!expression.has_value()) return std::nullopt;
    const auto cost = lab::costOf(*expression, (*expression).complete(sizes), dtype);
    if (!cost.has_value() || (*cost).flops == 0) return std::nullopt;
    const auto bound = lab::boundOn(*expression, *cost, dtype, machine);
    if (!bound.has_value()) return std::nullopt;
    EinsumPoint point;
    point.kind = kind;
    point.intensity = (*cost).intensity;
    point.rate = static_cast<double>((*cost).flops) / (*bound).seconds;
    point.toolTip = tr("%1\n%2 · %3 · %4")
                        .arg(text, quantityText(static_cast<double>((*cost).flops), "FLOP"),
                             quantityText(point.intensity, "FLOP/B"), quantityText(point.rate, "FLOP/s"));
    point.text = text;
    point.sizes = sizes;
    return point;
}

void addGradients(EinsumState& state, const DimensionSizes& sizes, Dtype dtype, const Machine* machine) {
    for (const lab::GradientExpression& gradient : lab::gradientsOf(state.expression)) {
        EinsumGradient row{toText(gradient.operand), toText(gradient.text), coreText(gradient.note), {}, {}};
        const auto expression = gradient.text.empty() ? Result<lab::EinsumExpression>(Error{})
                                                      : lab::EinsumExpression::parse(gradient.text, sizes);
        if (expression.has_value()) {
            DimensionSizes needed;
            for (const std::string& name : (*expression).dimensions())
                if (const auto found = sizes.find(name); found != sizes.end()) needed.insert(*found);
            const auto cost = lab::costOf(*expression, needed, dtype);
            if (cost.has_value()) {
                row.flops = quantityText(static_cast<double>((*cost).flops), "FLOP");
                const auto bound = machine ? lab::boundOn(*expression, *cost, dtype, *machine)
                                           : Result<lab::ExpressionBound>(Error{});
                if (bound.has_value()) row.time = quantityText((*bound).seconds, "s");
                if (machine) {
                    auto point = pointOf(row.text, needed, dtype, *machine, EinsumPoint::Kind::Gradient);
                    if (point) {
                        point->label = tr("gradient of %1").arg(row.operand);
                        state.points.push_back(*std::move(point));
                    }
                }
            }
        }
        state.gradients.push_back(row);
    }
}

void addOrder(EinsumState& state, const DimensionSizes& sizes) {
    const bool many =
        state.expression.kind == lab::ExpressionKind::Product && state.expression.inputs.size() > 2;
    if (!many) {
        state.orderNote = tr("One or two tensors: there is only one order. Write three or more, such as "
                             "a b, b c, c d -> a d.");
        return;
    }
    const auto order = lab::bestOrder(state.expression, sizes);
    if (!order.has_value()) {
        state.orderNote = errorSentence(order.error());
        return;
    }
    for (const lab::ContractionStep& step : (*order).steps)
        state.order.push_back(
            {toText(step.product.text()), quantityText(static_cast<double>(step.flops), "FLOP"),
             tr("%1 elements").arg(quantityText(static_cast<double>(step.resultElements), ""))});
    state.workFlops = (*order).flops;
    const auto best = static_cast<double>((*order).flops);
    state.orderNote = (*order).directFlops > 0
                          ? tr("%1 in this order; %2 all at once, %3 times as many")
                                .arg(quantityText(best, "FLOP"),
                                     quantityText(static_cast<double>((*order).directFlops), "FLOP"),
                                     numberText(static_cast<double>((*order).directFlops) / best, 'g', 3))
                          : tr("%1 in this order").arg(quantityText(best, "FLOP"));
}

void addLadder(EinsumState& state, Dtype dtype, const Machine& machine) {
    for (const lab::LadderStep& step : lab::intensityLadder()) {
        auto point = pointOf(toText(step.text), step.sizes, dtype, machine, EinsumPoint::Kind::Ladder);
        if (!point) continue;
        point->label = coreText(step.label);
        state.points.push_back(*std::move(point));
    }
}

}  // namespace

EinsumState makeEinsumState(const EinsumInput& input, const std::vector<Machine>& machines) {
    EinsumState state;
    auto expression = lab::EinsumExpression::parse(input.text.toStdString(), input.sizes);
    if (!expression.has_value()) {
        state.error = errorSentence(expression.error());
        state.meant = toText(asMeant(input.text.toStdString(), expression.error()));
        return state;
    }
    state.expression = std::move(expression).value();
    const DimensionSizes sizes = sizesFor(state.expression, input.sizes);
    for (const std::string& name : state.expression.dimensions())
        state.dimensions.emplace_back(toText(name), sizes.at(name));
    auto cost = lab::costOf(state.expression, sizes, input.dtype);
    if (!cost.has_value()) {
        state.error = errorSentence(cost.error());
        return state;
    }
    state.cost = std::move(cost).value();
    state.workFlops = state.cost.flops;
    const Machine* machine = machineOf(input.device, machines);
    if (machine) {
        auto bound = lab::boundOn(state.expression, state.cost, input.dtype, *machine);
        if (bound.has_value())
            state.bound = std::move(bound).value();
        else
            state.whyNoBound = errorSentence(bound.error());
    } else {
        state.whyNoBound = tr("choose a device");
    }
    addFigures(state, input.dtype, machine);
    if (machine && state.bound) {
        addLadder(state, input.dtype, *machine);
        if (state.cost.flops > 0) {
            EinsumPoint point;
            point.label = tr("this expression");
            point.intensity = state.cost.intensity;
            point.rate = static_cast<double>(state.cost.flops) / state.bound->seconds;
            point.toolTip = input.text;
            state.points.push_back(point);
        }
    }
    addGradients(state, sizes, input.dtype, state.bound ? machine : nullptr);
    addOrder(state, sizes);
    state.loops = toText(lab::loopNest(state.expression, sizes));
    return state;
}

std::vector<EinsumPreset> einsumPresets() {
    std::vector<EinsumPreset> presets;
    for (const lab::LadderStep& step : lab::intensityLadder())
        presets.push_back({tr("%1: %2 FLOP/B").arg(coreText(step.label), toText(step.rule)),
                           toText(step.text), step.sizes});
    const auto add = [&](const QString& title, const char* text, DimensionSizes sizes) {
        presets.push_back({title, QString::fromLatin1(text), std::move(sizes)});
    };
    add(tr("A linear layer"), "batch in, in out -> batch out",
        {{"batch", 8192}, {"in", 4096}, {"out", 4096}});
    add(tr("Attention scores"), "batch heads query dim, batch heads key dim -> batch heads query key",
        {{"batch", 8}, {"heads", 32}, {"query", 2048}, {"key", 2048}, {"dim", 128}});
    add(tr("Three matrices, in the best order"), "a b, b c, c d -> a d",
        {{"a", 4096}, {"b", 16}, {"c", 4096}, {"d", 16}});
    add(tr("Heads out of one dimension"), "batch seq (heads dim) -> batch heads seq dim",
        {{"batch", 8}, {"seq", 2048}, {"heads", 32}, {"dim", 128}});
    add(tr("A mean over patches"), "mean: b (h 2) (w 2) c -> b h w c",
        {{"b", 32}, {"h", 112}, {"w", 112}, {"c", 64}});
    return presets;
}

QString sizesText(const DimensionSizes& sizes) {
    QStringList texts;
    for (const auto& [name, size] : sizes) texts << QStringLiteral("%1=%2").arg(toText(name)).arg(size);
    return texts.join(QLatin1Char(' '));
}

DimensionSizes sizesFromText(const QString& text) {
    DimensionSizes sizes;
    for (const QString& part : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const auto equals = part.lastIndexOf(QLatin1Char('='));
        if (equals <= 0) continue;
        const auto size = parseTyped(part.mid(equals + 1).toStdString(), parseSize);
        if (size.has_value() && *size > 0) sizes[part.left(equals).toStdString()] = *size;
    }
    return sizes;
}

QString einsumReport(const EinsumState& state, const QString& device) {
    if (!state.valid()) return state.error + QLatin1Char('\n');
    QStringList lines{toText(state.expression.text()), tr("device\t%1").arg(device)};
    for (const auto& [name, size] : state.dimensions) lines << QStringLiteral("%1\t%2").arg(name).arg(size);
    for (const EinsumFigure& figure : state.figures)
        lines << QStringLiteral("%1\t%2\t%3").arg(figure.name, figure.value, figure.formula);
    for (const EinsumGradient& gradient : state.gradients)
        lines << tr("gradient of %1\t%2\t%3\t%4")
                     .arg(gradient.operand, gradient.text, gradient.flops, gradient.note);
    for (const EinsumOrderStep& step : state.order)
        lines << tr("step\t%1\t%2\t%3").arg(step.product, step.flops, step.result);
    lines << state.loops;
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

bool EinsumMeasurement::isOf(const EinsumInput& input) const {
    return of.text == input.text && of.sizes == input.sizes && of.dtype == input.dtype;
}

std::optional<double> EinsumMeasurement::rateOn(const Machine& device, const EinsumState& state) const {
    if (machine.id != device.id || state.cost.flops <= 0 || state.workFlops != state.cost.flops)
        return std::nullopt;
    return static_cast<double>(state.cost.flops) / result.median;
}

QString einsumMeasuredText(const EinsumMeasurement& measured, const EinsumState& state,
                           const Machine* device) {
    const protocol::EinsumTimed& result = measured.result;
    QString text =
        tr("Measured on %1: %2 (median of %3, fastest %4), %5")
            .arg(measured.machine.name.empty() ? tr("the engine's processor") : deviceText(measured.machine),
                 quantityText(result.median, "s"))
            .arg(result.runs)
            .arg(quantityText(result.fastest, "s"), toText(result.implementation));
    if (state.workFlops > 0 && result.median > 0)
        text += tr("; %1").arg(
            toText(formatQuantity(static_cast<double>(state.workFlops) / result.median, "FLOP/s")));
    if (state.cost.flops == 0 && result.median > 0)
        text += tr("; %1").arg(
            toText(formatQuantity(static_cast<double>(state.cost.bytes) / result.median, "B/s")));
    if (state.workFlops != state.cost.flops) text += tr(" in the best order");
    if (state.bound && device && device->id == measured.machine.id && state.bound->seconds > 0 &&
        state.workFlops == state.cost.flops)
        text += tr("; %1 times the least time").arg(numberText(result.median / state.bound->seconds, 'g', 3));
    return text;
}

HoverCardContent einsumPointCard(const EinsumPoint& point) {
    HoverCardContent card;
    card.title = point.label;
    card.footer = point.toolTip;
    if (!point.text.isEmpty()) card.footer += QLatin1Char('\n') + tr("click: take it as the expression");
    return card;
}

}  // namespace plumb::ui
