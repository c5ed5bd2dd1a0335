// SPDX-License-Identifier: Apache-2.0
#include "app/cli/planner_scenario.h"

#include "app/cli/for_people.h"
#include "core/base/enum_words.h"
#include "core/base/format_alias.h"
#include "core/base/lines.h"
#include "core/base/nearest.h"
#include "core/io/file.h"
#include "core/io/unique_keys.h"
#include "core/machine/own_devices.h"
#include "core/opening/planned_measurement.h"
#include "core/planner/answer.h"
#include "core/planner/choice_help.h"
#include "core/planner/frameworks.h"
#include "core/planner/measured.h"
#include "core/planner/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <span>

namespace plumb::cli {

namespace {

using namespace planner;

constexpr std::size_t kModelFileLimit = std::size_t{4} << 20U;

struct Alias {
    std::string_view other;
    std::string_view key;
};
constexpr std::array kAliases{Alias{"params", "parameters"},
                              Alias{"gpus", "devices"},
                              Alias{"gpu", "device"},
                              Alias{"seq", "sequence"},
                              Alias{"sequence-length", "sequence"},
                              Alias{"global-batch", "batch"},
                              Alias{"tp", "tensor"},
                              Alias{"pp", "pipeline"},
                              Alias{"cp", "context"},
                              Alias{"ep", "expert"},
                              Alias{"hsdp", "shard-group"},
                              Alias{"device-memory", "memory"},
                              Alias{"flops", "budget"},
                              Alias{"price", "device-price"},
                              Alias{"bytes-per-param", "bytes-per-parameter"}};

/// Options of the deep linear model; --dim or --layers chooses it.
constexpr std::array<std::string_view, 5> kLinear{"dim", "layers", "outputs", "activation", "checkpoint"};
/// What is stored per parameter, for any model.
constexpr std::array<std::string_view, 4> kStorage{"precision", "master-weights", "grad-dtype", "optimizer"};

std::string helpOf(const InputInfo& about) {
    std::string text = fmt::format("{}:\n{}", about.label, about.help);
    if (about.kind == InputKind::Fact) text += "\n(without: the device's)";
    if (about.kind == InputKind::Assumption)
        text += fmt::format(
            "\n(default {}, from {} to {})", formatInput(about.input, about.standard.expected),
            formatInput(about.input, about.standard.low), formatInput(about.input, about.standard.high));
    return text;
}

Result<bool> flag(const Arguments& arguments, std::string_view name, bool otherwise) {
    const std::string text = arguments.text(name, otherwise ? "on" : "off");
    if (text == "on" || text == "off") return text == "on";
    return Error{ErrorCode::BadInput, fmt::format("--{:s} cannot be used ({:s})", name, text),
                 "give on or off"};
}

Result<ModelSpec> readModel(const std::string& text) {
    std::error_code problem;
    const bool path = text.ends_with(".json") || text.find('/') != std::string::npos ||
                      std::filesystem::exists(text, problem);
    if (!path) return findModel(text);
    PLUMB_TRY(const std::string content, readFile(text, kModelFileLimit));
    PLUMB_CHECK(checkUniqueKeys(content, text));
    return modelFromConfig(content, text);
}

bool hasAny(const Arguments& arguments, std::span<const std::string_view> names) {
    return std::any_of(names.begin(), names.end(),
                       [&](std::string_view name) { return arguments.has(name); });
}

Result<void> setAll(const Arguments& arguments, std::span<const std::string_view> names, RunConfig& config) {
    for (const std::string_view name : names)
        if (arguments.has(name)) PLUMB_CHECK(setOption(config, name, arguments.text(name)));
    return {};
}

/// What the deep linear model alone decides goes back to its default.
void leaveLinear(Scenario& s) {
    if (s.model.linear() == nullptr) return;
    s.recipe = Recipe{};
    s.parallel = ParallelLayout{};
}

/// The model that is given, or some options of the deep linear model that a file has.
Result<void> chooseModel(const Arguments& arguments, Scenario& s) {
    constexpr std::array<std::string_view, 2> kBatches{"batch", "micro-batch"};
    const bool linear = hasAny(arguments, kLinear);
    const int given =
        (arguments.has("model") ? 1 : 0) + (arguments.has("parameters") ? 1 : 0) + (linear ? 1 : 0);
    if (given > 1)
        return Error{ErrorCode::BadInput, "several models are given",
                     "give one of --model, --parameters, or --dim and --layers"};
    if (arguments.has("model")) {
        PLUMB_TRY(ModelSpec model, readModel(arguments.text("model")));
        leaveLinear(s);
        s.model = std::move(model);
        return {};
    }
    if (arguments.has("parameters")) {  // the number itself is set like all others
        leaveLinear(s);
        if (s.model.count() == nullptr) s.model = modelOfCount(1);
        return {};
    }
    const RunConfig* const opened = s.model.linear();
    const bool changes = opened != nullptr && (hasAny(arguments, kStorage) || hasAny(arguments, kBatches));
    if (!linear && !changes) return {};
    RunConfig config = opened != nullptr ? *opened : RunConfig{};
    PLUMB_CHECK(setAll(arguments, kLinear, config));
    PLUMB_CHECK(setAll(arguments, kStorage, config));
    PLUMB_CHECK(setAll(arguments, kBatches, config));
    PLUMB_CHECK(validate(config));
    chooseLinear(s, config);
    return {};
}

/// What says how other models are computed, and is no option of the deep linear model.
Result<void> checkLinear(const Arguments& arguments) {
    constexpr std::string_view kLeaveItOut = forPeople("leave it out");
    struct Other {
        std::string_view option;
        std::string_view why;
        std::string_view remedy;
    };
    constexpr std::array kOthers{
        Other{"dtype", forPeople("multiplies in the number format of its precision"),
              forPeople("give --precision")},
        Other{"recompute", forPeople("recomputes by its checkpoint policy"), forPeople("give --checkpoint")},
        Other{"offload", forPeople("keeps everything on its device"), kLeaveItOut},
        Other{"fused-attention", forPeople("has no attention"), kLeaveItOut},
        Other{"attention-kernel", forPeople("has no attention"), kLeaveItOut},
        Other{"dropout", forPeople("has no dropout"), kLeaveItOut},
        Other{"sequence-parallel", forPeople("has no sequences"), kLeaveItOut}};
    for (const Other& other : kOthers)
        if (arguments.has(other.option))
            return Error{ErrorCode::BadInput,
                         fmt::format("the deep linear model {} (--{:s} {:s})", other.why, other.option,
                                     arguments.text(other.option)),
                         std::string(other.remedy)};
    return {};
}

Result<Offload> offloadOf(const std::string& text) {
    constexpr std::string_view kOffloaded = "optimizer, parameters, activations";
    Offload offload;
    if (text == "none") return offload;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        if (!setOffload(offload, std::string_view(text).substr(begin, comma - begin)))
            return Error{ErrorCode::BadInput, fmt::format("--offload cannot be used ({:s})", text),
                         fmt::format("give none, or some of {:s} with commas between", kOffloaded)};
        begin = comma + 1;
    }
    return offload;
}

Result<void> chooseRecipe(const Arguments& arguments, Scenario& s) {
    if (arguments.has("framework")) {
        // Its groups are nodes.
        for (const Input input : {Input::Devices, Input::DevicesPerNode, Input::Tensor})
            if (const std::string key(info(input).key); arguments.has(key))
                PLUMB_CHECK(setInput(s, input, std::string_view(arguments.text(key))));
        PLUMB_CHECK(chooseFramework(s, arguments.text("framework")));
    }
    const bool isStored = hasAny(arguments, kStorage);
    if (isStored && arguments.has("recipe"))
        return Error{
            ErrorCode::BadInput,
            fmt::format("a recipe says how parameters are stored (--recipe {:s})", arguments.text("recipe")),
            "leave --precision, --master-weights, --grad-dtype and --optimizer out"};
    if (isStored && s.model.linear() == nullptr) {
        RunConfig config;
        config.precision = Precision::Bf16;
        PLUMB_CHECK(setAll(arguments, kStorage, config));
        Recipe stored = recipeOf(config);
        computationOf(stored) = computationOf(s.recipe);
        s.recipe = std::move(stored);
        resetInput(s, Input::BytesPerParameter);
    }
    if (arguments.has("recipe")) PLUMB_CHECK(planner::chooseRecipe(s, arguments.text("recipe")));
    if (s.model.linear() != nullptr) return checkLinear(arguments);
    if (arguments.has("dtype")) {
        const std::string text = arguments.text("dtype");
        const auto dtype = dtypeFromName(canonicalFormat(text));
        if (!dtype)
            return Error{ErrorCode::BadInput, fmt::format("--dtype cannot be used ({:s})", text),
                         "give bf16, fp16, fp32, tf32, fp64, fp8 or fp4"};
        s.recipe.compute = *dtype;
    }
    const std::string recompute = arguments.text("recompute", name(s.recipe.recompute));
    bool known = false;
    for (const Recompute value : kEnumerators<Recompute>)
        if (recompute == name(value)) {
            s.recipe.recompute = value;
            known = true;
        }
    if (!known)
        return Error{ErrorCode::BadInput, fmt::format("--recompute cannot be used ({:s})", recompute),
                     "give none, selective, per-op, alternate or full"};
    if (arguments.has("recompute-again")) {
        const std::string parts = arguments.text("recompute-again");
        if (s.recipe.recompute != Recompute::PerOp)
            return Error{ErrorCode::BadInput, fmt::format("--recompute-again cannot be used ({:s})", parts),
                         "give it with --recompute per-op"};
        PLUMB_TRY(s.recipe.again, planner::layerPartsOf(parts));
    }
    if (arguments.has("recompute-share")) {
        const std::string share = arguments.text("recompute-share");
        PLUMB_TRY(s.recipe.recomputeShare, parseValue(share, "1"));
        if (s.recipe.recompute != Recompute::Full || s.recipe.recomputeShare <= 0 ||
            s.recipe.recomputeShare > 1)
            return Error{ErrorCode::BadInput, fmt::format("--recompute-share cannot be used ({:s})", share),
                         "give a share of the layers above 0 and at most 1, with --recompute full"};
    }
    if (arguments.has("offload")) {
        PLUMB_TRY(s.recipe.offload, offloadOf(arguments.text("offload")));
    }
    if (arguments.has("software")) {
        const std::string software = arguments.text("software");
        const auto found = enumeratorOf<Software>(software);
        if (!found)
            return Error{ErrorCode::BadInput, fmt::format("--software cannot be used ({:s})", software),
                         "give eager, compiled, fused or xla"};
        s.software = *found;
    }
    PLUMB_TRY(s.recipe.fusedAttention, flag(arguments, "fused-attention", s.recipe.fusedAttention));
    if (arguments.has("attention-kernel")) {
        const std::string kernel = arguments.text("attention-kernel");
        const auto found = enumeratorOf<planner::AttentionKernel>(kernel);
        if (!found)
            return Error{ErrorCode::BadInput, fmt::format("--attention-kernel cannot be used ({:s})", kernel),
                         "give usual, flash-1, flash-1-triton, flash-2 or flash-3"};
        if (!s.recipe.fusedAttention)
            return Error{ErrorCode::BadInput, "--attention-kernel is of fused attention, which is off",
                         "leave it out, or --fused-attention off"};
        s.recipe.attentionKernel = *found;
    }
    PLUMB_TRY(s.recipe.dropout, flag(arguments, "dropout", s.recipe.dropout));
    PLUMB_TRY(s.parallel.sequence, flag(arguments, "sequence-parallel", s.parallel.sequence));
    return {};
}

/// What of the model is trained.
Result<void> chooseAdaptation(const Arguments& arguments, Scenario& s) {
    Adaptation& a = s.adaptation;
    if (arguments.has("finetune")) {
        const std::string text = arguments.text("finetune");
        const auto found = enumeratorOf<FineTuning>(text);
        if (!found)
            return Error{ErrorCode::BadInput, fmt::format("--finetune cannot be used ({:s})", text),
                         "give full, lora or qlora"};
        chooseMethod(a, *found);
    }
    for (const std::string_view option : {"targets", "rank"})
        if (arguments.has(option) && !a.hasAdapters())
            return Error{ErrorCode::BadInput,
                         fmt::format("without adapters there is nothing to say of them (--{:s} {:s})", option,
                                     arguments.text(option)),
                         "give --finetune lora or qlora"};
    if (arguments.has("targets")) PLUMB_CHECK(setTargets(a, arguments.text("targets")));
    if (arguments.has("freeze")) PLUMB_CHECK(setFrozen(a, arguments.text("freeze")));
    if (arguments.has("double-quantisation")) {
        if (a.method != FineTuning::QLora)
            return Error{ErrorCode::BadInput,
                         fmt::format("nothing is kept in 4 bits (--double-quantisation {:s})",
                                     arguments.text("double-quantisation")),
                         "give --finetune qlora"};
        PLUMB_TRY(a.doubleQuantised, flag(arguments, "double-quantisation", a.doubleQuantised));
    }
    return {};
}

/// A step of a file, as a scenario with its measurement. A recorded step has no sizes: model and recipe are
/// those of the options.
Result<Scenario> openMeasured(const Arguments& arguments) {
    for (const char* other : {"scenario", "measured"})
        if (arguments.has(other))
            return Error{ErrorCode::BadInput,
                         fmt::format("a measured step is a plan of its own (--from, --{:s})", other),
                         fmt::format("leave --{:s} out", other)};
    const std::vector<Machine> known = KnownDevices::load().all();
    PLUMB_TRY(const FiledStep step, readFiledStep(arguments.text("from"), known));
    Scenario in = step.in;
    if (arguments.has("measured-in")) {
        PLUMB_TRY(in, readScenario(arguments.text("measured-in")));
    } else if (!step.hasModel) {
        PLUMB_CHECK(chooseModel(arguments, in));
        PLUMB_CHECK(chooseRecipe(arguments, in));
    }
    // Figures of a device are those of the one that it ran on, unless another one is asked about.
    if (!arguments.has("device"))
        for (const InputInfo& about : allInputs())
            if (about.kind == InputKind::Fact && arguments.has(about.key))
                PLUMB_CHECK(setInput(in, about.input, std::string_view(arguments.text(about.key))));
    PLUMB_TRY(in.measured, measure(step, in));
    return in;
}

/// The measurement that is given: of the scenario itself, or of the plan of --measured-in. That of an opened
/// plan or file stays, unless another one is given.
Result<void> chooseMeasurement(const Arguments& arguments, Scenario& s) {
    if (!arguments.has("measured")) {
        if (!arguments.has("measured-in") || arguments.has("from")) return {};
        return Error{ErrorCode::BadInput, "it is not said what was measured (--measured-in)",
                     "give --measured step=1.23s, or --from"};
    }
    Scenario in = s;
    if (arguments.has("measured-in")) {
        PLUMB_TRY(in, readScenario(arguments.text("measured-in")));
    }
    PLUMB_TRY(MeasuredFigures figures, measuredFigures(arguments.text("measured"), in));
    if (arguments.has("measured-in"))
        figures.file = std::filesystem::path(arguments.text("measured-in")).filename().string();
    PLUMB_TRY(s.measured, measure(in, std::move(figures)));
    return {};
}

/// What --assume says, beside the options, which nothing of it may contradict.
Result<void> assume(Scenario& s, const Arguments& arguments) {
    const std::string text = arguments.text("assume");
    std::set<Input> seen;
    for (const std::string_view line : linesOf(text)) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos)
            return Error{ErrorCode::BadInput, fmt::format("--assume cannot be used ({:s})", line),
                         "give KEY=VALUE"};
        PLUMB_TRY(const Input input, plannerInput(line.substr(0, equals)));
        const std::string key(info(input).key);
        if (arguments.has(key) || !seen.insert(input).second)
            return Error{ErrorCode::BadInput,
                         fmt::format("{} is given twice (--assume {:s})", info(input).label, line),
                         arguments.has(key) ? fmt::format("leave it or --{:s} out", key)
                                            : "leave one of them out"};
        PLUMB_CHECK(setInput(s, input, std::string_view(line).substr(equals + 1)));
    }
    return {};
}

}  // namespace

