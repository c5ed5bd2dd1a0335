// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_checkpoint.h"

#include "core/base/content_hash.h"
#include "core/base/shape_text.h"
#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "core/plan/control_tensors.h"
#include "core/plan/optimizer_rule.h"
#include "core/plan/shards.h"
#include "core/train/checkpoint_values.h"
#include "core/train/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

namespace plumb {

namespace {

constexpr const char* kChecksum = "checksum";
constexpr std::string_view kPrefix = "step-";
constexpr std::string_view kSuffix = ".safetensors";
/// Options that may differ between a checkpoint and the run that goes on from it.
constexpr std::array<std::string_view, 5> kFreeOptions{"backend", "checkpoint", "data-parallel", "zero",
                                                       "tensor"};
/// What changes with the number of ranks: another number takes the same samples, added in another order.
constexpr std::string_view kFreeWithRanks = "micro-batch";

/// What a training goes on from. Statistics are only looked at, batches are made or read again, and
/// transposes are made of the weights.
bool isKept(TensorRole role) {
    return (isUpdated(role) && role != TensorRole::TransposedWeight) || role == TensorRole::LossScale ||
           role == TensorRole::Scales;
}

/// Texts of the metadata, and the first problem with them.
class MetadataReader {
public:
    explicit MetadataReader(const SafetensorsFile& file) : m_file(file) {}

    std::string text(const std::string& key) {
        const auto found = m_file.metadata().find(key);
        if (found == m_file.metadata().end()) {
            fail("lacks \"" + key + "\" in its metadata");
            return {};
        }
        return found->second;
    }
    template <class Number>
    Number number(const std::string& key) {
        const std::string value = text(key);
        Number result{};
        const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), result);
        const bool ok = problem == std::errc{} && end == value.data() + value.size();
        if (!ok || !(result >= Number{})) fail("has no usable \"" + key + "\" in its metadata");
        return ok ? result : Number{};
    }
    void fail(const std::string& what) {
        if (!m_problem)
            m_problem = Error{ErrorCode::BadInput, "the checkpoint " + m_file.path() + " " + what,
                              "resume from another one"};
    }
    [[nodiscard]] const std::optional<Error>& problem() const { return m_problem; }

private:
    const SafetensorsFile& m_file;
    std::optional<Error> m_problem;
};

Result<CheckpointInfo> readInfo(const SafetensorsFile& file) {
    const auto format = file.metadata().find("format");
    if (format == file.metadata().end() || format->second != kCheckpointFormat)
        return Error{ErrorCode::BadInput,
                     file.path() + " holds tensors, but no training of Plumbline that could go on",
                     "resume from a file that train --checkpoint-dir wrote"};
    MetadataReader reader(file);
    const int version = reader.number<int>("version");
    if (!reader.problem() && (version < 1 || version > kCheckpointVersion))
        return Error{
            ErrorCode::BadInput,
            fmt::format("the checkpoint {} is of version {}, and this program reads up to version {}",
                        file.path(), version, kCheckpointVersion),
            "use the version of Plumbline that wrote it"};
    CheckpointInfo info;
    info.program = reader.text("program");
    info.step = reader.number<std::int64_t>("step");
    info.trainedSeconds = reader.number<double>("training_seconds");
    if (!std::isfinite(info.trainedSeconds))
        reader.fail("has no usable \"training_seconds\" in its metadata");
    const auto seed = reader.number<std::uint64_t>("seed");
    const std::string config = reader.text("config");
    const std::string data = version > 1 ? reader.text("data") : "";
    if (version > 1) static_cast<void>(reader.text(kChecksum));
    if (reader.problem()) return *reader.problem();
    if (version > 1) {
        PLUMB_TRY(info.data, dataFingerprintsFrom(data, "the list of data files in " + file.path()));
    }
    PLUMB_TRY(const nlohmann::json document, parseJson(config, "the configuration in " + file.path()));
    const auto read = configFromJson(document);
    if (!read.has_value()) {
        reader.fail("has a configuration that cannot be used (" + read.error().message + ")");
        return *reader.problem();
    }
    info.config = *read;
    if (seed != info.config.seed) {
        reader.fail(
            fmt::format("has one \"seed\" in its metadata and another in its configuration ({} and {})", seed,
                        info.config.seed));
        return *reader.problem();
    }
    // The number of the next sample must be far from overflowing; no real training comes near.
    if (mulOrOverflow(info.step, mulOrOverflow(info.config.batch, 1024)) < 0) {
        reader.fail(fmt::format("says that {} steps were done, which cannot be", info.step));
        return *reader.problem();
    }
    return info;
}

