// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/for_people.h"
#include "app/cli/lab_device.h"
#include "core/base/dtype_bytes.h"
#include "core/base/shape_text.h"
#include "core/base/table.h"
#include "core/io/json_fields.h"
#include "core/lab/layout_steps.h"
#include "core/lab/tensor_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace plumb::cli {

namespace {

using lab::AppliedStep;
using lab::CopyCost;
using lab::LayoutChain;
using lab::TensorLayout;
using nlohmann::json;

/// "2,3,4", "2x3x4", "[2, 3, 4]"; empty for a tensor without dimensions. `what` names them in errors.
Result<std::vector<std::int64_t>> numbersOf(std::string_view text, std::string_view what) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == ',' || c == 'x' || c == ' ' || c == '[' || c == ']' || c == '(' || c == ')') {
            ++at;
            continue;
        }
        std::int64_t number = 0;
        const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), number);
        if (code != std::errc())
            return Error{ErrorCode::BadInput, fmt::format("{} cannot be used ({:s})", what, text),
                         "give whole numbers, such as 2,3,4"};
        numbers.push_back(number);
        at = static_cast<std::size_t>(end - text.data());
    }
    return numbers;
}

constexpr Dtype kUsualTensorDtype = Dtype::Fp32;  // torch's

struct Question {
    LayoutChain chain;
    Machine host, gpu;
    Dtype dtype = kUsualTensorDtype;
    std::optional<lab::ElementAddress> address;
    std::optional<lab::ChainValues> values;

    [[nodiscard]] std::string device() const { return gpu.id.empty() ? host.name : gpu.name; }
    /// Where step `index` finds what it copies is where it is read, and gathered before it crosses the bus.
    [[nodiscard]] CopyCost cost(std::size_t index) const {
        const TensorLayout& before = index == 0 ? chain.start : chain.steps[index - 1].layout;
        return lab::copyCost(chain.steps[index], dtype, before.place == lab::Place::Gpu ? gpu : host,
                             gpu.hostBytesPerSecond, gpu.name);
    }
};

/// The memory that the tensor lies in at first: --on, or the GPU of --device unless a step copies it there.
Result<lab::Place> placeOf(const Arguments& arguments, const std::vector<lab::LayoutStep>& steps,
                           bool hasGpu) {
    const std::string on = arguments.text("on");
    if (on == "host") return lab::Place::Host;
    if (on == "gpu") return lab::Place::Gpu;
    if (!on.empty())
        return Error{ErrorCode::BadInput, fmt::format("--on cannot be used ({:s})", on), "use host or gpu"};
    const bool goesThere = std::any_of(steps.begin(), steps.end(), [](const lab::LayoutStep& step) {
        return step.kind == lab::StepKind::ToGpu;
    });
    return hasGpu && !goesThere ? lab::Place::Gpu : lab::Place::Host;
}

/// Null where there are none; a number that JSON has not is null, too.
json valuesJson(const std::vector<double>* values) {
    if (values == nullptr) return {};
    json list = json::array();
    for (const double value : *values) list.push_back(std::isfinite(value) ? json(value) : json());
    return list;
}

json layoutJson(const TensorLayout& layout, Dtype dtype) {
    return {{"shape", layout.shape},
            {"elements", layout.elements()},
            {"size_bytes", bytesOrOverflow(dtype, layout.elements())},
            {"strides", layout.strides},
            {"offset", layout.offset},
            {"storage", layout.storage},
            {"storage_bytes", bytesOrOverflow(dtype, layout.storageElements)},
            {"contiguous", layout.isContiguous()},
            {"place", layout.place == lab::Place::Host ? "host" : "gpu"}};
}

json documentOf(const Question& question) {
    json steps = json::array();
    for (std::size_t i = 0; i < question.chain.steps.size(); ++i) {
        const AppliedStep& step = question.chain.steps[i];
        json entry = layoutJson(step.layout, question.dtype);
        const CopyCost cost = question.cost(i);
        entry["step"] = step.step.text;
        entry["sharing"] = lab::sharingName(step.sharing);
        entry["bytes"] = cost.bytes;
        entry["seconds"] = cost.seconds ? json(*cost.seconds) : json();
        entry["formula"] = cost.formula;
        entry["note"] = step.note;
        entry["answer"] = step.answer.empty() ? json() : json(step.answer);
        entry["values"] = valuesJson(question.values ? &question.values->steps[i] : nullptr);
        steps.push_back(std::move(entry));
    }
    json address;
    if (question.address)
        address = {{"element", question.address->element},
                   {"bytes", question.address->bytes},
                   {"formula", question.address->formula}};
    json start = layoutJson(question.chain.start, question.dtype);
    start["values"] = valuesJson(question.values ? &question.values->start : nullptr);
    start["values_after"] = valuesJson(question.values ? &question.values->startAfter : nullptr);
    return {{"start", std::move(start)},
            {"steps", std::move(steps)},
            {"device", question.device()},
            {"address", std::move(address)}};
}

std::vector<std::string> rowOf(std::string step, const TensorLayout& layout, std::string sharing,
                               const CopyCost& cost, Dtype dtype) {
    return {std::move(step),
            std::move(sharing),
            shapeText(layout.shape),
            shapeText(layout.strides),
            formatExact(layout.elements(), ""),
            bytesText(bytesOrOverflow(dtype, layout.elements())),
            layout.isContiguous() ? "yes" : "no",
            std::to_string(layout.offset),
            fmt::format("{}{}", layout.storage, layout.place == lab::Place::Gpu ? " (GPU)" : ""),
            bytesText(cost.bytes),
            cost.seconds ? formatQuantity(*cost.seconds, "s") : "–"};
}

