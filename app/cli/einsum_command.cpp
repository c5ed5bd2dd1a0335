// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/lab_device.h"
#include "app/cli/lab_timing.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/lab/contraction_order.h"
#include "core/lab/einsum_cost.h"
#include "core/lab/einsum_shapes.h"
#include "core/measure/mfu_judgement.h"

#include <fmt/format.h>

namespace plumb::cli {

namespace {

using lab::EinsumExpression;
using lab::ExpressionBound;
using lab::ExpressionCost;
using nlohmann::json;

/// What models are trained in; ratios of FLOPs and bytes are usually quoted for it.
constexpr Dtype kUsualEinsumDtype = Dtype::Bf16;

/// All that one question is answered with.
struct EinsumAnswer {
    EinsumExpression expression;
    DimensionSizes sizes;
    Dtype dtype = kUsualEinsumDtype;
    ExpressionCost cost;
    Machine machine;
    std::optional<ExpressionBound> bound;
    std::string noBound;  ///< why there is none
    std::optional<lab::ContractionOrder> order;
    std::string noOrder;  ///< why there is none for three and more operands
    std::optional<protocol::EinsumTimed> timed;

    /// FLOPs of the way in which it is run.
    [[nodiscard]] double workFlops() const { return static_cast<double>(order ? order->flops : cost.flops); }
};

/// "batch=64", lines of it, commas too.
Result<DimensionSizes> sizesOf(std::string_view text) {
    DimensionSizes sizes;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\n,"), text.size());
        const std::string_view word = text.substr(0, end);
        text = text.substr(std::min(end + 1, text.size()));
        if (word.empty()) continue;
        const std::size_t equals = word.find('=');
        if (equals == std::string_view::npos || equals == 0)
            return Error{ErrorCode::BadInput, fmt::format("--dim cannot be used ({:s})", word),
                         "give NAME=SIZE, such as batch=64"};
        const auto size = parseSize(word.substr(equals + 1));
        if (!size.has_value() || *size < 1)
            return Error{ErrorCode::BadInput, fmt::format("--dim cannot be used ({:s})", word),
                         "give a whole number of at least 1 as the size"};
        const auto [entry, isNew] = sizes.emplace(std::string(word.substr(0, equals)), *size);
        if (!isNew && entry->second != *size)
            return Error{
                ErrorCode::BadInput,
                fmt::format("{:s} is given two sizes ({} and {})", entry->first, entry->second, *size),
                "give it one"};
    }
    return sizes;
}

std::string sizeText(double value, std::string_view unit) { return formatQuantity(value, unit); }
std::string exactText(std::int64_t value, std::string_view unit) {
    return fmt::format("{} ({})", sizeText(static_cast<double>(value), unit), formatExact(value, unit));
}

json boundJson(const EinsumAnswer& answer) {
    json device{{"name", answer.machine.name}, {"source", answer.machine.source}, {"note", answer.noBound}};
    if (!answer.bound) return device;
    const ExpressionBound& bound = *answer.bound;
    device["peak_dtype"] = dtypeName(bound.peakDtype);
    device["peak_flop_per_s"] = bound.peakFlopPerSecond;
    device["bandwidth_bytes_per_s"] = bound.bandwidthBytesPerSecond;
    device["balance"] = bound.balance;
    device["highest_mfu"] = highestMfu(answer.cost.intensity, bound.balance);
    device["compute_seconds"] = bound.computeSeconds;
    device["memory_seconds"] = bound.memorySeconds;
    device["seconds"] = bound.seconds;
    device["bound"] = bound.computeBound ? "compute" : "memory";
    device["formula"] = bound.formula;
    return device;
}

json orderJson(const lab::ContractionOrder& order) {
    json steps = json::array();
    for (const lab::ContractionStep& step : order.steps)
        steps.push_back({{"operands", {step.first, step.second}},
                         {"expression", step.product.text()},
                         {"flops", step.flops},
                         {"result_elements", step.resultElements}});
    return {{"steps", std::move(steps)},
            {"flops", order.flops},
            {"direct_flops", order.directFlops < 0 ? json() : json(order.directFlops)},
            {"largest_intermediate_elements", order.largestIntermediate}};
}

json documentOf(const EinsumAnswer& answer) {
    const ExpressionCost& cost = answer.cost;
    json gradients = json::array();
    for (const lab::GradientExpression& gradient : lab::gradientsOf(answer.expression))
        gradients.push_back({{"operand", gradient.operand},
                             {"expression", gradient.text.empty() ? json() : json(gradient.text)},
                             {"note", gradient.note}});
    json timed;
    if (answer.timed)
        timed = {{"seconds", answer.timed->median},
                 {"fastest_seconds", answer.timed->fastest},
                 {"runs", answer.timed->runs},
                 {"implementation", answer.timed->implementation},
                 {"machine", answer.timed->machine},
                 {"flop_per_s", answer.workFlops() / answer.timed->median},
                 {"bytes_per_s", static_cast<double>(cost.bytes) / answer.timed->median}};
    return {{"expression", answer.expression.text()},
            {"dimensions", answer.sizes},
            {"dtype", dtypeName(answer.dtype)},
            {"points", cost.points},
            {"flops", cost.flops},
            {"flops_exact", cost.exactFlops},
            {"flops_formula", cost.flopsFormula},
            {"bytes", cost.bytes},
            {"bytes_formula", cost.bytesFormula},
            {"operand_bytes", cost.operandBytes},
            {"result_bytes", cost.resultBytes},
            {"intensity", cost.intensity},
            {"is_view", cost.isView},
            {"loops", lab::loopNest(answer.expression, answer.sizes)},
            {"device", boundJson(answer)},
            {"gradients", std::move(gradients)},
            {"order", answer.order ? orderJson(*answer.order) : json()},
            {"order_note", answer.noOrder},
            {"timed", std::move(timed)}};
}

std::string reportOf(const EinsumAnswer& answer) {
    const ExpressionCost& cost = answer.cost;
    Table table(2);
    table.add({"FLOPs", cost.flopsFormula, exactText(cost.flops, "FLOP")});
    table.add({"FLOPs exactly", "", exactText(cost.exactFlops, "FLOP")});
    table.add({"bytes", cost.bytesFormula, exactText(cost.bytes, "B")});
    table.add({"intensity", "FLOPs / bytes", fmt::format("{:.4g} FLOP/B", cost.intensity)});
    if (answer.bound) {
        const ExpressionBound& bound = *answer.bound;
        table.add({"balance", answer.machine.name + ", " + std::string(dtypeName(bound.peakDtype)),
                   fmt::format("{:.4g} FLOP/B", bound.balance)});
        table.add({"MFU at most", "min(1, intensity / balance)",
                   fmt::format("{:.3g} %", 100 * highestMfu(cost.intensity, bound.balance))});
        table.add({bound.computeBound ? "compute-bound" : "memory-bound", bound.formula,
                   sizeText(bound.seconds, "s")});
    }
    if (answer.timed)
        table.add(
            {"measured",
             fmt::format("median of {} runs, {}", answer.timed->runs, answer.timed->implementation),
             fmt::format("{} ({})", sizeText(answer.timed->median, "s"),
                         // What computes nothing is told by the bytes.
                         answer.cost.flops > 0
                             ? sizeText(answer.workFlops() / answer.timed->median, "FLOP/s")
                             : sizeText(static_cast<double>(cost.bytes) / answer.timed->median, "B/s"))});
    std::string text = fmt::format("{}  ({})\n\n{}\n\n{}", answer.expression.text(), dtypeName(answer.dtype),
                                   lab::loopNest(answer.expression, answer.sizes), table.text());
    if (cost.isView) text += "\nonly strides change: a view, which moves nothing until it is copied\n";
    if (!answer.noBound.empty()) text += fmt::format("\nno bound: {}\n", answer.noBound);
    text += "\ngradients\n";
    for (const lab::GradientExpression& gradient : lab::gradientsOf(answer.expression))
        text += fmt::format("  {}: {}{}{}\n", gradient.operand, gradient.text.empty() ? "–" : gradient.text,
                            gradient.note.empty() ? "" : ", ", gradient.note);
    if (!answer.noOrder.empty()) text += fmt::format("\nno best order: {}\n", answer.noOrder);
    if (!answer.order) return text;
    text +=
        fmt::format("\nbest order, {} in all{}\n", sizeText(static_cast<double>(answer.order->flops), "FLOP"),
                    answer.order->directFlops < 0
                        ? ""
                        : fmt::format(", all at once {}",
                                      sizeText(static_cast<double>(answer.order->directFlops), "FLOP")));
    for (const lab::ContractionStep& step : answer.order->steps)
        text +=
            fmt::format("  {}: {}\n", step.product.text(), sizeText(static_cast<double>(step.flops), "FLOP"));
    return text;
}

/// `einsum ladder`: the classic rungs, and where the device stands.
Result<void> printLadder(const Arguments& arguments, const Machine& machine, Dtype dtype) {
    json rungs = json::array();
    Table table(2);
    table.add({"Operation", "Expression", "FLOP/B", "rule"});
    for (const lab::LadderStep& step : lab::intensityLadder()) {
        PLUMB_TRY(const EinsumExpression expression, EinsumExpression::parse(step.text, step.sizes));
        PLUMB_TRY(const ExpressionCost cost, lab::costOf(expression, step.sizes, dtype));
        rungs.push_back({{"id", step.id},
                         {"label", step.label},
                         {"expression", step.text},
                         {"dimensions", step.sizes},
                         {"flops", cost.flops},
                         {"bytes", cost.bytes},
                         {"intensity", cost.intensity},
                         {"rule", step.rule}});
        table.add({std::string(step.label), std::string(step.text), fmt::format("{:.4g}", cost.intensity),
                   std::string(step.rule)});
    }
    const auto peak = machine.peak(dtype);
    const bool known = peak && machine.bandwidthBytesPerSecond;
    if (arguments.json())
        return print(dumpJson({{"dtype", dtypeName(dtype)},
                               {"ladder", std::move(rungs)},
                               {"device", machine.name},
                               {"balance", known ? json(*peak / *machine.bandwidthBytesPerSecond) : json()}},
                              1) +
                     "\n");
    table.add({"balance of " + machine.name, std::string(dtypeName(dtype)),
               known ? fmt::format("{:.4g}", *peak / *machine.bandwidthBytesPerSecond) : "–",
               "peak / bandwidth"});
    return print(table.text());
}

/// --shape, once for each operand.
Result<std::vector<std::vector<std::int64_t>>> shapesOf(const std::string& text) {
    std::vector<std::vector<std::int64_t>> shapes;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        PLUMB_TRY(auto shape, lab::shapeFromText(std::string_view(text).substr(begin, end - begin)));
        shapes.push_back(std::move(shape));
        begin = end + 1;
    }
    return shapes;
}