/// The options of the training as it would have been with the data of `now`. The fingerprints say whether it
/// is the same (checkData()), so that neither its place nor its name counts, but how it is read does.
RunConfig withDataOf(RunConfig then, const RunConfig& now) {
    if (!then.readsFiles() || !now.readsFiles() || then.targets.empty() != now.targets.empty()) return then;
    const DataFormat format = then.effectiveDataFormat();
    then.dataFormat = format == now.effectiveDataFormat() ? now.dataFormat : format;
    then.data = now.data;
    then.targets = now.targets;
    return then;
}

Result<std::string> newestIn(const std::string& folder) {
    PLUMB_TRY(const std::vector<std::int64_t> steps, checkpointSteps(folder));
    if (steps.empty())
        return Error{ErrorCode::BadInput, "there is no training checkpoint in " + folder,
                     "give the folder of a training that has saved one, or start anew"};
    return (std::filesystem::path(folder) / checkpointFileName(steps.back())).string();
}

void addMetadata(ContentHash& hash, const std::map<std::string, std::string>& metadata) {
    constexpr std::string_view kEnd("\0", 1);
    for (const auto& [key, value] : metadata) {
        if (key == kChecksum) continue;
        for (const std::string_view part : {std::string_view(key), kEnd, std::string_view(value), kEnd})
            hash.add(part);
    }
}

}  // namespace

std::vector<TensorId> checkpointTensors(const StepPlan& plan) {
    std::vector<TensorId> ids;
    for (std::size_t id = 0; id < plan.tensors.size(); ++id)
        if (isKept(plan.tensors[id].role)) ids.push_back(static_cast<TensorId>(id));
    return ids;
}

std::string checkpointTensorName(const StepPlan& plan, const Tensor& tensor) {
    std::string weight =
        tensor.layer > plan.config.layers ? "head.weight" : fmt::format("layers.{}.weight", tensor.layer - 1);
    const auto state = [&] {
        const OptimizerStates states = optimizerStates(plan.config);
        const std::size_t index = stateIndex(tensor.role);
        assert(index < states.count);
        return fmt::format("optimizer.{}.{}", weight, stateName(states.kind[index], plan.config.optimizer));
    };
    switch (tensor.role) {
    case TensorRole::Weight:
        return weight;
    case TensorRole::Master:
        return "master." + weight;
    case TensorRole::Moment1:
    case TensorRole::Moment2:
    case TensorRole::Moment3:
        return state();
    case TensorRole::LossScale:
        return "loss_scale";
    case TensorRole::Scales:
        return "scales";
    default:
        assert(false);
        return {};
    }
}

std::vector<std::int64_t> checkpointShape(const StepPlan& plan, const Tensor& tensor) {
    const bool isWhole = !isSliced(plan.config.parallel, tensor.role) &&
                         splitOf(plan.config, tensor.layer) == MatrixSplit::None;
    if (isWhole) return {tensor.rows, tensor.columns};
    return {plan.config.dim, plan.config.columnsOf(tensor.layer)};
}

std::map<std::string, std::string> checkpointMetadata(const CheckpointInfo& info) {
    return {{"format", std::string(kCheckpointFormat)},
            {"version", std::to_string(kCheckpointVersion)},
            {"program", info.program},
            {"step", std::to_string(info.step)},
            {"seed", std::to_string(info.config.seed)},
            {"training_seconds", fmt::format("{}", info.trainedSeconds)},
            {"config", dumpJson(toJson(info.config))},
            {"data", toText(info.data.value_or(std::vector<DataFingerprint>()))}};
}