std::vector<Input> joined(std::initializer_list<std::vector<Input>> lists) {
    std::vector<Input> all;
    for (const auto& list : lists)
        for (const Input input : list)
            if (std::find(all.begin(), all.end(), input) == all.end()) all.push_back(input);
    return all;
}

std::vector<OptionSpec> plannerTrainingOptions() {
    return {
        {"finetune", "full|lora|qlora",
         "what is trained: the model's own parameters (full), or adapters beside it; qlora keeps it in 4 "
         "bits"},
        {"targets", "NAMES",
         "matrices with an adapter: some of q,k,v,o,gate,up,down, or all-linear (lora: q,v; qlora: "
         "all-linear)"},
        {"freeze", "PARTS",
         "what is not trained: some of "
         "embeddings,attention,feed-forward,experts,router,norms,head,layers:0-11"},
        {"double-quantisation", "on|off", "qlora: constants of 4-bit blocks are kept in 8 bits (on)"},
    };
}

std::vector<OptionSpec> plannerOptions(const PlannerTopics& topics, std::vector<Input> inputs) {
    if (topics.model) inputs = joined({{Input::Rank}, inputs});
    std::vector<OptionSpec> options;
    options.push_back(
        {"scenario", "FILE.plan.json", "a plan of plan save or the window; options override it"});
    options.push_back({"device", "NAME", "any unambiguous part of a device's name, or \"local\""});
    options.push_back(
        {"dtype", "TYPE", "of the matrix products: bf16 (default), fp16, fp32, tf32, fp64, fp8"});
    if (topics.model) {
        options.push_back(
            {"model", "NAME|config.json", "a preset (see plan models) or a Hugging Face config.json"});
        for (const OptionInfo& option : runOptions())
            if (std::find(kLinear.begin(), kLinear.end(), option.name) != kLinear.end())
                options.push_back({std::string(option.name), std::string(option.values),
                                   "deep linear model:\n" + std::string(option.help)});
    }
    if (topics.model) {
        const auto training = plannerTrainingOptions();
        options.insert(options.end(), training.begin(), training.end());
    }
    if (topics.recipe) {
        for (const OptionInfo& option : runOptions())
            if (std::find(kStorage.begin(), kStorage.end(), option.name) != kStorage.end())
                options.push_back(
                    {std::string(option.name), std::string(option.values), std::string(option.help)});
        std::string keys;
        for (const NamedRecipe& recipe : namedRecipes())
            keys += fmt::format("{}{} ({:.4g} B)", keys.empty() ? "" : ", ", recipe.key,
                                recipe.recipe.bytesPerParameter());
        options.push_back({"recipe", "NAME", "what is stored per parameter:\n" + keys});
        options.push_back({"recompute", "none|selective|per-op|alternate|full", std::string(kRecomputeHelp)});
        LayerParts all{};
        std::ranges::fill(all, true);
        options.push_back({"recompute-again", "PART,...",
                           fmt::format("{}:\n{}\n(none)", kRecomputeAgainHelp, listOf(all))});
        options.push_back({"offload", "none|optimizer,parameters,activations", std::string(kOffloadHelp)});
        options.push_back({"recompute-share", "X", "with full: part of the layers that is recomputed (1)"});
        std::string known;
        for (const Framework& each : frameworks())
            known += (known.empty() ? "" : "|") + std::string(each.key);
        options.push_back({"framework", known, std::string(kFrameworkHelp)});
        options.push_back(
            {"software", "eager|compiled|fused|xla",
             "what runs the step: PyTorch, torch.compile, hand-fused kernels (Megatron, NeMo), JAX "
             "(compiled)"});
        options.push_back({"fused-attention", "on|off", "no attention scores in memory (on)"});
        options.push_back({"attention-kernel", "NAME",
                           "generation of the fused kernel: flash-1, flash-1-triton, flash-2, flash-3 (also "
                           "cuDNN's), or what the software usually has (usual)"});
        options.push_back({"dropout", "on|off", "dropout masks are kept (off)"});
        options.push_back({"sequence-parallel", "on|off", "norms split over tensor-parallel devices (on)"});
    }
    for (const Input input : inputs) {
        const InputInfo& about = info(input);
        options.push_back(
            {std::string(about.key), about.kind == InputKind::Choice ? "X" : "X|LOW:X:HIGH", helpOf(about)});
    }
    options.push_back({"measured", "KEY=VALUE",
                       "a step that you measured, which answers then rest on: step=1.23s, "
                       "tokens-per-second=98e3, tflops=412 or mfu=41%, and allocated=, reserved= or memory= "
                       "61GB of a device",
                       false, true});
    options.push_back({"from", "FILE.plumb",
                       "a step that ran: a snapshot of profile, or a recorded step of PyTorch with its model "
                       "beside it (--model); options override what it says"});
    options.push_back({"measured-in", "FILE.plan.json",
                       "the plan in which it was measured (without: the one that is asked about)"});
    options.push_back({"assume", "KEY=VALUE", "any of the numbers above, as often as you like", false, true});
    for (const Alias& alias : kAliases) {
        const auto known = std::find_if(options.begin(), options.end(),
                                        [&](const OptionSpec& option) { return option.name == alias.key; });
        if (known != options.end())
            options.push_back({std::string(alias.other), known->values, "as --" + known->name, true});
    }
    return options;
}

