// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says about the bar under the pointer.
#include "core/base/entry_at.h"
#include "ui/theme/text.h"
#include "ui/timeline/timeline_names.h"
#include "ui/timeline/timeline_state.h"
#include "ui/workbench/step_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace plumb::ui {
namespace {

HoverCardContent::Row row(const QString& name, const QString& value, bool strong = false) {
    return {name, {value}, std::nullopt, strong};
}

/// "+12.3 %" of `value` over `reference`.
QString difference(double value, double reference) {
    const double percent = 100 * (value / reference - 1);
    return QStringLiteral("%1%2 %")
        .arg(percent >= 0 ? QStringLiteral("+") : QStringLiteral("−"))
        .arg(numberText(std::abs(percent), 'f', std::abs(percent) < 100 ? 1 : 0));
}

/// "predicted, calibrated": with the tier of the time, where that is known.
QString predictedText(const TimelineState& state, const TimelineBar& bar) {
    const auto& tier = entryAt(state.ops.tiers, bar.op);
    const QString word =
        state.predictedFor.isEmpty() ? tr("predicted") : tr("predicted on %1").arg(state.predictedFor);
    return tier ? tr("%1, %2").arg(word, tierText(*tier)) : word;
}

QString sourceText(const TimelineState& state, const TimelineBar& bar, const TimelineRecord* record) {
    if (!record) {
        const auto& tier = entryAt(state.ops.tiers, bar.op);
        return tier ? tr("predicted; %1").arg(coreText(tierMeaning(*tier)))
                    : tr("predicted from the plan and the machine's ceilings");
    }
    if (record->kind == TimelineKind::Op && state.timeline->source == Source::Clock)
        return tr("measured: the host's clock before and after the operation");
    if (state.timeline->source == Source::Event) return tr("measured: events on the device's clock");
    return tr("measured: the driver's records of activity");
}

/// How often the op of `bar` ran before in the same step, and in all of it.
std::pair<int, int> executionOf(const TimelineState& state, BarPlace place) {
    const TimelineBar& bar = state.bar(place);
    const std::int32_t step = state.stepAt(bar.begin);
    int number = 0, count = 0;
    for (const BarPlace& other : state.placesOf(bar.op)) {
        if (other.row != place.row || state.stepAt(state.bar(other).begin) != step) continue;
        ++count;
        if (other.bar <= place.bar) ++number;
    }
    return {number, count};
}

/// How far the repeats of the op lie apart, or in which range its prediction does.
void addSpread(HoverCardContent& card, const TimelineState& state, const TimelineBar& bar, bool isMeasured) {
    const auto add = [&](const QString& name, const Spread& spread) {
        card.rows.push_back(
            row(name, tr("%1 to %2").arg(quantityText(spread.low, "s"), quantityText(spread.high, "s"))));
    };
    const OpReading& op = state.opReading(bar.op);
    if (isMeasured) {
        if (op.seconds)
            card.rows.push_back(row(tr("median of %1 steps").arg(state.reading().stepsMeasured),
                                    quantityText(*op.seconds, "s")));
        if (op.spread) add(tr("10 % to 90 % of them"), *op.spread);
        return;
    }
    const std::int32_t place = state.stepOp(bar.op);
    const Prediction* prediction = state.scene->measured->prediction.get();
    // Of all executions in a step together; a bar is one.
    if (!state.predictedFor.isEmpty() || prediction == nullptr || place < 0 || op.executions != 1) return;
    if (place < std::ssize(prediction->opSpreads))
        if (const auto& spread = entryAt(prediction->opSpreads, place)) add(tr("likely"), *spread);
}

void addCosts(HoverCardContent& card, const TimelineState& state, const TimelineBar& bar) {
    const std::int32_t place = state.stepOp(bar.op);
    if (place < 0) return;
    const StepOp& op = state.scene->measured->step->op(place);
    if (op.executions <= 0) return;
    const Seconds seconds = bar.end - bar.begin;
    const double flops = static_cast<double>(op.flops) / static_cast<double>(op.executions);
    if (flops > 0) {
        card.rows.push_back(row(tr("FLOPs, model"), quantityText(flops, "FLOP")));
        if (seconds > 0) card.rows.push_back(row(tr("rate"), quantityText(flops / seconds, "FLOP/s")));
    }
    if (!op.knownBytes()) return;
    const double bytes = static_cast<double>(op.bytes) / static_cast<double>(op.executions);
    card.rows.push_back(row(tr("bytes, compulsory"), quantityText(bytes, "B")));
    if (seconds > 0 && bytes > 0)
        card.rows.push_back(row(tr("bandwidth"), quantityText(bytes / seconds, "B/s")));
}

const Step& runStep(const TimelineState& state) { return *state.scene->measured->step; }

/// In English and without the phase, which the colour says.
QString opNameOf(const OpReading& op) {
    const QString between = QStringLiteral(" · ");
    return toText(op.name).replace(between + toText(phaseName(op.phase)) + between, between);
}

/// Whether the bar has a name of its own: of a kernel, a copy, a call.
bool isNamed(const TimelineRecord* record) { return record && record->name >= 0; }

}  // namespace

