// SPDX-License-Identifier: Apache-2.0
#include "app/cli/backends.h"
#include "app/cli/commands.h"
#include "app/cli/console.h"
#include "app/cli/lab_device.h"
#include "app/cli/table.h"
#include "core/io/json_fields.h"
#include "core/lab/layout_steps.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

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
            return Error{ErrorCode::BadInput, fmt::format("{} cannot be used ({})", what, text),
                         "give whole numbers, such as 2,3,4"};
        numbers.push_back(number);
        at = static_cast<std::size_t>(end - text.data());
    }
    return numbers;
}

constexpr Dtype kUsualDtype = Dtype::Fp32;  // torch's

struct Question {
    LayoutChain chain;
    Machine host, gpu;
    Bytes elementBytes = 4;
    std::optional<lab::ElementAddress> address;

    [[nodiscard]] std::string device() const { return gpu.id.empty() ? host.name : gpu.name; }
    /// Where step `index` finds what it copies is where it is read, and gathered before it crosses the bus.
    [[nodiscard]] CopyCost cost(std::size_t index) const {
        const TensorLayout& before = index == 0 ? chain.start : chain.steps[index - 1].layout;
        return lab::copyCost(chain.steps[index], elementBytes, before.place == lab::Place::Gpu ? gpu : host,
                             gpu.hostBytesPerSecond);
    }
};

/// The memory that the tensor lies in at first: --on, or the GPU of --device unless a step copies it there.
Result<lab::Place> placeOf(const Arguments& arguments, const std::vector<lab::LayoutStep>& steps,
                           bool hasGpu) {
    const std::string on = arguments.text("on");
    if (on == "host") return lab::Place::Host;
    if (on == "gpu") return lab::Place::Gpu;
    if (!on.empty())
        return Error{ErrorCode::BadInput, fmt::format("--on cannot be used ({})", on), "use host or gpu"};
    const bool goesThere = std::any_of(steps.begin(), steps.end(), [](const lab::LayoutStep& step) {
        return step.kind == lab::StepKind::ToGpu;
    });
    return hasGpu && !goesThere ? lab::Place::Gpu : lab::Place::Host;
}

json layoutJson(const TensorLayout& layout, Bytes elementBytes) {
    return {{"shape", layout.shape},
            {"strides", layout.strides},
            {"offset", layout.offset},
            {"storage", layout.storage},
            {"storage_bytes", layout.storageElements * elementBytes},
            {"contiguous", layout.isContiguous()},
            {"place", layout.place == lab::Place::Host ? "host" : "gpu"}};
}

json documentOf(const Question& question) {
    json steps = json::array();
    for (std::size_t i = 0; i < question.chain.steps.size(); ++i) {
        const AppliedStep& step = question.chain.steps[i];
        json entry = layoutJson(step.layout, question.elementBytes);
        const CopyCost cost = question.cost(i);
        entry["step"] = step.step.text;
        entry["sharing"] = lab::sharingName(step.sharing);
        entry["bytes"] = cost.bytes;
        entry["seconds"] = cost.seconds ? json(*cost.seconds) : json();
        entry["formula"] = cost.formula;
        entry["note"] = step.note;
        steps.push_back(std::move(entry));
    }
    json address;
    if (question.address)
        address = {{"element", question.address->element},
                   {"bytes", question.address->bytes},
                   {"formula", question.address->formula}};
    return {{"start", layoutJson(question.chain.start, question.elementBytes)},
            {"steps", std::move(steps)},
            {"device", question.device()},
            {"address", std::move(address)}};
}

std::vector<std::string> rowOf(std::string step, const TensorLayout& layout, std::string sharing,
                               const CopyCost& cost) {
    return {std::move(step),
            std::move(sharing),
            lab::shapeText(layout.shape),
            lab::shapeText(layout.strides),
            std::to_string(layout.offset),
            fmt::format("{}{}", layout.storage, layout.place == lab::Place::Gpu ? " (GPU)" : ""),
            formatQuantity(static_cast<double>(cost.bytes), "B"),
            cost.seconds ? formatQuantity(*cost.seconds, "s") : "–"};
}