Result<void> runEinsum(const Arguments& arguments) {
    EinsumAnswer answer;
    PLUMB_TRY(answer.dtype, labDtype(arguments, kUsualEinsumDtype));
    const bool timing = arguments.has("time");
    if (timing && arguments.has("device") && arguments.text("device") != "local")
        return Error{ErrorCode::BadInput,
                     fmt::format("--time runs on this machine (--device {:s})", arguments.text("device")),
                     "leave one of the two out"};
    // The expression is timed by the processor, so that the bound beside the time is that of the processor.
    PLUMB_TRY(answer.machine, timing ? localMachine({BackendChoice::Cpu}) : labDevice(arguments));
    const std::string text = arguments.text("EXPR");
    if (text == "ladder") return printLadder(arguments, answer.machine, answer.dtype);
    PLUMB_TRY(answer.sizes, sizesOf(arguments.text("dim")));
    PLUMB_TRY(answer.expression, EinsumExpression::parse(text, answer.sizes));
    PLUMB_TRY(const auto shapes, shapesOf(arguments.text("shape")));
    PLUMB_TRY(answer.sizes, lab::sizesFromShapes(answer.expression, shapes, std::move(answer.sizes)));
    PLUMB_CHECK(answer.expression.checkSizes(answer.sizes));
    PLUMB_TRY(answer.cost, lab::costOf(answer.expression, answer.sizes, answer.dtype));
    auto bound = lab::boundOn(answer.expression, answer.cost, answer.dtype, answer.machine);
    if (bound.has_value())
        answer.bound = *bound;
    else if (arguments.has("device"))
        return bound.error();  // asked for, and not to be had
    else
        answer.noBound = bound.error().text();
    if (answer.expression.inputs.size() > 2) {
        auto order = lab::bestOrder(answer.expression, answer.sizes);
        if (order.has_value())
            answer.order = std::move(order).value();
        else
            answer.noOrder = order.error().text();
    }
    if (timing) {
        const Interrupt interrupt;
        PLUMB_TRY(answer.timed,
                  timeEinsum({answer.expression.text(), answer.sizes, answer.dtype}, interrupt.token()));
    }
    return print(arguments.json() ? dumpJson(documentOf(answer), 1) + "\n" : reportOf(answer));
}

}  // namespace

