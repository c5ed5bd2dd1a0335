// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_text.h"

#include "core/base/entry_at.h"
#include "ui/operations/operations_format.h"
#include "ui/theme/text.h"
#include "ui/workbench/step_text.h"

#include <cstdint>
#include <iterator>
#include <optional>

namespace plumb::ui {

namespace {

using namespace operations;
using Kind = OperationsTree::Kind;
using Node = OperationsTree::Node;

QString groupName(const OperationsTree& tree, const Node& node) {
    return stepText(tree.step(), tree.step().groupLabel(node.first));
}

QString kernelLabel(const OperationsTree& tree, const Node& node) {
    const OperationsTree::Kernel& kernel = entryAt(tree.kernels(), node.kernel);
    const QString name = toText(kernel.name);
    return node.figures.count > 1 ? name + Text::tr(" ×%1").arg(node.figures.count) : name;
}

/// How a cell writes its number.
enum class Format : std::uint8_t {
    Count,
    Bytes,
    Ratio,
    Share,
    Predicted,
    Seconds,
    Rate,
    Bandwidth,
    Difference,
    OfRoof
};

using Figures = OperationFigures;
using Value = std::optional<double>;

/// A sum of which nothing is known is none.
Value knownSum(const Figures& figures, std::int64_t sum) {
    return figures.isKnown(sum) ? Value(static_cast<double>(sum)) : Value();
}

struct ColumnText {
    const char* title;
    const char* help;
    Value (*value)(const Figures& figures);  ///< SI; empty where it is not known, and of columns of text
    Format format;
};

/// By OperationColumn, as far as it is no ratio of counts: those describe themselves.
constexpr ColumnText kColumns[] = {
    {.title = QT_TRANSLATE_NOOP("Operations", "operation"),
     .help = QT_TRANSLATE_NOOP("Operations",
                               "Phase, kind of operation, layer; in the order of execution unless sorted"),
     .value = [](const Figures&) -> Value { return std::nullopt; },
     .format = Format::Count},
    {.title = QT_TRANSLATE_NOOP("Operations", "FLOP"),
     .help = QT_TRANSLATE_NOOP("Operations",
                               "Floating-point operations of one step; a fused multiply-add is two"),
     .value = [](const Figures& f) -> Value { return knownSum(f, f.flops); },
     .format = Format::Count},
    {.title = QT_TRANSLATE_NOOP("Operations", "bytes"),
     .help = QT_TRANSLATE_NOOP(
         "Operations", "Compulsory traffic of one step: each input read once, each output written once"),
     .value = [](const Figures& f) -> Value { return knownSum(f, f.bytes); },
     .format = Format::Bytes},
    {.title = QT_TRANSLATE_NOOP("Operations", "FLOP/byte"),
     .help = QT_TRANSLATE_NOOP("Operations", "Arithmetic intensity: FLOP per byte of compulsory traffic"),
     .value = [](const Figures& f) -> Value { return f.intensity(); },
     .format = Format::Count},
    {.title = QT_TRANSLATE_NOOP("Operations", "predicted"),
     .help =
         QT_TRANSLATE_NOOP("Operations", "Predicted seconds of one step, from the ceilings of the machine"),
     .value = [](const Figures& f) -> Value { return f.predicted(); },
     .format = Format::Predicted},
    {.title = QT_TRANSLATE_NOOP("Operations", "measured"),
     .help =
         QT_TRANSLATE_NOOP("Operations", "Measured seconds of one step: median over steps, warm-up left out"),
     .value = [](const Figures& f) -> Value { return f.measured(); },
     .format = Format::Seconds},
    {.title = QT_TRANSLATE_NOOP("Operations", "difference"),
     .help = QT_TRANSLATE_NOOP(
         "Operations",
         "Measured / predicted − 1, both of what ran; from 1000 % on measured / predicted: ×158"),
     .value = [](const Figures& f) -> Value { return f.difference(); },
     .format = Format::Difference},
    {.title = QT_TRANSLATE_NOOP("Operations", "FLOP/s"),
     .help = QT_TRANSLATE_NOOP("Operations", "Achieved FLOP per second: FLOP / measured seconds"),
     .value = [](const Figures& f) -> Value { return f.flopPerSecond(); },
     .format = Format::Rate},
    {.title = QT_TRANSLATE_NOOP("Operations", "bytes/s"),
     .help =
         QT_TRANSLATE_NOOP("Operations", "Achieved bytes per second: compulsory bytes / measured seconds"),
     .value = [](const Figures& f) -> Value { return f.bytesPerSecond(); },
     .format = Format::Bandwidth},
    {.title = QT_TRANSLATE_NOOP("Operations", "of roof"),
     .help = QT_TRANSLATE_NOOP(
         "Operations",
         "Share of the roof that holds the operation: the peak of its units, or the level of memory that "
         "served it. \"> 100 %\" is not possible: a ceiling is too low, calibrate again"),
     .value = [](const Figures& f) -> Value { return f.ofRoof(); },
     .format = Format::OfRoof},
    {.title = QT_TRANSLATE_NOOP("Operations", "bound"),
     .help = QT_TRANSLATE_NOOP(
         "Operations", "Which ceiling limits the operation: compute, memory or the overhead of starting it"),
     .value = [](const Figures&) -> Value { return std::nullopt; },
     .format = Format::Count},
    {.title = QT_TRANSLATE_NOOP("Operations", "executed"),
     .help = QT_TRANSLATE_NOOP("Operations",
                               "FLOPs that the hardware executed, counted: padding of tiles included"),
     .value = [](const Figures& f) -> Value { return f.executedFlops(); },
     .format = Format::Count},
    {.title = QT_TRANSLATE_NOOP("Operations", "/ model"),
     .help = QT_TRANSLATE_NOOP("Operations", "Executed FLOPs / FLOPs of the model: 1 without padding"),
     .value = [](const Figures& f) -> Value { return f.flopsRatio(); },
     .format = Format::Ratio},
    {.title = QT_TRANSLATE_NOOP("Operations", "DRAM"),
     .help = QT_TRANSLATE_NOOP("Operations", "Bytes read from and written to the device's memory, counted"),
     .value = [](const Figures& f) -> Value { return f.bytesAt(MemoryLevel::Dram); },
     .format = Format::Bytes},
    {.title = QT_TRANSLATE_NOOP("Operations", "/ model"),
     .help = QT_TRANSLATE_NOOP("Operations",
                               "DRAM bytes / compulsory bytes of the model: below 1, caches kept some"),
     .value = [](const Figures& f) -> Value { return f.dramRatio(); },
     .format = Format::Ratio},
    {.title = QT_TRANSLATE_NOOP("Operations", "L2"),
     .help = QT_TRANSLATE_NOOP("Operations", "Bytes asked of the L2 cache, counted"),
     .value = [](const Figures& f) -> Value { return f.bytesAt(MemoryLevel::L2); },
     .format = Format::Bytes},
    {.title = QT_TRANSLATE_NOOP("Operations", "L1"),
     .help = QT_TRANSLATE_NOOP("Operations", "Bytes through the L1 cache and shared memory, counted"),
     .value = [](const Figures& f) -> Value { return f.bytesAt(MemoryLevel::L1); },
     .format = Format::Bytes},
    {.title = QT_TRANSLATE_NOOP("Operations", "of DRAM"),
     .help = QT_TRANSLATE_NOOP(
         "Operations", "Share of the memory's bandwidth: counted DRAM bytes / measured seconds / bandwidth"),
     .value = [](const Figures& f) -> Value { return f.dramShare(); },
     .format = Format::Share},
};
static_assert(std::size(kColumns) == static_cast<std::size_t>(OperationColumn::TensorPipe));

const ColumnText& textOf(OperationColumn column) { return entryAt(kColumns, column); }

QString percentText(double share) { return numberText(share * 100, 'f', 0) + QStringLiteral(" %"); }

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
        return Text::tr("memory", "what bounds an operation");
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
        return coreText(phaseName(node.phase));
    case Kind::Group: {
        const OperationFigures& figures = node.figures;
        const QString name = groupName(tree, node) + Text::tr(" ×%1").arg(figures.count);
        return figures.isWhatIf && figures.ranOps > 0 && figures.ranCount != figures.count
                   ? Text::tr("%1 (run ×%2)").arg(name).arg(figures.ranCount)
                   : name;
    }
    case Kind::Kernel:
        return kernelLabel(tree, node);
    case Kind::Operation:
        break;
    }
    // An op of a group is told by its place, which one outside of all modules does not have.
    const bool isInGroup = tree.node(node.parent).kind == Kind::Group;
    if (const std::string place = isInGroup ? tree.step().placeInGroup(node.op) : std::string();
        !place.empty())
        return stepText(tree.step(), place);
    return stepText(tree.step(), tree.step().opLabel(node.op));
}

