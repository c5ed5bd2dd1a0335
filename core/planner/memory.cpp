// SPDX-License-Identifier: Apache-2.0
#include "core/planner/memory.h"

#include "core/base/quantity.h"
#include "core/measure/plain_memory.h"
#include "core/measure/reading.h"
#include "core/planner/holding.h"
#include "core/planner/inputs.h"
#include "core/planner/offload.h"
#include "core/planner/stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {

namespace {

/// The sum on a napkin, parameters + gradients + optimizer states + activations, and what it leaves out.
std::string plainSumOf(const StageMemory& stage) {
    std::string in, out;
    double sum = 0;
    const auto add = [](std::string& text, std::string_view between, std::string_view label, double bytes) {
        text += fmt::format("{}{} {}", text.empty() ? "" : between, label, bytesText(bytes));
    };
    for (const Category category :
         {Category::Parameters, Category::Gradients, Category::OptimizerState, Category::Activations}) {
        double bytes = 0;
        for (const MemoryPart& part : stage.parts)
            if (part.category == category) bytes += part.bytes;
        if (bytes <= 0) continue;
        add(in, " + ", categoryLabel(category), bytes);
        sum += bytes;
    }
    for (const MemoryPart& part : stage.parts)
        if (part.category != Category::Parameters && part.category != Category::Gradients &&
            part.category != Category::OptimizerState && part.category != Category::Activations)
            add(out, ", ", part.label, part.bytes);
    return fmt::format("plain sum: {} = {}; the peak has {} more: {}", in, bytesText(sum),
                       bytesText(stage.total() - sum), out);
}

Result<DeviceMemory> memoryOfTransformer(const Scenario& s, const Transformer& m) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    DeviceMemory result;
    for (const Stage& stage : stagesOf(m, s.parallel, s.adaptation)) {
        PLUMB_TRY(StageMemory memory, stageMemory(s, m, layout, stage));
        result.stages.push_back(std::move(memory));
    }
    for (std::size_t i = 1; i < result.stages.size(); ++i)
        if (result.stages[i].total() > result.stages[result.fullest].total()) result.fullest = i;
    if (s.recipe.offload.any()) {
        PLUMB_TRY(const double away,
                  hostBytes(s, m, layout, stagesOf(m, s.parallel, s.adaptation)[result.fullest]));
        result.notes.push_back(fmt::format("in the host's memory: {} of each device ({})", bytesText(away),
                                           offloadText(s.recipe.offload)));
    }
    if (m.predictionLayers > 0)
        result.notes.push_back(
            fmt::format("{} layers that predict further tokens are left out", m.predictionLayers));
    if (m.layers % s.parallel.pipeline != 0)
        result.notes.push_back(fmt::format("{} layers over {} stages: the fuller ones are shown", m.layers,
                                           s.parallel.pipeline));
    return result;
}

/// The plan of one device's share of the batch.
Result<StepPlan> planOfDevice(const Scenario& s, RunConfig config) {
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    config.batch = layout.batch / layout.data;
    return planStep(config, traitsOf(s));
}

/// The peak of that plan.
Result<DeviceMemory> memoryOfLinear(const Scenario& s, const RunConfig& config) {
    PLUMB_TRY(const StepPlan step, planOfDevice(s, config));
    const MemoryReading reading = summariseCurve(memoryCurve(step));
    DeviceMemory result;
    StageMemory& memory = result.stages.emplace_back();
    for (const Category category : kAllCategories) {
        const Bytes bytes = reading.atPeak[category];
        if (bytes > 0)
            memory.parts.push_back(
                {category, std::string(categoryLabel(category)),
                 fmt::format("the step's plan, during {}", opName(step, step.op(reading.peakOp))),
                 static_cast<double>(bytes)});
    }
    result.notes.emplace_back(
        "exact: every tensor of the step's plan; context and fragmentation are left out");
    return result;
}

Result<DeviceMemory> ofCount(const Scenario& s) {
    const double parameters = s.model.parameters();
    if (!(parameters > 0))
        return Error{ErrorCode::BadInput, "no model is given",
                     "give a number of parameters, a preset or a config.json"};
    PLUMB_TRY(const ResolvedLayout layout, resolve(s));
    DeviceMemory result;
    PLUMB_TRY(
        StageMemory memory,
        countMemory(s, layout, parameters / static_cast<double>(s.parallel.tensor * s.parallel.pipeline)));
    result.stages.push_back(std::move(memory));
    result.notes.emplace_back("a mere number of parameters has no layers: activations are left out");
    return result;
}

}  // namespace

Result<void> addOverheads(const Scenario& scenario, StageMemory& memory) {
    PLUMB_TRY(const double fragmentation, numberOf(scenario, Input::Fragmentation));
    PLUMB_TRY(const double buffers, numberOf(scenario, Input::BufferBytes));
    PLUMB_TRY(const double context, numberOf(scenario, Input::DeviceOverhead));
    const double tensors = memory.total();
    const auto add = [&](std::string label, std::string formula, double bytes) {
        if (bytes > 0)
            memory.parts.push_back({Category::Workspace, std::move(label), std::move(formula), bytes});
    };
    add("fragmentation", fmt::format("{:g} · {}", fragmentation, bytesText(tensors)),
        fragmentation * tensors);
    if (scenario.cluster.devices > 1) add("communication buffers", "assumption", buffers);
    add("context and kernels", "assumption", context);
    return {};
}

BackendTraits traitsOf(const Scenario& scenario) {
    if (!scenario.cluster.device) return cpuTraits();
    return traitsFor(scenario.cluster.device->backend, scenario.cluster.device->computeCapability);
}

Result<std::vector<std::string>> plainSumNotes(const Scenario& scenario, const DeviceMemory& memory) {
    if (scenario.model.count() != nullptr) return std::vector<std::string>{};
    const RunConfig* config = scenario.model.linear();
    if (config == nullptr) return std::vector<std::string>{plainSumOf(memory.worst())};
    PLUMB_TRY(const StepPlan step, planOfDevice(scenario, *config));
    const PlainMemory plain = plainMemory(step, summariseCurve(memoryCurve(step)));
    return std::vector<std::string>{"plain sum: " + plain.sumText(), plain.differenceText()};
}

double StageMemory::total() const {
    double sum = 0;
    for (const MemoryPart& part : parts) sum += part.bytes;
    return sum;
}

CategoryBytes StageMemory::byCategory() const {
    EnumArray<Category, double> sums{};
    for (const MemoryPart& part : parts) sums[part.category] += part.bytes;
    CategoryBytes bytes{};
    for (const Category category : kAllCategories)
        bytes[category] = static_cast<Bytes>(std::min(std::ceil(sums[category]), 9e18));
    return bytes;
}

Result<DeviceMemory> memoryPerDevice(const Scenario& scenario) {
    if (const Transformer* model = scenario.model.transformer()) return memoryOfTransformer(scenario, *model);
    if (const RunConfig* config = scenario.model.linear()) return memoryOfLinear(scenario, *config);
    return ofCount(scenario);
}

}  // namespace plumb::planner