QString barName(const TimelineState& state, const TimelineBar& bar) {
    const TimelineRecord* record = state.record(bar);
    if (isNamed(record)) return toText(entryAt(state.timeline->names, record->name));
    if (bar.op < 0) return barGroupLabel(bar.group);
    return stepText(runStep(state), opNameOf(state.opReading(bar.op)).toStdString());
}

QStringList barForms(const TimelineState& state, const TimelineBar& bar) {
    const TimelineRecord* record = state.record(bar);
    if (record && record->kind != TimelineKind::Op) return kernelForms(barName(state, bar));
    if (isNamed(record) || bar.op < 0) return {barName(state, bar)};
    return operationForms(runStep(state), opNameOf(state.opReading(bar.op)));
}

HoverCardContent barCard(const TimelineState& state, BarPlace place) {
    const TimelineBar& bar = state.bar(place);
    const TimelineRecord* record = state.record(bar);
    const bool ofOp = bar.op >= 0;
    const bool isKernel = record && record->kind != TimelineKind::Op;
    HoverCardContent card;
    card.title =
        ofOp && !isKernel ? stepText(runStep(state), state.opReading(bar.op).name) : barName(state, bar);
    const QString what = record ? coreText(timelineKindName(record->kind)) : tr("prediction");
    card.rows.push_back({what, {ofOp ? barGroupLabel(bar.group) : QString()}, barColor(bar.group), true});
    const Seconds seconds = bar.end - bar.begin;
    if (record) {
        card.rows.push_back(row(tr("took"), exactTime(record->end - record->begin), true));
        card.rows.push_back(row(tr("began at"), exactTime(bar.begin)));
    } else {
        card.rows.push_back(row(ofOp ? predictedText(state, bar) : tr("takes"), exactTime(seconds), true));
    }
    const Seconds* predicted =
        ofOp && state.predictedOf(bar.op) ? &state.predictedOf(bar.op).value() : nullptr;
    if (record && !isKernel && predicted) {
        card.rows.push_back(row(predictedText(state, bar), exactTime(*predicted)));
        if (*predicted > 0) card.rows.push_back(row(tr("difference"), difference(seconds, *predicted)));
    }
    if (ofOp && !isKernel) addSpread(card, state, bar, record != nullptr);
    if (ofOp && isKernel) card.rows.push_back(row(tr("of"), toText(state.opReading(bar.op).name)));
    if (ofOp && !isKernel && record) addCosts(card, state, bar);
    if (record && record->bytes >= 0) {
        card.rows.push_back(row(tr("bytes"), exactText(record->bytes, "B")));
        if (seconds > 0)
            card.rows.push_back(
                row(tr("bandwidth"), quantityText(static_cast<double>(record->bytes) / seconds, "B/s")));
    }
    QStringList footer;
    if (const std::int32_t step = state.stepAt(bar.begin); step >= 0) {
        QString text = tr("step %1").arg(countText(entryAt(state.timeline->steps, step).step));
        if (ofOp && record && !isKernel) {
            const auto [number, count] = executionOf(state, place);
            if (count > 1) text += tr(" · execution %1 of %2").arg(number).arg(count);
        }
        footer << text;
    }
    footer << sourceText(state, bar, record);
    card.footer = footer.join(u'\n');
    return card;
}

HoverCardContent foldCard(const TimelineState& state, std::int32_t rowIndex, const FoldedBar& fold) {
    const TimelineRow& lane = state.row(rowIndex);
    const auto first = static_cast<std::size_t>(fold.first);
    const Seconds busy = lane.bars.busy(first, first + static_cast<std::size_t>(fold.count));
    HoverCardContent card;
    card.title = tr("%1 bars, too narrow here").arg(fold.count);
    card.rows.push_back(row(tr("together"), exactTime(busy), true));
    card.rows.push_back(row(tr("from"), exactTime(fold.begin)));
    card.rows.push_back(row(tr("to"), exactTime(fold.end)));
    card.rows.push_back(row(tr("first"), barName(state, lane.bars.bars()[first])));
    card.footer = tr("W or the wheel zooms in");
    return card;
}

HoverCardContent memoryCard(const TimelineState& state, Seconds time) {
    HoverCardContent card;
    card.title = tr("Memory at %1").arg(exactTime(time));
    const auto exact = [](double bytes) { return exactText(static_cast<std::int64_t>(bytes), "B"); };
    card.rows.push_back(row(tr("alive"), exact(curveAt(state.live, time)), true));
    if (!state.predictedLive.empty())
        card.rows.push_back(row(tr("predicted"), exact(curveAt(state.predictedLive, time))));
    if (const CategoryBytes* parts = state.categoriesAt(time))
        for (const Category category : kAllCategories)
            if ((*parts)[category] > 0) {
                card.rows.push_back(
                    {coreText(categoryLabel(category)), {bytesText((*parts)[category])}, category, false});
            }
    card.footer = !state.scene->measured->plan ? tr("recorded: the tensors that live while an operation runs")
                  : state.timeline->source == Source::Activity
                      ? tr("measured: the driver's records of allocations")
                      : tr("measured: the allocator; the most while an operation ran, then what was left");
    return card;
}

}  // namespace plumb::ui