QString operationFullName(const OperationsTree& tree, const Node& node) {
    switch (node.kind) {
    case Kind::Root:
        return Text::tr("sum of the rows");
    case Kind::Phase:
        return coreText(phaseName(node.phase));
    case Kind::Group:
        return coreText(phaseName(node.phase)) + QStringLiteral(" · ") + groupName(tree, node);
    case Kind::Operation:
        return stepText(tree.step(), tree.step().opName(node.op));
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
    if (const CounterRatio* ratio = ratioOfColumn(column)) return coreText(ratio->label);
    return Text::tr(textOf(column).title);
}

QString columnHelp(OperationColumn column, bool isWhatIf) {
    if (isWhatIf && column == OperationColumn::Predicted)
        return Text::tr("Predicted seconds of one step of what the sliders ask for");
    if (isWhatIf && column == OperationColumn::Measured)
        return Text::tr("Measured seconds of one step of what ran, which is another one");
    if (isWhatIf && column == OperationColumn::Difference)
        return Text::tr("What-if / run − 1: predicted for the sliders, measured of what ran; from 1000 % on "
                        "what-if / run: ×158");
    if (isWhatIf && isOfTheRunAlone(column))
        return Text::tr("Known of what ran alone: set the sliders to it to see it");
    if (const CounterRatio* ratio = ratioOfColumn(column))
        return coreText(ratio->about) + Text::tr(", counted");
    return Text::tr(textOf(column).help);
}

std::optional<double> cellValue(const Node& node, OperationColumn column) {
    const OperationFigures& f = node.figures;
    // The timeline knows the time alone of a kernel.
    if (node.kind == Kind::Kernel) return column == OperationColumn::Measured ? f.measured() : std::nullopt;
    // Beside the FLOPs and bytes of the sliders, rates and counts of another step would be read as theirs.
    if (f.isWhatIf && isOfTheRunAlone(column)) return std::nullopt;
    if (const CounterRatio* ratio = ratioOfColumn(column)) return f.counterRatio(*ratio);
    return textOf(column).value(f);
}

QString cellText(const OperationsTree& tree, const Node& node, OperationColumn column) {
    if (column == OperationColumn::Name) return operationLabel(tree, node);
    if (column == OperationColumn::Bound && node.kind == Kind::Kernel) return absentText();
    if (column == OperationColumn::Bound)
        return node.figures.bound ? boundLabel(*node.figures.bound) : Text::tr("mixed");
    const std::optional<double> value = cellValue(node, column);
    if (!value) return absentText();
    if (const CounterRatio* of = ratioOfColumn(column))
        return of->isShare ? percentText(*value) : numberText(*value, 'f', 1);
    switch (textOf(column).format) {
    case Format::Count:
        break;
    case Format::Bytes:
        return quantity(*value, "B");
    case Format::Ratio:
        return numberText(*value, 'f', 2);
    case Format::Predicted:
        return tierMark(node.figures.tier) + quantity(*value, "s");
    case Format::Seconds:
        return quantity(*value, "s");
    case Format::Bandwidth:
        return quantity(*value, "B/s");
    case Format::Rate:
        return quantity(*value, "FLOP/s");
    case Format::Share:
        return percentText(*value);
    case Format::Difference:
        return relativeText(*value);
    case Format::OfRoof:
        // No machine does that: the number only says that a ceiling is too low.
        if (*value > 1 || (node.op >= 0 && node.figures.ceilingTooLow)) return Text::tr("> 100 %");
        return servedByCache(node.figures) ? Text::tr("%1 cache").arg(percentText(*value))
                                           : percentText(*value);
    }
    return quantity(*value, "");
}

}  // namespace plumb::ui
