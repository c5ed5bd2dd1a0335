// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_state.h"

#include "core/base/dtype_bytes.h"
#include "core/base/entry_at.h"
#include "core/base/nearest.h"
#include "core/base/shape_text.h"
#include "core/lab/host_bus.h"
#include "core/lab/tensor_values.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace plumb::ui {
namespace {

TensorRow describe(const QString& step, const lab::TensorLayout& layout) {
    return TensorRow{.step = step,
                     .shape = toText(plumb::shapeText(layout.shape)),
                     .strides = toText(plumb::shapeText(layout.strides)),
                     .offset = QString::number(layout.offset)};
}

QString layoutText(const lab::TensorLayout& layout) {
    QString text = tr("%1 elements, %2 of them in different places of a storage of %3")
                       .arg(layout.elements())
                       .arg(layout.distinctElements())
                       .arg(layout.storageElements);
    text += QLatin1Char('\n') + (layout.isContiguous() ? tr("contiguous")
                                 : layout.isDense()    ? tr("dense, but not row-major")
                                                       : tr("not contiguous: it has gaps or repeats"));
    return text;
}

/// What copies cost, added up.
struct Copies {
    Bytes bytes = 0;
    std::optional<Seconds> seconds = 0.0;
    int count = 0;
};

TensorRow stepRow(const lab::AppliedStep& applied, const lab::CopyCost& cost, Copies& copies) {
    TensorRow row = describe(toText(applied.step.text), applied.layout);
    const QString where = applied.layout.place == lab::Place::Gpu ? tr(" on the GPU") : QString();
    switch (applied.sharing) {
    case lab::Sharing::Same:
        // A question has an answer; what is written in place costs its way through memory.
        row.memory = applied.answer.empty() ? tr("the same tensor") : toText(applied.answer);
        if (applied.elementsWritten > 0) {
            row.memory = tr("written into storage %1%2").arg(applied.layout.storage).arg(where);
            row.cost = bytesText(cost.bytes);
        }
        row.tone = ColorRole::Good;
        break;
    case lab::Sharing::View:
        row.memory = tr("shares storage %1%2").arg(applied.layout.storage).arg(where);
        row.tone = ColorRole::Good;
        break;
    case lab::Sharing::Copy:
        row.memory = tr("copies to storage %1%2").arg(applied.layout.storage).arg(where);
        row.tone = ColorRole::Warning;
        row.cost = cost.seconds ? QStringLiteral("%1 · %2").arg(bytesText(cost.bytes),
                                                                quantityText(*cost.seconds, "s"))
                                : bytesText(cost.bytes);
        ++copies.count;
        copies.bytes += cost.bytes;
        copies.seconds =
            copies.seconds && cost.seconds ? std::optional(*copies.seconds + *cost.seconds) : std::nullopt;
        break;
    }
    row.toolTip = layoutText(applied.layout);
    if (!applied.note.empty()) row.toolTip += QLatin1Char('\n') + coreText(applied.note);
    row.toolTip += QLatin1Char('\n') + coreText(cost.formula);
    return row;
}

/// What stands in tensors that are read at a glance, behind the tool tips of their rows.
void addValues(TensorState& state, Dtype dtype) {
    constexpr std::int64_t kMostShown = 64;
    const auto values = lab::valuesOf(state.chain, dtype);
    if (!values || state.chain.start.storageElements > kMostShown) return;
    const auto add = [&](std::size_t row, const QString& title, const lab::TensorLayout& layout,
                         const std::vector<double>& numbers) {
        if (layout.elements() <= kMostShown)
            state.rows[row].toolTip +=
                QStringLiteral("\n%1 %2").arg(title, toText(lab::valuesText(layout.shape, numbers)));
    };
    add(0, tr("values"), state.chain.start, values->start);
    if (values->startAfter != values->start)
        add(0, tr("after all steps"), state.chain.start, values->startAfter);
    for (std::size_t i = 0; i < state.chain.steps.size(); ++i)
        add(i + 1, tr("values"), state.chain.steps[i].layout, values->steps[i]);
}

QString summaryText(const TensorState& state, const Copies& copies) {
    std::set<int> storages{state.chain.start.storage};
    for (const lab::AppliedStep& step : state.chain.steps) storages.insert(step.layout.storage);
    QString text = storages.size() == 1 ? tr("one storage, shared by all")
                                        : tr("%1 storages").arg(static_cast<int>(storages.size()));
    if (copies.count > 0) {
        text += tr(" · %1 moved").arg(bytesText(copies.bytes));
        if (copies.seconds) text += tr(", at least %1").arg(quantityText(*copies.seconds, "s"));
    }
    return text;
}

}  // namespace

const lab::TensorLayout& TensorState::layout(int row) const {
    const int last = std::clamp(row, 0, reachedRows() - 1);
    return last == 0 ? chain.start : entryAt(chain.steps, last - 1).layout;
}

QString TensorState::name(int row) const {
    QString text = QStringLiteral("x");
    for (int i = 0; i < std::clamp(row, 0, reachedRows() - 1); ++i)
        text += toText(entryAt(chain.steps, i).step.text);
    return text;
}

