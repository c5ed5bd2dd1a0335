// SPDX-License-Identifier: GPL-3.0-or-later
// The tool tips of the operations table: exact values, formulas and sources.
#include "core/base/entry_at.h"
#include "ui/operations/operations_format.h"
#include "ui/operations/operations_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/workbench/spread_text.h"
#include "ui/workbench/step_text.h"

#include <QStringList>

#include <algorithm>
#include <span>
#include <string>

namespace plumb::ui {

namespace {

using namespace operations;
using Node = OperationsTree::Node;

QString sizesOf(const Step& step, std::span<const TensorRange> ranges) {
    QStringList parts;
    for (const TensorRange& range : ranges) {
        if (range.count == 0) break;
        Bytes bytes = 0;
        for (TensorId id = range.first; id < range.first + range.count; ++id) bytes += step.tensorBytes(id);
        const QString name = stepText(step, step.tensorName(range.first));
        parts << (range.count == 1 ? name : Text::tr("%1 and %2 more").arg(name).arg(range.count - 1)) +
                     u' ' + quantity(static_cast<double>(bytes), "B");
    }
    return parts.isEmpty() ? Text::tr("nothing") : listText(parts);
}

QString notKnownText() {
    return Text::tr("Not known: there is no formula for it, or the file has no shapes of its tensors.");
}

QString flopsToolTip(const OperationsTree& tree, const Node& node) {
    if (!node.figures.isKnown(node.figures.flops)) return notKnownText();
    QString text = exact(node.figures.flops, "FLOP") + Text::tr(" per step, from the plan");
    if (node.op < 0) return text + u'\n' + Text::tr("sum over %1 operations").arg(node.figures.ops);
    const StepOp& op = tree.op(node);
    if (const std::string_view einsum = tree.step().opExpression(node.op); !einsum.empty()) {
        text += u'\n' + Text::tr("matrix product  %1").arg(toText(einsum));
        text += u'\n' + Text::tr("batch %1, in %2, out %3: a multiply and an add at each point")
                            .arg(exact(op.batchRows, ""), exact(op.in, ""), exact(op.out, ""));
        text += u'\n' + Text::tr("of it %1 in the product, %2 element-wise")
                            .arg(exact(op.matmulFlops, "FLOP"), exact(op.flops - op.matmulFlops, "FLOP"));
    }
    if (op.executions * op.repeat > 1)
        text += u'\n' + Text::tr("%1 executions in a step").arg(op.executions * op.repeat);
    return text;
}

QString bytesToolTip(const OperationsTree& tree, const Node& node) {
    if (!node.figures.isKnown(node.figures.bytes)) return notKnownText();
    QString text = exact(node.figures.bytes, "B") + Text::tr(" per step: compulsory traffic, from the plan");
    if (node.op < 0) return text + u'\n' + Text::tr("sum over %1 operations").arg(node.figures.ops);
    const StepOp& op = tree.op(node);
    text += u'\n' + Text::tr("reads %1").arg(sizesOf(tree.step(), tree.step().opReads(node.op)));
    text += u'\n' + Text::tr("writes %1").arg(sizesOf(tree.step(), tree.step().opWrites(node.op)));
    if (op.executions > 1) text += u'\n' + Text::tr("%1 executions in a step").arg(op.executions);
    return text;
}

QString ceilings(const Machine& machine, const Step& step) {
    const Dtype compute = step.productDtype;
    const QString dtype = dtypeText(compute);
    return Text::tr("peak %1 %2, bandwidth %3, overhead %4 (%5)")
        .arg(dtype, orAbsent(machine.peak(compute), "FLOP/s"),
             orAbsent(machine.bandwidthBytesPerSecond, "B/s"), orAbsent(machine.perOpOverhead, "s"),
             coreText(machine.source));
}

QString predictedToolTip(const OperationsTree& tree, const Node& node) {
    const Scene& scene = *tree.scene();
    const OperationFigures& figures = node.figures;
    const QString limits = ceilings(scene.whatIf.machine(), *scene.whatIf.step);
    if (!figures.predicted())
        return Text::tr("No prediction: a ceiling of %1 is not known.\n%2\nCalibrate this machine to measure "
                        "its ceilings.")
            .arg(deviceText(scene.whatIf.machine()), limits);
    QString text =
        (scene.whatIf.machine().costs
             ? Text::tr("%1 s, predicted: from times measured in calibrating, interpolated by size")
             : Text::tr("%1 s, predicted: the larger of FLOP / peak and bytes / bandwidth, and the overhead"))
            .arg(numberText(*figures.predicted(), 'g', 9));
    if (figures.tier) text += u'\n' + capitalised(coreText(tierMeaning(*figures.tier)));
    if (const auto& spreads = scene.whatIf.prediction->opSpreads;
        node.op >= 0 && static_cast<std::size_t>(node.op) < spreads.size())
        if (const auto& spread = entryAt(spreads, node.op))
            text +=
                u'\n' +
                Text::tr("between %1 and %2").arg(quantity(spread->low, "s"), quantity(spread->high, "s"));
    if (node.op < 0)
        text += u'\n' + Text::tr("sum over %1 operations").arg(figures.ops);
    else
        text += u'\n' + Text::tr("%1 and %2, %3 executions")
                            .arg(quantity(static_cast<double>(figures.flops), "FLOP"),
                                 quantity(static_cast<double>(figures.bytes), "B"))
                            .arg(tree.op(node).executions);
    return text + u'\n' + limits;
}

/// What another engine than the built-in one says of its measurement, a line each.
QString remarksOf(const Reading& reading) {
    QString text;
    for (const std::string& remark : reading.remarks) text += u'\n' + coreText(remark);
    return text;
}

QString whyNotMeasured(const OperationsTree& tree, const Node& node) {
    if (!tree.scene()->measured) return Text::tr("Not measured yet: press Run or Profile.");
    if (node.op < 0 && node.figures.ranOps == 0)
        return Text::tr("The configuration that ran has no such operations.");
    if (node.op < 0)
        return Text::tr("The run has timed %1 of its %2 operations: a sum of them would be too small.")
            .arg(node.figures.measuredOps)
            .arg(node.figures.ranOps);
    return tree.reading(node) ? Text::tr("The run has not timed this operation.") +
                                    remarksOf(*tree.scene()->measured->reading)
                              : Text::tr("The configuration that ran has no such operation.");
}

/// How the matrix library computed the products of one op, a line for each, and what was done around them.
QString productLines(const Reading& reading, const OpReading& op) {
    QString text;
    for (const std::int32_t index : op.products) {
        if (static_cast<std::size_t>(index) >= reading.products.size()) continue;
        const LibraryProduct& product = entryAt(reading.products, index);
        text += u'\n' + Text::tr("product: %1").arg(toText(product.product)) + u'\n' +
                coreText(algorithmText(product));
        if (const std::string apart = apartText(product); !apart.empty()) text += u'\n' + coreText(apart);
    }
    return text;
}

QString measuredToolTip(const OperationsTree& tree, const Node& node) {
    const Scene& scene = *tree.scene();
    const auto seconds = node.figures.measured();
    if (!seconds) return whyNotMeasured(tree, node);
    QString text = Text::tr("%1 s in one step, median of %2 steps")
                       .arg(numberText(*seconds, 'g', 9))
                       .arg(scene.measured->reading->stepsMeasured);
    if (const OpReading* reading = tree.reading(node)) {
        if (reading->spread)
            text +=
                u'\n' + Text::tr("10 % of the steps took at most %1, 10 % at least %2")
                            .arg(quantity(reading->spread->low, "s"), quantity(reading->spread->high, "s"));
        text += u'\n' + Text::tr("source: %1").arg(coreText(sourceName(reading->source)));
        if (const std::string& engine = scene.measured->reading->engine; !engine.empty())
            text += u'\n' + Text::tr("measured by %1").arg(toText(engine));
        text += productLines(*scene.measured->reading, *reading);
    } else {
        text += u'\n' + Text::tr("sum over all %1 operations of the run").arg(node.figures.ranOps);
        if (const auto& spread = node.figures.spread()) text += u'\n' + spreadSumText(*spread);
    }
    if (!scene.sameConfig())
        text += u'\n' + Text::tr("of the run: %1").arg(coreText(scene.measured->step->title()));
    return text;
}

/// Which roof held the operation, or why none can have.
QString roofNote(const OperationsTree& tree, const OperationFigures& f) {
    const Machine& machine = tree.scene()->measured->machine();
    if (f.ceilingTooLow || *f.ofRoof() > 1)
        return u'\n' +
               Text::tr("Faster than the ceilings of %1 allow (%2): they are too low, calibrate again.")
                   .arg(deviceText(machine), coreText(machine.source));
    if (!f.roof) return {};
    return u'\n' + (f.roof->compute
                        ? Text::tr("The peak held it.")
                        : Text::tr("Held by memory: %1").arg(toText(text(*f.roof, memoryRoofs(machine)))));
}

QString derivedToolTip(const OperationsTree& tree, const Node& node, OperationColumn column) {
    const OperationFigures& f = node.figures;
    if (f.isWhatIf && isOfTheRunAlone(column)) return columnHelp(column, true);
    if (!f.measured()) return whyNotMeasured(tree, node);
    const QString measured = quantity(f.measuredSum, "s");
    switch (column) {
    case OperationColumn::Difference:
        if (!f.difference() && f.isWhatIf) return Text::tr("The what-if has no prediction to compare with.");
        if (f.isWhatIf)
            return Text::tr(
                       "what-if / run − 1 = %1 / %2 − 1\npredicted for the sliders; measured of the run: "
                       "%3")
                .arg(quantity(f.predictedSum, "s"), measured,
                     coreText(tree.scene()->measured->step->title()));
        if (!f.difference()) return Text::tr("What ran has no prediction to compare with.");
        return Text::tr("measured / predicted − 1 = %1 / %2 − 1")
            .arg(measured, quantity(f.ranPredictedSum, "s"));
    case OperationColumn::Rate:
        return Text::tr("FLOP / measured time = %1 / %2\nFLOP are the plan's of what ran")
            .arg(quantity(f.ranFlops, "FLOP"), measured);
    case OperationColumn::Bandwidth:
        return Text::tr("compulsory bytes / measured time = %1 / %2\nBytes are the plan's of what ran; "
                        "caches may move more or less")
            .arg(quantity(f.ranBytes, "B"), measured);
    default:
        if (!f.ofRoof()) return Text::tr("A ceiling of the machine that ran it is not known: calibrate it.");
        return Text::tr(
                   "time at the roof / measured time = %1 / %2\nroof: the larger of FLOP / peak and bytes "
                   "/ bandwidth of the level of memory that served it, without overhead\n%3")
                   .arg(quantity(f.roofSum, "s"), measured,
                        ceilings(tree.scene()->measured->machine(), *tree.scene()->measured->step)) +
               roofNote(tree, f);
    }
}

QString boundToolTip(const OperationsTree& tree, const Node& node) {
    const Scene& scene = *tree.scene();
    if (!node.figures.bound) return Text::tr("The operations below are limited by different ceilings.");
    switch (*node.figures.bound) {
    case Bound::Unknown:
        return Text::tr("A ceiling of %1 is not known.").arg(deviceText(scene.whatIf.machine()));
    case Bound::Compute:
        return Text::tr("FLOP / peak is the larger time: more FLOP/s would help.");
    case Bound::Memory:
        return Text::tr("Bytes / bandwidth is the larger time: less traffic would help.");
    case Bound::Overhead:
        return Text::tr(
            "The fixed cost of starting the operation is the larger time: larger operations would help.");
    }
    return {};
}

QString kernelToolTip(const OperationsTree& tree, const Node& node) {
    const OperationsTree::Kernel& kernel = entryAt(tree.kernels(), node.kernel);
    return Text::tr("%1 s in one step, mean of %2 launches on %3\nsource: the driver's records of activity")
        .arg(numberText(node.figures.measuredSum, 'g', 9))
        .arg(kernel.launches)
        .arg(toText(kernel.lane));
}

QString whyNotCounted(const OperationsTree& tree, const Node& node) {
    const Scene& scene = *tree.scene();
    if (node.figures.isWhatIf) return columnHelp(OperationColumn::Executed, true);
    if (!scene.measured || node.figures.ranOps == 0) return whyNotMeasured(tree, node);
    if (!scene.measured->reading->countersAbsent.empty())
        return Text::tr("Not counted: %1.").arg(coreText(scene.measured->reading->countersAbsent));
    if (!scene.measured->reading->counterRun)
        return Text::tr(
            "Not counted: hardware counters exist on NVIDIA GPUs, and a profile has to ask for them.");
    return Text::tr("Not counted for every operation here: a sum of the others would be too small.");
}

/// What the kinds were counted by, a line for each that has metrics of its own: "metrics: ...".
QString metricsOf(const std::optional<CounterRun>& run, const std::vector<CounterKind>& kinds) {
    QStringList names;
    if (run)
        for (const CounterKind kind : kinds)
            if (const QString text = coreText(metricsText(kind, *run));
                !text.isEmpty() && !names.contains(text))
                names << text;
    return names.isEmpty() ? QString() : Text::tr("metrics: %1\n").arg(listText(names));
}

/// The kinds of counts that a column's number is made of, without those of ratios of counts.
std::vector<CounterKind> kindsOf(OperationColumn column) {
    switch (column) {
    case OperationColumn::Executed:
    case OperationColumn::ExecutedRatio:
        return {CounterKind::TensorFlops, CounterKind::CoreFlops};
    case OperationColumn::L2Bytes:
        return {CounterKind::L2Bytes};
    case OperationColumn::L1Bytes:
        return {CounterKind::L1Bytes, CounterKind::SharedBytes};
    default:
        return {CounterKind::DramBytes};
    }
}

QString countedToolTip(const OperationsTree& tree, const Node& node, OperationColumn column) {
    const OperationFigures& f = node.figures;
    const std::optional<double> value = cellValue(node, column);
    if (!value) return whyNotCounted(tree, node);
    const auto whole = [](double number, const char* unit) {
        return exact(static_cast<std::int64_t>(number), unit);
    };
    const auto& run = tree.scene()->measured->reading->counterRun;
    const CounterRatio* ratio = ratioOfColumn(column);
    const QString metrics =
        ratio ? metricsOf(run, {ratio->part, ratio->whole, ratio->rest}) : metricsOf(run, kindsOf(column));
    const QString source =
        metrics +
        (run ? Text::tr("source: hardware counters of %1, %2 passes").arg(toText(run->chip)).arg(run->passes)
             : Text::tr("source: hardware counters"));
    if (ratio) {
        const bool isOne = ratio->rest == ratio->whole;
        QString text =
            Text::tr("%1 / %2 = %3 / %4")
                .arg(coreText(counterLabel(ratio->part)),
                     coreText(counterLabel(ratio->whole)) +
                         (isOne ? QString() : QStringLiteral(" + ") + coreText(counterLabel(ratio->rest))))
                .arg(exact(static_cast<std::int64_t>(*f.counted(ratio->part)), ""))
                .arg(exact(static_cast<std::int64_t>(*f.counted(ratio->whole) +
                                                     (isOne ? 0 : *f.counted(ratio->rest))),
                           ""));
        const auto most = mostWarps(tree.scene()->measured->machine().computeCapability.value_or(0));
        if (!ratio->isShare && most)
            text += Text::tr("\noccupancy %1 %: an SM holds %2 warps")
                        .arg(numberText(*value / *most * 100, 'f', 0))
                        .arg(*most);
        return text + u'\n' + coreText(ratio->about) + u'\n' + source;
    }
    switch (column) {
    case OperationColumn::DramShare:
        return Text::tr("DRAM bytes / seconds / bandwidth = %1 / %2 / %3\n%4")
            .arg(quantity(*f.bytesAt(MemoryLevel::Dram), "B"), quantity(*f.measured(), "s"),
                 quantity(f.bandwidth, "B/s"), source);
    case OperationColumn::Executed:
        return Text::tr("%1 per step: %2 on tensor cores, %3 on CUDA cores\n%4")
            .arg(whole(*value, "FLOP"), whole(*f.counted(CounterKind::TensorFlops), "FLOP"),
                 whole(*f.counted(CounterKind::CoreFlops), "FLOP"), source);
    case OperationColumn::ExecutedRatio:
        return Text::tr(
                   "executed / model = %1 / %2\nAbove 1: padding of tiles, and what an epilogue adds\n%3")
            .arg(quantity(*f.executedFlops(), "FLOP"), quantity(f.ranFlops, "FLOP"), source);
    case OperationColumn::DramRatio:
        return Text::tr("DRAM / compulsory = %1 / %2\n%3")
            .arg(quantity(*f.bytesAt(MemoryLevel::Dram), "B"), quantity(f.ranBytes, "B"), source);
    default:
        return Text::tr("%1 per step\n%2").arg(whole(*value, "B"), source);
    }
}

/// How well the figure of a column is founded.
QString tierLine(const Node& node, OperationColumn column) {
    switch (column) {
    case OperationColumn::Name:
    case OperationColumn::Flops:
    case OperationColumn::Bytes:
    case OperationColumn::Intensity:
        return Text::tr("Tier: counted from the step's operations and tensors; no measurement, no ceiling.");
    case OperationColumn::Predicted:
    case OperationColumn::Bound:
        if (!node.figures.tier) return Text::tr("Tier: not known.");
        return Text::tr("Tier: %1. %2")
            .arg(tierText(*node.figures.tier), capitalised(coreText(tierMeaning(*node.figures.tier))));
    default:
        return Text::tr("Tier: %1. %2")
            .arg(tierText(Tier::Measured), capitalised(coreText(tierMeaning(Tier::Measured))));
    }
}

}  // namespace

QString cellToolTip(const OperationsTree& tree, const Node& node, OperationColumn column) {
    const QString title = operationFullName(tree, node) + QStringLiteral("\n");
    if (node.kind == OperationsTree::Kind::Kernel)
        return title + (column == OperationColumn::Measured || column == OperationColumn::Name
                            ? kernelToolTip(tree, node)
                            : Text::tr("Known of the operation, not of its kernels."));
    if (needsCounters(column)) return title + countedToolTip(tree, node, column);
    switch (column) {
    case OperationColumn::Name:
        return title + (node.op >= 0 ? Text::tr("id %1").arg(toText(tree.id(node)))
                                     : Text::tr("%1 operations, %2 executions in a step")
                                           .arg(node.figures.ops)
                                           .arg(node.figures.count));
    case OperationColumn::Flops:
        return title + flopsToolTip(tree, node);
    case OperationColumn::Bytes:
        return title + bytesToolTip(tree, node);
    case OperationColumn::Intensity:
        if (!node.figures.isKnown(node.figures.bytes) || !node.figures.isKnown(node.figures.flops))
            return title + notKnownText();
        if (!node.figures.intensity()) return title + Text::tr("No bytes are moved.");
        return title + Text::tr("FLOP / bytes = %1 / %2 = %3")
                           .arg(exact(node.figures.flops, "FLOP"), exact(node.figures.bytes, "B"))
                           .arg(numberText(*node.figures.intensity(), 'g', 9));
    case OperationColumn::Predicted:
        return title + predictedToolTip(tree, node);
    case OperationColumn::Measured:
        return title + measuredToolTip(tree, node);
    case OperationColumn::Bound:
        return title + boundToolTip(tree, node);
    default:
        return title + derivedToolTip(tree, node, column);
    }
}

QString cellPage(const OperationsTree& tree, const Node& node, OperationColumn column) {
    const bool isWhatIf = node.figures.isWhatIf;
    QStringList lines = cellToolTip(tree, node, column).split(u'\n', Qt::SkipEmptyParts);
    if (const QString name = operationFullName(tree, node); !lines.isEmpty() && lines.front() == name)
        lines.removeFirst();
    for (QString& line : lines) line = line.toHtmlEscaped();
    QString page = QStringLiteral("<h3>%1</h3><p><b>%2</b></p><p>%3</p><p>%4</p>")
                       .arg(operationFullName(tree, node).toHtmlEscaped(),
                            Text::tr("%1: %2")
                                .arg(columnTitle(column, isWhatIf), cellText(tree, node, column))
                                .toHtmlEscaped(),
                            columnHelp(column, isWhatIf).toHtmlEscaped(), lines.join(QStringLiteral("<br>")));
    if (column != OperationColumn::Name && cellText(tree, node, column) != absentText())
        page += QStringLiteral("<p>%1</p>").arg(tierLine(node, column).toHtmlEscaped());
    return page;
}

}  // namespace plumb::ui