Result<Input> plannerInput(std::string_view key) {
    std::vector<std::string> keys;
    for (const InputInfo& about : allInputs()) keys.emplace_back(about.key);
    for (const Alias& alias : kAliases)
        if (alias.other == key) key = alias.key;
    if (const auto input = inputFromKey(key)) return *input;
    return Error{ErrorCode::BadInput, fmt::format("no number is called '{:s}'", key),
                 didYouMean(key, keys, fmt::format("the keys are {:s}", fmt::join(keys, ", ")))};
}

Result<Scenario> plannerScenario(const Arguments& given) {
    Arguments arguments = given;
    for (const Alias& alias : kAliases) {
        if (!given.has(alias.other)) continue;
        if (arguments.has(alias.key))
            return Error{ErrorCode::BadInput,
                         fmt::format("--{:s} is given twice, --{:s} is the same ({:s} and {:s})", alias.key,
                                     alias.other, arguments.text(alias.key), given.text(alias.other)),
                         "leave one of them out"};
        arguments.set(std::string(alias.key), given.text(alias.other));
    }
    Scenario s;
    if (arguments.has("from")) {
        PLUMB_TRY(s, openMeasured(arguments));
    } else if (arguments.has("scenario")) {
        PLUMB_TRY(s, readScenario(arguments.text("scenario")));
    }
    if (arguments.has("device")) {
        PLUMB_TRY(s.cluster.device, KnownDevices::load().find(arguments.text("device")));
    }
    PLUMB_CHECK(chooseModel(arguments, s));
    PLUMB_CHECK(chooseRecipe(arguments, s));
    PLUMB_CHECK(chooseAdaptation(arguments, s));
    for (const InputInfo& about : allInputs()) {
        if (!arguments.has(about.key)) continue;
        if (s.model.linear() != nullptr && about.input == Input::MicroBatch)
            continue;  // in its configuration
        PLUMB_CHECK(setInput(s, about.input, std::string_view(arguments.text(about.key))));
    }
    PLUMB_CHECK(assume(s, arguments));
    PLUMB_CHECK(checkTraining(s));
    PLUMB_CHECK(chooseMeasurement(arguments, s));
    if (s.measured != nullptr && carryOf(*s.measured->in, s) == Carry::Nothing)
        return Error{
            ErrorCode::BadInput,
            fmt::format("a step of {:s} says nothing of {:s}", s.measured->in->model.name, s.model.name),
            "leave the measurement out, or measure a model of this kind"};
    return s;
}

}  // namespace plumb::cli