Result<std::vector<std::int64_t>> parseShape(const QString& text) {
    QString rest = text.trimmed();
    if (rest.startsWith(QLatin1Char('[')) || rest.startsWith(QLatin1Char('('))) rest = rest.mid(1);
    if (rest.endsWith(QLatin1Char(']')) || rest.endsWith(QLatin1Char(')'))) rest.chop(1);
    std::vector<std::int64_t> sizes;
    static const QRegularExpression between(QStringLiteral("[\\s,;x×，；、]+"));
    for (const QString& part : rest.split(between, Qt::SkipEmptyParts)) {
        const auto size = parseTyped(part.toStdString(), parseSize);
        if (!size.has_value())
            return badInput(tr("not a shape (%1)").arg(text).toStdString(),
                            tr("write whole numbers between commas, such as 4, 6").toStdString());
        sizes.push_back(*size);
    }
    return sizes;
}

TensorState makeTensorState(const TensorInput& input, const Machine& host, const std::vector<Machine>& gpus) {
    TensorState state;
    state.dtype = input.dtype;
    const auto shape = parseShape(input.shape);
    const auto start = shape.has_value() ? lab::newTensor(*shape) : Result<lab::TensorLayout>(shape.error());
    if (!start.has_value()) {
        state.shapeError = errorSentence(start.error());
        return state;
    }
    auto steps = lab::parseSteps(input.steps.toStdString());
    if (!steps.has_value()) {
        state.stepsError = errorSentence(steps.error());
        state.stepsMeant = toText(asMeant(input.steps.toStdString(), steps.error()));
        return state;
    }
    state.steps = std::move(steps).value();
    state.chain = lab::applySteps(*start, state.steps);
    Machine gpu;
    gpu.name = "the GPU";
    for (const Machine& machine : gpus)
        if (toText(machine.id) == input.device) gpu = machine;
    const auto bus = lab::findHostBus(input.bus.toStdString());
    const std::optional<double> rate =
        bus.has_value() ? std::optional((*bus).bytesPerSecond) : gpu.hostBytesPerSecond;

    TensorRow first = describe(QStringLiteral("x"), state.chain.start);
    first.memory = tr("storage %1, %2")
                       .arg(state.chain.start.storage)
                       .arg(bytesText(bytesOrOverflow(state.dtype, state.chain.start.storageElements)));
    first.toolTip = layoutText(state.chain.start);
    state.rows.push_back(first);
    Copies copies;
    for (std::size_t i = 0; i < state.steps.size(); ++i) {
        if (i < state.chain.steps.size()) {
            // A copy within one memory goes at the rate of that memory; a gathering, on its own side.
            const auto place = state.layout(static_cast<int>(i)).place;
            const lab::CopyCost cost = lab::copyCost(state.chain.steps[i], state.dtype,
                                                     place == lab::Place::Gpu ? gpu : host, rate, gpu.name);
            state.rows.push_back(stepRow(state.chain.steps[i], cost, copies));
            continue;
        }
        TensorRow row;
        row.step = toText(state.steps[i].text);
        row.reached = i == state.chain.steps.size();
        if (row.reached && state.chain.failure) {
            row.failure = toText(state.chain.failure->message);
            row.memory = tr("fails");
            row.tone = ColorRole::Bad;
            row.toolTip = coreText(state.chain.failure->text());
        }
        state.rows.push_back(row);
    }
    addValues(state, input.dtype);
    state.summary = summaryText(state, copies);
    return state;
}

QString joinSteps(const std::vector<lab::LayoutStep>& steps) {
    QString text;
    for (const lab::LayoutStep& step : steps) text += toText(step.text);
    return text;
}

const std::vector<TensorPreset>& tensorPresets() {
    static const std::vector<TensorPreset> presets{
        {QT_TRANSLATE_NOOP("plumb::ui", "A transpose moves nothing"), "4, 6", ".transpose(0, 1)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "A transpose cannot be viewed"), "4, 6", ".transpose(0, 1).view(-1)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "contiguous() pays for the view"), "4, 6",
         ".transpose(0, 1).contiguous().view(-1)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "Every second column of a slice"), "4, 8", "[1:, ::2]"},
        {QT_TRANSLATE_NOOP("plumb::ui", "A bias expanded over the batch"), "6",
         ".unsqueeze(0).expand(4, -1)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "Attention heads out of one matrix"), "2, 3, 8",
         ".view(2, 3, 2, 4).transpose(1, 2)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "A causal mask"), "6, 6", ".triu(1)"},
        {QT_TRANSLATE_NOOP("plumb::ui", "The diagonal as a view"), "5, 5", ".diagonal()"},
        {QT_TRANSLATE_NOOP("plumb::ui", "A batch on its way to the GPU"), "8192, 4096", ".cuda()"},
        {QT_TRANSLATE_NOOP("plumb::ui", "A transposed batch, gathered before the bus"), "8192, 4096",
         "[:, ::2].cuda()"}};
    return presets;
}

QString tensorTableText(const TensorState& state) {
    QStringList lines{QStringList{QCoreApplication::translate("plumb::ui", "step", "done to a tensor"),
                                  tr("shape"), tr("strides"), tr("offset"),
                                  QCoreApplication::translate("plumb::ui", "memory", "of a tensor"),
                                  QCoreApplication::translate("plumb::ui", "cost", "of a copy")}
                          .join(QLatin1Char('\t'))};
    for (const TensorRow& row : state.rows)
        lines << QStringList{row.step,
                             row.shape,
                             row.strides,
                             row.offset,
                             row.failure.isEmpty() ? row.memory : row.failure,
                             row.cost}
                     .join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace plumb::ui
