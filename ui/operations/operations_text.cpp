// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_text.h"

#include "ui/operations/operations_format.h"
#include "ui/theme/text.h"

#include <cmath>

namespace plumb::ui {

namespace {

using namespace operations;
using Kind = OperationsTree::Kind;
using Node = OperationsTree::Node;

QString groupName(const OperationsTree& tree, const Node& node) {
    return QString::fromStdString(tree.step().groupLabel(node.first));
}

QString kernelLabel(const OperationsTree& tree, const Node& node) {
    const OperationsTree::Kernel& kernel = tree.kernels()[static_cast<std::size_t>(node.kernel)];
    const QString name = QString::fromStdString(kernel.name);
    return node.figures.count > 1 ? name + Text::tr(" ×%1").arg(node.figures.count) : name;
}

}  // namespace

QString absentText() { return QStringLiteral("–"); }

QString tierMark(std::optional<Tier> tier) {
    return tier == Tier::Published || tier == Tier::DataSheet ? QStringLiteral("~") : QString();
}

bool servedByCache(const OperationFigures& figures) {
    return figures.roof && !figures.roof->compute && figures.roof->level > 0;
}

QString boundLabel(Bound bound) {
    switch (bound) {
    case Bound::Unknown:
        return absentText();
    case Bound::Compute:
        return Text::tr("compute");
    case Bound::Memory:
        return Text::tr("memory");
    case Bound::Overhead:
        return Text::tr("overhead");
    }
    return {};
}

QString operationLabel(const OperationsTree& tree, const Node& node) {
    switch (node.kind) {
    case Kind::Root:
        return {};
    case Kind::Phase:
        return toText(phaseName(node.phase));
    case Kind::Group:
        return groupName(tree, node) + Text::tr(" ×%1").arg(node.figures.count) +
               (node.figures.isWhatIf && node.figures.ranOps > 0 &&
                        node.figures.ranCount != node.figures.count
                    ? Text::tr(" (run ×%1)").arg(node.figures.ranCount)
                    : QString());
    case Kind::Kernel:
        return kernelLabel(tree, node);
    case Kind::Operation:
        break;
    }
    if (tree.node(node.parent).kind == Kind::Group)
        return QString::fromStdString(tree.step().placeInGroup(node.op));
    return QString::fromStdString(tree.step().opLabel(node.op));
}

QString operationFullName(const OperationsTree& tree, const Node& node) {
    switch (node.kind) {
    case Kind::Root:
        return {};
    case Kind::Phase:
        return toText(phaseName(node.phase));
    case Kind::Group:
        return toText(phaseName(node.phase)) + QStringLiteral(" · ") + groupName(tree, node);
    case Kind::Operation:
        return QString::fromStdString(tree.step().opName(node.op));
    case Kind::Kernel:
        return operationFullName(tree, tree.node(node.parent)) + QStringLiteral(" · ") +
               kernelLabel(tree, node);
    }
    return {};
}

bool isOfTheRunAlone(OperationColumn column) {
    return column == OperationColumn::Rate || column == OperationColumn::Bandwidth ||
           column == OperationColumn::OfRoof || needsCounters(column);
}

QString columnTitle(OperationColumn column, bool isWhatIf) {
    if (isWhatIf && column == OperationColumn::Predicted) return Text::tr("what-if");
    if (isWhatIf && column == OperationColumn::Measured) return Text::tr("run");
    switch (column) {
    case OperationColumn::Name:
        return Text::tr("operation");
    case OperationColumn::Flops:
        return Text::tr("FLOP");
    case OperationColumn::Bytes:
        return Text::tr("bytes");
    case OperationColumn::Intensity:
        return Text::tr("FLOP/byte");
    case OperationColumn::Predicted:
        return Text::tr("predicted");
    case OperationColumn::Measured:
        return Text::tr("measured");
    case OperationColumn::Difference:
        return Text::tr("difference");
    case OperationColumn::Rate:
        return Text::tr("FLOP/s");
    case OperationColumn::Bandwidth:
        return Text::tr("bytes/s");
    case OperationColumn::OfRoof:
        return Text::tr("of roof");
    case OperationColumn::Bound:
        return Text::tr("bound");
    case OperationColumn::Executed:
        return Text::tr("executed");
    case OperationColumn::ExecutedRatio:
        return Text::tr("/ model");
    case OperationColumn::DramBytes:
        return Text::tr("DRAM");
    case OperationColumn::DramRatio:
        return Text::tr("/ model");
    case OperationColumn::L2Bytes:
        return Text::tr("L2");
    case OperationColumn::L1Bytes:
        return Text::tr("L1");
    case OperationColumn::DramShare:
        return Text::tr("of DRAM");
    default:
        return toText(ratioOfColumn(column)->label);
    }
}

QString columnHelp(OperationColumn column, bool isWhatIf) {
    if (isWhatIf && column == OperationColumn::Predicted)
        return Text::tr("Predicted seconds of one step of what the sliders ask for");
    if (isWhatIf && column == OperationColumn::Measured)
        return Text::tr("Measured seconds of one step of what ran, which is another one");
    if (isWhatIf && column == OperationColumn::Difference)
        return Text::tr("What-if / run − 1: predicted for the sliders, measured of what ran");
    if (isWhatIf && isOfTheRunAlone(column))
        return Text::tr("Known of what ran alone: set the sliders to it to see it");
    switch (column) {
    case OperationColumn::Name:
        return Text::tr("Phase, kind of operation, layer; in the order of execution unless sorted");
    case OperationColumn::Flops:
        return Text::tr("Floating-point operations of one step; a fused multiply-add is two");
    case OperationColumn::Bytes:
        return Text::tr("Compulsory traffic of one step: each input read once, each output written once");
    case OperationColumn::Intensity:
        return Text::tr("Arithmetic intensity: FLOP per byte of compulsory traffic");
    case OperationColumn::Predicted:
        return Text::tr("Predicted seconds of one step, from the ceilings of the machine");
    case OperationColumn::Measured:
        return Text::tr("Measured seconds of one step: median over steps, warm-up left out");
    case OperationColumn::Difference:
        return Text::tr("Measured / predicted − 1, both of what ran");
    case OperationColumn::Rate:
        return Text::tr("Achieved FLOP per second: FLOP / measured seconds");
    case OperationColumn::Bandwidth:
        return Text::tr("Achieved bytes per second: compulsory bytes / measured seconds");
    case OperationColumn::OfRoof:
        return Text::tr(
            "Share of the roof that holds the operation: the peak of its units, or the level of memory that "
            "served it. \"> 100 %\" is not possible: a ceiling is too low, calibrate again");
    case OperationColumn::Bound:
        return Text::tr("Which ceiling limits the operation: compute, memory or the overhead of starting it");
    case OperationColumn::Executed:
        return Text::tr("FLOPs that the hardware executed, counted: padding of tiles included");
    case OperationColumn::ExecutedRatio:
        return Text::tr("Executed FLOPs / FLOPs of the model: 1 without padding");
    case OperationColumn::DramBytes:
        return Text::tr("Bytes read from and written to the device's memory, counted");
    case OperationColumn::DramRatio:
        return Text::tr("DRAM bytes / compulsory bytes of the model: below 1, caches kept some");
    case OperationColumn::L2Bytes:
        return Text::tr("Bytes asked of the L2 cache, counted");
    case OperationColumn::L1Bytes:
        return Text::tr("Bytes through the L1 cache and shared memory, counted");
    case OperationColumn::DramShare:
        return Text::tr("Share of the memory's bandwidth: counted DRAM bytes / measured seconds / bandwidth");
    default:
        return toText(ratioOfColumn(column)->about) + Text::tr(", counted");
    }
}

std::optional<double> cellValue(const Node& node, OperationColumn column) {
    const OperationFigures& f = node.figures;
    // The timeline knows the time alone of a kernel.
    if (node.kind == Kind::Kernel) return column == OperationColumn::Measured ? f.measured() : std::nullopt;
    // Beside the FLOPs and bytes of the sliders, rates and counts of another step would be read as theirs.
    if (f.isWhatIf && isOfTheRunAlone(column)) return std::nullopt;
    switch (column) {
    case OperationColumn::Flops:
        return static_cast<double>(f.flops);
    case OperationColumn::Bytes:
        return static_cast<double>(f.bytes);
    case OperationColumn::Intensity:
        return f.intensity();
    case OperationColumn::Predicted:
        return f.predicted();
    case OperationColumn::Measured:
        return f.measured();
    case OperationColumn::Difference:
        return f.difference();
    case OperationColumn::Rate:
        return f.flopPerSecond();
    case OperationColumn::Bandwidth:
        return f.bytesPerSecond();
    case OperationColumn::OfRoof:
        return f.ofRoof();
    case OperationColumn::Executed:
        return f.executedFlops();
    case OperationColumn::ExecutedRatio:
        return f.flopsRatio();
    case OperationColumn::DramBytes:
        return f.bytesAt(MemoryLevel::Dram);
    case OperationColumn::DramRatio:
        return f.dramRatio();
    case OperationColumn::L2Bytes:
        return f.bytesAt(MemoryLevel::L2);
    case OperationColumn::L1Bytes:
        return f.bytesAt(MemoryLevel::L1);
    case OperationColumn::DramShare:
        return f.dramShare();
    case OperationColumn::Name:
    case OperationColumn::Bound:
        return std::nullopt;
    default:
        return f.counterRatio(*ratioOfColumn(column));
    }
}

QString cellText(const OperationsTree& tree, const Node& node, OperationColumn column) {
    if (column == OperationColumn::Name) return operationLabel(tree, node);
    if (column == OperationColumn::Bound && node.kind == Kind::Kernel) return absentText();
    if (column == OperationColumn::Bound)
        return node.figures.bound ? boundLabel(*node.figures.bound) : Text::tr("mixed");
    const std::optional<double> value = cellValue(node, column);
    if (!value) return absentText();
    if (const CounterRatio* of = ratioOfColumn(column); of || column == OperationColumn::DramShare)
        return !of || of->isShare ? QString::number(*value * 100, 'f', 0) + QStringLiteral(" %")
                                  : QString::number(*value, 'f', 1);
    switch (column) {
    case OperationColumn::Bytes:
    case OperationColumn::DramBytes:
    case OperationColumn::L2Bytes:
    case OperationColumn::L1Bytes:
        return quantity(*value, "B");
    case OperationColumn::ExecutedRatio:
    case OperationColumn::DramRatio:
        return QString::number(*value, 'f', 2);
    case OperationColumn::Predicted:
        return tierMark(node.figures.tier) + quantity(*value, "s");
    case OperationColumn::Measured:
        return quantity(*value, "s");
    case OperationColumn::Bandwidth:
        return quantity(*value, "B/s");
    case OperationColumn::Rate:
        return quantity(*value, "FLOP/s");
    case OperationColumn::Difference: {
        const double percent = *value * 100;
        const QString sign = percent >= 0 ? QStringLiteral("+") : QStringLiteral("−");
        return sign + QString::number(std::abs(percent), 'f', std::abs(percent) < 100 ? 1 : 0) +
               QStringLiteral(" %");
    }
    case OperationColumn::OfRoof:
        // No machine does that: the number only says that a ceiling is too low.
        if (*value > 1 || (node.op >= 0 && node.figures.ceilingTooLow)) return Text::tr("> 100 %");
        return QString::number(*value * 100, 'f', 0) +
               (servedByCache(node.figures) ? Text::tr(" % cache") : QStringLiteral(" %"));
    default:
        return quantity(*value, "");
    }
}

}  // namespace plumb::ui