std::string checkpointChecksum(const std::map<std::string, std::string>& metadata,
                               const std::vector<SafetensorsTensor>& tensors) {
    ContentHash hash;
    addMetadata(hash, metadata);
    for (const SafetensorsTensor* const tensor : safetensorsOrder(tensors)) hash.add(tensor->bytes);
    return hash.hex();
}

std::string checkpointFileName(std::int64_t step) { return fmt::format("{}{:06}{}", kPrefix, step, kSuffix); }

std::optional<std::int64_t> stepOfCheckpointName(std::string_view name) {
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return std::nullopt;
    name.remove_prefix(kPrefix.size());
    if (name.size() < kSuffix.size()) return std::nullopt;
    name.remove_suffix(kSuffix.size());
    std::int64_t step = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), step);
    // Only what checkpointFileName() writes: "step-7" and "step-0000007" are other files.
    if (problem != std::errc{} || end != name.data() + name.size() || step < 0 ||
        fmt::format("{:06}", step) != name)
        return std::nullopt;
    return step;
}

Result<std::vector<std::int64_t>> checkpointSteps(const std::string& folder) {
    std::vector<std::int64_t> steps;
    std::error_code problem;
    std::filesystem::directory_iterator entries(folder, problem);
    for (; !problem && entries != std::filesystem::directory_iterator(); entries.increment(problem))
        if (const auto step = stepOfCheckpointName(entries->path().filename().string()))
            steps.push_back(*step);
    if (problem) return systemError("read", folder, problem.value());
    std::sort(steps.begin(), steps.end());
    return steps;
}

std::string differingOption(const RunConfig& then, const RunConfig& now) {
    for (const OptionInfo& option : runOptions()) {
        if (std::find(kFreeOptions.begin(), kFreeOptions.end(), option.name) != kFreeOptions.end()) continue;
        if (option.name == kFreeWithRanks && then.parallel.data != now.parallel.data) continue;
        if (!optionApplies(then, option.name) && !optionApplies(now, option.name)) continue;
        const std::string before = optionValue(then, option.name), here = optionValue(now, option.name);
        if (before != here)
            return fmt::format("{} {} there, {} here", option.name, before.empty() ? "none" : before,
                               here.empty() ? "none" : here);
    }
    return {};
}

Result<TrainingCheckpoint> TrainingCheckpoint::open(const std::string& path) {
    std::error_code ignored;
    std::string file = path;
    if (std::filesystem::is_directory(path, ignored)) {
        PLUMB_TRY(file, newestIn(path));
    }
    PLUMB_TRY(SafetensorsFile tensors, SafetensorsFile::open(file));
    PLUMB_TRY(CheckpointInfo info, readInfo(tensors));
    return TrainingCheckpoint(std::move(tensors), std::move(info));
}

Result<void> TrainingCheckpoint::check(const StepPlan& plan) const {
    const auto bad = [&](const std::string& what, const std::string& remedy) {
        return Error{ErrorCode::BadInput, "the checkpoint " + path() + " " + what, remedy};
    };
    const RunConfig then = m_info.data ? withDataOf(m_info.config, plan.config) : m_info.config;
    if (const std::string difference = differingOption(then, plan.config); !difference.empty())
        return bad("is of another configuration (" + difference + ")",
                   "give the same options, or start anew without resuming");
    std::set<std::string> expected;
    for (const TensorId id : checkpointTensors(plan)) {
        const Tensor& tensor = plan.tensor(id);
        const std::string name = checkpointTensorName(plan, tensor);
        expected.insert(name);
        const SafetensorsEntry* const entry = m_file.find(name);
        if (entry == nullptr) return bad("lacks the tensor " + name, "resume from another one");
        const std::vector<std::int64_t> shape = checkpointShape(plan, tensor);
        if (entry->dtype != safetensorsDtype(tensor.dtype) || entry->shape != shape)
            return bad(fmt::format("holds {} as {} {} instead of {} {}", name, entry->dtype,
                                   shapeText(entry->shape), safetensorsDtype(tensor.dtype), shapeText(shape)),
                       "resume from another one");
    }
    for (const SafetensorsEntry& entry : m_file.tensors())
        if (expected.find(entry.name) == expected.end())
            return bad("holds a tensor that this run does not have (" + shownName(entry.name) + ")",
                       "resume from another one");
    ContentHash hash;
    addMetadata(hash, m_file.metadata());
    PLUMB_CHECK(checkCheckpointValues(m_file, plan, m_info.step, hash));
    const auto written = m_file.metadata().find(kChecksum);
    if (written != m_file.metadata().end() && written->second != hash.hex())
        return bad(
            fmt::format(
                "is damaged: its content has the checksum {}, and not the one that it was written with",
                hash.hex()),
            "resume from another one");
    return {};
}