CommandSpec einsumCommand() {
    CommandSpec command{
        .name = "einsum",
        .help = "what a product, rearrangement or reduction of tensors costs, and its gradients",
        .positional = "EXPR",
        .positionalHelp = "dimensions of the operands and of the result, as \"i j, j k -> i k\""};
    OptionSpec dim{"dim", "NAME=SIZE", "size of a dimension; once for each"};
    dim.repeats = true;
    OptionSpec shape{"shape", "SIZES",
                     "shape of an operand, such as 8x128x64; once for each, in order, instead of --dim"};
    shape.repeats = true;
    command.options = {dim, shape};
    for (OptionSpec& option : labOptions(kUsualEinsumDtype)) command.options.push_back(std::move(option));
    command.options.push_back(
        {"time", "", "run it on this machine's processor as well, in --dtype fp32 or bf16"});
    command.examples =
        "Examples:\n"
        "  plumbline-cli einsum \"batch in, in out -> batch out\" --dim batch=64 in=4096 out=4096\n"
        "  plumbline-cli einsum \"ij,jk,kl->il\" --dim i=1000 j=1000 k=1000 l=1 --device \"H100 SXM\"\n"
        "  plumbline-cli einsum \"mean: b (h 2) (w 2) c -> b h w c\" --dim b=8 h=112 w=112 c=64\n"
        "  plumbline-cli einsum \"gelu: batch dim\" --dim batch=64 dim=4096\n"
        "  plumbline-cli einsum \"i k, k j -> i j\" --dim i=512 j=512 k=512 --dtype fp32 --time\n"
        "  plumbline-cli einsum \"... in, in out -> ... out\" --shape 8x128x64 --shape 64x32\n"
        "  plumbline-cli einsum ladder --device \"H100 SXM\"";
    command.run = runEinsum;
    return command;
}

}  // namespace plumb::cli