/// What stands in tensors that are read at a glance; the first is filled with 0, 1, 2, ...
std::string valuesOf(const Question& question) {
    constexpr std::int64_t kMostShown = 64;
    if (!question.values || question.chain.start.storageElements > kMostShown) return {};
    std::string text =
        fmt::format("\nx  {}\n", lab::valuesText(question.chain.start.shape, question.values->start));
    for (std::size_t i = 0; i < question.chain.steps.size(); ++i) {
        const AppliedStep& step = question.chain.steps[i];
        if (step.layout.elements() > kMostShown || !step.answer.empty()) continue;
        text += fmt::format("{}  {}\n", step.step.text,
                            lab::valuesText(step.layout.shape, question.values->steps[i]));
    }
    if (question.values->startAfter != question.values->start)
        text += fmt::format("x afterwards  {}\n",
                            lab::valuesText(question.chain.start.shape, question.values->startAfter));
    return text;
}

std::string reportOf(const Question& question) {
    Table table(4);
    table.add({"Step", "Result", "Shape", "Strides", "Elements", "Size", "Contiguous", "Offset", "Storage",
               "Moves", "Time at least"});
    const Dtype dtype = question.dtype;
    table.add(rowOf("x", question.chain.start, "", CopyCost{0, 0, ""}, dtype));
    std::string notes;
    for (std::size_t i = 0; i < question.chain.steps.size(); ++i) {
        const AppliedStep& step = question.chain.steps[i];
        const CopyCost cost = question.cost(i);
        table.add(
            rowOf(step.step.text, step.layout, std::string(lab::sharingName(step.sharing)), cost, dtype));
        if (!step.answer.empty()) notes += fmt::format("{}  {}\n", step.step.text, step.answer);
        if (!step.note.empty()) notes += fmt::format("{}  {}\n", step.step.text, step.note);
        if (step.elementsWritten > 0) notes += fmt::format("{}  {}\n", step.step.text, cost.formula);
    }
    std::string text = table.text();
    if (!notes.empty()) text += "\n" + notes;
    text += valuesOf(question);
    if (question.address) text += fmt::format("\naddress  {}\n", question.address->formula);
    return text;
}

Result<void> runTensor(const Arguments& arguments) {
    PLUMB_TRY(std::vector<std::int64_t> shape, numbersOf(arguments.text("SHAPE"), forPeople("the shape")));
    PLUMB_TRY(TensorLayout start, lab::newTensor(std::move(shape)));
    PLUMB_TRY(const auto steps, lab::parseSteps(arguments.text("steps")));
    Question question;
    PLUMB_TRY(question.dtype, labDtype(arguments, kUsualTensorDtype));
    PLUMB_TRY(const protocol::DeviceEntry host, localDevice({BackendChoice::Cpu}));
    question.host = host.target.machine;
    question.gpu.name = "the GPU";
    bool hasGpu = false;
    if (arguments.has("device")) {
        PLUMB_TRY(Machine device, labDevice(arguments));
        hasGpu = device.backend != "cpu";
        (hasGpu ? question.gpu : question.host) = std::move(device);
    }
    PLUMB_TRY(start.place, placeOf(arguments, steps, hasGpu));
    question.chain = lab::applySteps(start, steps);
    question.values = lab::valuesOf(question.chain, question.dtype);
    if (!question.chain.failure && arguments.has("address")) {
        PLUMB_TRY(const auto indices, numbersOf(arguments.text("address"), "--address"));
        PLUMB_TRY(question.address, lab::addressOf(question.chain.last(), indices, question.dtype));
    }
    if (question.chain.failure) {
        // What was well before it helps to see why; a document that is half an answer helps nobody.
        if (!arguments.json() && !question.chain.steps.empty()) PLUMB_CHECK(print(reportOf(question)));
        return *question.chain.failure;
    }
    return print(arguments.json() ? dumpJson(documentOf(question), 1) + "\n" : reportOf(question));
}

}  // namespace

CommandSpec tensorCommand() {
    CommandSpec command{
        .name = "tensor",
        .help = "how a tensor lies in memory: strides, views, copies and what they cost",
        .positional = "SHAPE",
        .positionalHelp = "its sizes, as 4,6",
        .options = {{"steps", "TEXT", "what is done to it, as in torch: \"x[1:, ::2].T.reshape(-1)\""},
                    {"on", "host|gpu",
                     "where the tensor lies (without: on the GPU of --device, unless a step "
                     "copies it there)"},
                    {"address", "I,J,...", "where this element of the last tensor lies"}}};
    for (OptionSpec& option : labOptions(kUsualTensorDtype)) command.options.push_back(std::move(option));
    std::string steps;
    for (const lab::StepHelp& help : lab::layoutSteps())
        steps += fmt::format("  {:<32}{}\n", help.form, help.meaning);
    command.examples =
        "Steps:\n" + steps +
        "Examples:\n"
        "  plumbline-cli tensor 4096x4096 --steps \".T.contiguous()\" --dtype bf16 --device \"H100 SXM\"\n"
        "  plumbline-cli tensor 2,3 --steps \"x.T.view(6)\"\n"
        "  plumbline-cli tensor 2,3 --steps \"x[:, 1:] = 0\"\n"
        "  plumbline-cli tensor 2,3 --steps \"(x.T ** 2 + 1).rsqrt().is_contiguous()\"\n"
        "  plumbline-cli tensor 3,4 --steps \"x[1:, ::2]\" --address 1,1\n"
        "  plumbline-cli tensor 64,4096 --steps \".cuda()\" --device \"H100 SXM\"";
    command.run = runTensor;
    return command;
}

}  // namespace plumb::cli