std::string reportOf(const Question& question) {
    Table table(4);
    table.add({"Step", "Result", "Shape", "Strides", "Offset", "Storage", "Moves", "Time at least"});
    table.add(rowOf("x", question.chain.start, "", CopyCost{0, 0, ""}));
    std::string notes;
    for (std::size_t i = 0; i < question.chain.steps.size(); ++i) {
        const AppliedStep& step = question.chain.steps[i];
        const CopyCost cost = question.cost(i);
        table.add(rowOf(step.step.text, step.layout, std::string(lab::sharingName(step.sharing)), cost));
        if (!step.note.empty()) notes += fmt::format("{}  {}\n", step.step.text, step.note);
        if (step.sharing == lab::Sharing::Copy)
            notes += fmt::format("{}  {}\n", step.step.text, cost.formula);
    }
    std::string text = table.text();
    if (!notes.empty()) text += "\n" + notes;
    if (question.address) text += fmt::format("\naddress  {}\n", question.address->formula);
    return text;
}

Result<void> runTensor(const Arguments& arguments) {
    PLUMB_TRY(std::vector<std::int64_t> shape, numbersOf(arguments.text("SHAPE"), "the shape"));
    PLUMB_TRY(TensorLayout start, lab::newTensor(std::move(shape)));
    PLUMB_TRY(const auto steps, lab::parseSteps(arguments.text("steps")));
    PLUMB_TRY(const Dtype dtype, labDtype(arguments, kUsualDtype));
    Question question;
    PLUMB_TRY(const protocol::DeviceEntry host, localDevice(BackendChoice::Cpu));
    question.host = host.machine;
    question.gpu.name = "the GPU";
    bool hasGpu = false;
    if (arguments.has("device")) {
        PLUMB_TRY(Machine device, labDevice(arguments));
        hasGpu = device.backend != "cpu";
        (hasGpu ? question.gpu : question.host) = std::move(device);
    }
    PLUMB_TRY(start.place, placeOf(arguments, steps, hasGpu));
    question.elementBytes = dtypeSize(dtype);
    question.chain = lab::applySteps(start, steps);
    if (!question.chain.failure && arguments.has("address")) {
        PLUMB_TRY(const auto indices, numbersOf(arguments.text("address"), "--address"));
        PLUMB_TRY(question.address, lab::addressOf(question.chain.last(), indices, question.elementBytes));
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
    CommandSpec command;
    command.name = "tensor";
    command.help = "how a tensor lies in memory: strides, views, copies and what they cost";
    command.positional = "SHAPE";
    command.options = {{"steps", "TEXT", "what is done to it, as in torch: \"x[1:, ::2].T.reshape(-1)\""},
                       {"on", "host|gpu",
                        "where the tensor lies (without: on the GPU of --device, unless a step "
                        "copies it there)"},
                       {"address", "I,J,...", "where this element of the last tensor lies"}};
    for (OptionSpec& option : labOptions(kUsualDtype)) command.options.push_back(std::move(option));
    std::string steps;
    for (const lab::StepHelp& help : lab::layoutSteps())
        steps += fmt::format("  {:<32}{}\n", help.form, help.meaning);
    command.examples =
        "Steps:\n" + steps +
        "Examples:\n"
        "  plumbline-cli tensor 4096x4096 --steps \".T.contiguous()\" --dtype bf16 --device \"H100 SXM\"\n"
        "  plumbline-cli tensor 2,3 --steps \"x.T.view(6)\"\n"
        "  plumbline-cli tensor 3,4 --steps \"x[1:, ::2]\" --address 1,1\n"
        "  plumbline-cli tensor 64,4096 --steps \".cuda()\" --device \"H100 SXM\"";
    command.run = runTensor;
    return command;
}

}  // namespace plumb::cli