Result<void> TrainingCheckpoint::checkData(const std::vector<DataFingerprint>& data) const {
    const std::string difference = m_info.data ? differingData(*m_info.data, data) : "";
    if (difference.empty()) return {};
    return Error{ErrorCode::BadInput, "the checkpoint " + path() + " " + difference,
                 "give the data that it was trained on, or start anew without resuming"};
}

Result<std::int64_t> TrainingCheckpoint::skippedSteps() const {
    const SafetensorsEntry* const entry = m_file.find("loss_scale");
    if (entry == nullptr) return std::int64_t{0};
    double skipped = 0;
    PLUMB_CHECK(m_file.read(*entry, kLossScaleSkipped * sizeof skipped,
                            std::as_writable_bytes(std::span(&skipped, 1))));
    return static_cast<std::int64_t>(skipped);
}

// What the rank has of a tensor: all, a slice, a stretch of rows, or a part of each row.
Result<void> TrainingCheckpoint::readOwn(const SafetensorsEntry& entry, const StepPlan& plan,
                                         const Tensor& tensor, std::span<std::byte> bytes) const {
    const std::int64_t element = dtypeSize(tensor.dtype);
    const auto read = [&](std::int64_t begin, std::int64_t to, std::int64_t count) -> Result<void> {
        if (count == 0) return {};
        return m_file.read(
            entry, static_cast<std::uint64_t>(begin * element),
            bytes.subspan(static_cast<std::size_t>(to * element), static_cast<std::size_t>(count * element)));
    };
    if (splitOf(plan.config, tensor.layer) != MatrixSplit::None) {
        const MatrixPart part = partOf(plan.config, tensor.layer, plan.place);
        const std::int64_t columns = plan.config.columnsOf(tensor.layer);
        if (part.columns == columns) return read(part.firstRow * columns, 0, part.elements());
        for (std::int64_t row = 0; row < part.rows; ++row)
            PLUMB_CHECK(read(row * columns + part.firstColumn, row * part.columns, part.columns));
        return {};
    }
    const bool isSlice = isSliced(plan.config.parallel, tensor.role);
    const Slice own = isSlice ? ownSlice(plan.config, plan.place, tensor.layer) : Slice{0, tensor.elements()};
    return read(own.begin, 0, own.elements());
}

Result<void> TrainingCheckpoint::restore(Executor& executor) const {
    const StepPlan& plan = executor.plan();
    for (const TensorId id : checkpointTensors(plan)) {
        const SafetensorsEntry* const entry = m_file.find(checkpointTensorName(plan, plan.tensor(id)));
        if (entry == nullptr) return internalError("a checkpoint was not checked");
        const Tensor& tensor = plan.tensor(id);
        std::vector<std::byte> bytes(static_cast<std::size_t>(tensor.bytes()));  // padding is zero
        PLUMB_CHECK(readOwn(*entry, plan, tensor, bytes));
        PLUMB_CHECK(executor.tensors().upload(id, bytes));
    }
    executor.resumeAt(m_info.step);
    return {};
}

}  // namespace plumb
