// SPDX-License-Identifier: Apache-2.0
#include "core/planner/evidence.h"

#include "core/base/dtype.h"
#include "core/base/enum_array.h"
#include "core/base/enum_words.h"
#include "core/io/json_fields.h"
#include "core/machine/hardware_database.h"
#include "core/planner/inputs.h"
#include "core/planner/priors.h"
#include "core/planner/work.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace plumb {
extern const std::string_view publishedJson;  // generated from resources/published.json
}

namespace plumb::planner {

namespace {

constexpr double kTera = 1e12;

/// The model of a row: a preset, or a configuration in the words of config.json.
void readModel(const JsonField& model, PublishedTraining& row) {
    const JsonField preset = model["preset"], config = model["config"];
    if (!preset.isNull()) {
        const std::string key = preset.text();
        const auto& all = modelPresets();
        const auto found = std::ranges::find(all, key, &ModelPreset::key);
        if (found == all.end()) return preset.fail(fmt::format("is no model of models.json ({})", key));
        row.scenario.model = found->model;
        return;
    }
    if (!config.expectObject()) return;
    auto spec = modelFromConfig(config.json()->dump(), row.id);
    if (spec.has_value())
        row.scenario.model = *std::move(spec);
    else
        row.problem = spec.error().text();
}

/// Trainings in fp8 keep what those in bf16 keep, and round the operands of products.
std::string_view usualRecipe(const std::string& precision) {
    return precision == "fp16" ? "fp16-adamw" : "mixed-adamw";
}

void readRecipe(const JsonField& entry, PublishedTraining& row) {
    const JsonField named = entry["recipe"], precision = entry["precision"], attention = entry["attention"],
                    recompute = entry["recompute"], policy = recompute["policy"],
                    layers = recompute["layers"];
    const std::string format = precision.text();
    auto recipe = findRecipe(named.textOr(std::string(usualRecipe(format))));
    if (!recipe.has_value()) return precision.fail(recipe.error().text());
    row.scenario.recipe = recipe->recipe;
    Recipe& r = row.scenario.recipe;
    if (format == "fp8") r.compute = Dtype::Fp8E4M3;
    const std::string kernel = attention.text();
    r.fusedAttention = kernel != "plain";
    r.attentionKernel = enumeratorOf<AttentionKernel>(kernel).value_or(AttentionKernel::Usual);
    if (kernel == "unknown") row.taken.emplace_back("a fused attention kernel");
    const std::string how = policy.text();
    const Transformer* model = row.scenario.model.transformer();
    if (how == "full") {
        r.recompute = Recompute::Full;
    } else if (how == "selective") {
        // A fused kernel has no scores that could be dropped.
        r.recompute = r.fusedAttention ? Recompute::None : Recompute::Selective;
    } else if (how == "layers" && layers.isNull()) {
        row.taken.emplace_back("recomputation of half of the layers");
        row.memoryProblem = "the recomputed layers are not told";
        r.recompute = Recompute::Full;
        r.recomputeShare = 0.5;
    } else if (how == "layers") {
        r.recompute = Recompute::Full;
        const auto stages = static_cast<double>(std::max<std::int64_t>(row.scenario.parallel.pipeline, 1));
        if (model != nullptr)
            r.recomputeShare = std::clamp(
                static_cast<double>(layers.count(1)) * stages / static_cast<double>(model->layers), 0.0, 1.0);
    } else if (how == "per-op") {
        r.recompute = Recompute::PerOp;
        const JsonField again = recompute["again"];
        for (std::size_t i = 0; !again.isNull() && i < again.arraySize(); ++i) {
            const Result<LayerParts> part = layerPartsOf(again.at(i).text());
            if (!part.has_value()) return again.fail(part.error().text());
            for (const LayerPart each : kEnumerators<LayerPart>) r.again[each] |= (*part)[each];
        }
    } else if (how == "alternate") {
        r.recompute = Recompute::Alternate;
    } else if (how == "unknown") {
        row.taken.emplace_back("no recomputation");
        row.memoryProblem = "the recomputation is not told";
    } else if (how != "none") {
        policy.fail(fmt::format("is no policy ({})", how));
    }
}

/// What decides memory beside layout and recomputation.
void readStorage(const JsonField& entry, PublishedTraining& row) {
    const JsonField offload = entry["offload"], weights = entry["weights"], loss = entry["loss"];
    Recipe& r = row.scenario.recipe;
    const std::size_t count = offload.isNull() ? 0 : offload.arraySize();
    for (std::size_t i = 0; i < count; ++i) {
        const JsonField what = offload.at(i);
        const std::string part = what.text();
        if (!setOffload(r.offload, part))
            what.fail(fmt::format("is nothing that a host can hold ({})", part));
    }
    if (!weights.isNull() && weights.text() == "fp8") r.weightBytes = 1;
    if (loss.isNull()) return;
    const JsonField kind = loss["kind"], chunks = loss["chunks"];
    if (!chunks.isNull()) r.lossChunks = chunks.count(1);
    if (kind.isNull()) return;
    const std::string word = kind.text();
    const auto found = enumeratorOf<LossKernel>(word);
    if (!found) return kind.fail(fmt::format("is no kind of loss ({})", word));
    row.scenario.given[Input::LogitBytes] = bytesOfLogits(*found, row.scenario.parallel.tensor);
}

void readLayout(const JsonField& entry, PublishedTraining& row) {
    const JsonField layout = entry["layout"];
    ParallelLayout& p = row.scenario.parallel;
    const auto degree = [&](std::string_view key, std::int64_t& into) {
        const JsonField field = layout[key];
        if (!field.isNull()) into = field.count(1);
    };
    degree("tensor", p.tensor);
    degree("pipeline", p.pipeline);
    degree("context", p.context);
    degree("expert", p.expert);
    degree("chunks", p.chunks);
    const JsonField zero = layout["zero"], sequence = layout["sequence_parallel"],
                    micro = entry["micro_batch"], perNode = entry["devices_per_node"],
                    shard = layout["shard"], batch = entry["batch"], length = entry["sequence"],
                    devices = entry["devices"], year = entry["year"];
    row.year = year.count(2000, 2100);
    // Frameworks since 2023 split the sequence where they split layers.
    p.sequence = sequence.isNull() ? row.year >= 2023 : sequence.boolean();
    if (!shard.isNull()) p.shardGroup = shard.count(1);
    p.sharding = zero.isNull() ? Sharding::None : static_cast<Sharding>(zero.count(0, 3));
    if (zero.isNull()) row.taken.emplace_back("no ZeRO");
    if (!micro.isNull()) p.microBatch = micro.count(1);
    Cluster& cluster = row.scenario.cluster;
    cluster.devices = devices.count(1);
    cluster.devicesPerNode = perNode.isNull() ? cluster.devices : perNode.count(1);
    // Links of a rack or of a slice of TPUs join more than what a host has.
    if (cluster.device && cluster.device->linkedDevices)
        cluster.devicesPerNode = std::min(cluster.devices, *cluster.device->linkedDevices);
    if (cluster.device && perNode.isNull() && !shard.isNull())
        cluster.devicesPerNode = std::min(cluster.devicesPerNode, shard.count(1) * p.tensor);
    row.scenario.workload.sequence = length.count(1);
    if (!batch.isNull())
        row.scenario.workload.batch = batch.count(1);
    else
        row.taken.emplace_back("the least batch of this layout");
    if (!micro.isNull()) return;
    // A step that is compiled as a whole takes its batch at once.
    const std::int64_t each = p.tensor * p.pipeline * p.context;
    const std::int64_t data = each > 0 ? cluster.devices / each : 0;
    if (row.scenario.software == Software::Xla && !batch.isNull() && data > 0 &&
        row.scenario.workload.batch % data == 0) {
        p.microBatch = row.scenario.workload.batch / data;
        row.taken.emplace_back("the batch of a device at once");
    } else {
        row.taken.emplace_back("a micro-batch of 1");
        row.memoryProblem = "the micro-batch is not told";
    }
}

/// FLOPs of a token as a row counts them.
double flopsOfToken(const JsonField& flops, const PublishedTraining& row, bool withRecomputation) {
    const Work work =
        workPerToken(*row.scenario.model.transformer(), row.scenario.recipe, sequenceOf(row.scenario));
    const JsonField pairs = flops["pairs"];
    const bool causal = !pairs.isNull() && pairs.text() == "causal";
    const double forward = work.weightForward + (causal ? work.causalForward : work.attentionForward);
    if (!withRecomputation) return 3 * forward;
    // Published counts of hardware FLOPs repeat the forward pass as a whole, but for the head.
    const Transformer& m = *row.scenario.model.transformer();
    const double again = forward - 2 * static_cast<double>(m.vocabulary * m.hidden);
    return 3 * forward + (row.scenario.recipe.recompute == Recompute::Full
                              ? again * row.scenario.recipe.recomputeShare
                              : 0);
}

void readMeasured(const JsonField& entry, PublishedTraining& row, double tokens, double peak) {
    const JsonField measured = entry["measured"], flops = entry["flops"];
    const auto devices = static_cast<double>(row.scenario.cluster.devices);
    const auto figure = [&](std::string_view key) -> std::optional<double> {
        const JsonField field = measured[key];
        return field.numberOrNull();
    };
    const auto at = [&](double seconds, std::string from) {
        row.step = PublishedSeconds{seconds, std::move(from)};
    };
    if (const auto seconds = figure("step_seconds")) return at(*seconds, "step time");
    if (const auto rate = figure("tokens_per_second")) return at(tokens / *rate, "tokens per second");
    if (const auto rate = figure("tokens_per_second_per_device"))
        return at(tokens / (*rate * devices), "tokens per second of a device");
    if (const auto rate = figure("samples_per_second"))
        return at(tokens / static_cast<double>(row.scenario.workload.sequence) / *rate,
                  "sequences per second");
    const double model = tokens * flopsOfToken(flops, row, false);
    if (const auto rate = figure("model_tflops_per_device"))
        return at(model / (*rate * kTera * devices), "model FLOP/s of a device");
    if (const auto share = figure("mfu"); share && peak > 0)
        return at(model / (*share * peak * devices), "MFU");
    const double hardware = tokens * flopsOfToken(flops, row, true);
    if (const auto rate = figure("hardware_tflops_per_device"))
        return at(hardware / (*rate * kTera * devices), "FLOP/s of a device, recomputation counted");
    if (const auto share = figure("hfu"); share && peak > 0) at(hardware / (*share * peak * devices), "HFU");
}

PublishedTraining readRow(const JsonField& entry, const Evidence& evidence) {
    PublishedTraining row;
    const JsonField id = entry["id"], source = entry["source"], read = entry["read"],
                    device = entry["device"], framework = entry["framework"], software = entry["software"],
                    model = entry["model"], memory = entry["memory"];
    row.id = id.text();
    row.read = read.text();
    row.framework = framework.text();
    row.device = device.text();
    const JsonField note = entry["note"], assumed = entry["assumed"];
    row.note = note.textOr({});
    for (std::size_t i = 0, count = assumed.isNull() ? 0 : assumed.arraySize(); i < count; ++i) {
        const JsonField each = assumed.at(i), key = each["key"], why = each["why"];
        row.assumed.push_back(fmt::format("{}: {}", key.text(), why.text()));
    }
    const std::string from = source.text();
    const auto found = std::ranges::find(evidence.sources, from, &EvidenceSource::id);
    if (found == evidence.sources.end()) source.fail(fmt::format("is no source ({})", from));
    row.source = static_cast<std::size_t>(found - evidence.sources.begin());
    const std::string runs = software.text();
    if (const auto kind = enumeratorOf<Software>(runs))
        row.scenario.software = *kind;
    else
        software.fail(fmt::format("is no software ({})", runs));
    const auto& machines = HardwareDatabase::builtIn().machines;
    const auto machine = std::ranges::find(machines, row.device, &Machine::id);
    if (machine == machines.end())
        device.fail(fmt::format("is no device ({})", row.device));
    else
        row.scenario.cluster.device = *machine;
    readModel(model, row);
    readLayout(entry, row);
    readRecipe(entry, row);
    readStorage(entry, row);
    if (!memory.isNull()) {
        const JsonField bytes = memory["bytes"], ofWhat = memory["kind"];
        row.memoryBytes = bytes.number();
        row.memoryKind = ofWhat.text();
    }
    if (!row.problem.empty() || !entry.ok() || row.scenario.model.transformer() == nullptr) return row;
    const auto layout = resolve(row.scenario);
    if (!layout.has_value()) {
        row.problem = layout.error().text();
        return row;
    }
    const double tokens = static_cast<double>(layout->batch) * static_cast<double>(layout->sequence);
    const auto peak = numberOf(row.scenario, Input::Peak);
    readMeasured(entry, row, tokens, peak.has_value() ? *peak : 0);
    return row;
}

}  // namespace

Result<Evidence> Evidence::parse(std::string_view text) {
    PLUMB_TRY(const nlohmann::json document, parseJson(text, "the published trainings"));
    JsonField::Problem problem;
    const JsonField root(document, "published trainings", problem);
    Evidence evidence;
    const JsonField sources = root["sources"], rows = root["rows"];
    const std::size_t sourceCount = sources.arraySize();
    for (std::size_t i = 0; i < sourceCount && !problem; ++i) {
        const JsonField entry = sources.at(i);
        const JsonField id = entry["id"], title = entry["title"], organisation = entry["organisation"],
                        address = entry["address"], revision = entry["revision"], use = entry["use"],
                        note = entry["note"];
        evidence.sources.push_back({id.text(), title.text(), organisation.text(), address.text(),
                                    revision.text(), use.text() == "fit", note.text()});
    }
    const std::size_t rowCount = rows.arraySize();
    for (std::size_t i = 0; i < rowCount && !problem; ++i) {
        const JsonField entry = rows.at(i);
        evidence.rows.push_back(readRow(entry, evidence));
    }
    if (problem) return *problem;
    return evidence;
}

const Result<Evidence>& Evidence::builtIn() {
    static const Result<Evidence> all = parse(publishedJson);
    return all;
}

}  // namespace plumb::planner
