// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data/data_fingerprint.h"
#include "core/io/safetensors.h"
#include "core/model/checkpoint_options.h"
#include "core/plan/step_plan.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// A training checkpoint: a .safetensors file with all that a run needs to go on bit for bit.
//
//   layers.0.weight ... head.weight             the weights of the products, [in, out]: y = x W
//   master.layers.0.weight ...                  their fp32 copy, where the recipe has one
//   optimizer.layers.0.weight.exp_avg ...       states, under torch.optim's names
//   (core/plan/optimizer_rule.h) loss_scale, scales                          fp16's and fp8's scaling, as
//   TensorRole describes them
//   __metadata__                                format, version, step, seed, training_seconds, program,
//                                               config: the configuration as JSON, as snapshots have it,
//                                               data: the fingerprints of the data files as JSON, and
//                                               checksum: XXH64 of the other metadata (every key and value in
//                                               the order of the keys, a zero byte after each) and of all
//                                               data
//
// Version 1 has neither data nor checksum; it is read without those checks.
namespace plumb {

class Executor;

inline constexpr std::string_view kCheckpointFormat = "plumbline.checkpoint";
inline constexpr int kCheckpointVersion = 2;

/// What a checkpoint says of its training besides the tensors.
struct CheckpointInfo {
    RunConfig config;
    std::int64_t step = 0;  ///< optimizer steps done; the next one is this one, counted from 0
    Seconds trainedSeconds = 0;
    std::string program;                               ///< programVersion() of the writer
    std::optional<std::vector<DataFingerprint>> data;  ///< fingerprints of the data files; absent: an older
                                                       ///< program did not keep them
};

/// The tensors of a checkpoint: all that live across steps, but for the loss and the statistics, which every
/// step writes anew, and what the loader has read ahead.
[[nodiscard]] std::vector<TensorId> checkpointTensors(const StepPlan& plan);
/// Unique among checkpointTensors(). Pre: `tensor` is one of them.
[[nodiscard]] std::string checkpointTensorName(const StepPlan& plan, const Tensor& tensor);
/// Its shape in the file, which has all of a tensor that ranks share.
[[nodiscard]] std::vector<std::int64_t> checkpointShape(const StepPlan& plan, const Tensor& tensor);
/// Metadata of a checkpoint without its checksum.
[[nodiscard]] std::map<std::string, std::string> checkpointMetadata(const CheckpointInfo& info);
/// Checksum of the file that writeSafetensors() makes of both; a checksum that is there already is left out.
[[nodiscard]] std::string checkpointChecksum(const std::map<std::string, std::string>& metadata,
                                             const std::vector<SafetensorsTensor>& tensors);

/// "step-000123.safetensors".
[[nodiscard]] std::string checkpointFileName(std::int64_t step);
/// Empty for other names.
[[nodiscard]] std::optional<std::int64_t> stepOfCheckpointName(std::string_view name);
/// The steps of the checkpoints in a folder by their names, oldest first. Errors: Io.
[[nodiscard]] Result<std::vector<std::int64_t>> checkpointSteps(const std::string& folder);

/// Empty when a run of `now` can go on where one of `then` stopped; else the first option that differs, with
/// both values: "optimizer sgd there, adamw here". `backend` may change (its numbers are as good, but not the
/// same bits), so may the number of ranks along any axis, with those that share the batch the micro-batch
/// (the same), and `checkpoint` and `zero`, which change no bit of what one micro-batch makes.
[[nodiscard]] std::string differingOption(const RunConfig& then, const RunConfig& now);

/// A checkpoint that was opened and whose metadata was read.
class TrainingCheckpoint {
public:
    /// `path` is a file, or a folder whose newest checkpoint is taken. Errors: Io; BadInput naming the file
    /// for what is damaged, not a checkpoint or of a newer version, and a folder without any.
    [[nodiscard]] static Result<TrainingCheckpoint> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return m_file.path(); }
    [[nodiscard]] const CheckpointInfo& info() const { return m_info; }
    /// fp16: of info().step, those that updated nothing; 0 for other recipes. Errors: Io.
    /// Pre: check() passed.
    [[nodiscard]] Result<std::int64_t> skippedSteps() const;
    /// Whether `plan` is of the same run (its data may have other names; checkData() compares what is in
    /// them, unless a file of version 1 knows the names alone), its tensors are those of the file, their
    /// numbers are such as training can go on from (core/train/checkpoint_values.h; reads the whole file),
    /// and all of it is as it was written. Errors: BadInput naming what differs or cannot be. To be asked
    /// before anything is allocated for `plan`.
    [[nodiscard]] Result<void> check(const StepPlan& plan) const;
    /// Whether it was trained on these files; true when it does not say. Errors: BadInput naming the file
    /// that differs.
    [[nodiscard]] Result<void> checkData(const std::vector<DataFingerprint>& data) const;
    /// Puts the tensors and the step into `executor`, whose plan passed check().
    [[nodiscard]] Result<void> restore(Executor& executor) const;

private:
    TrainingCheckpoint(SafetensorsFile file, CheckpointInfo info)
        : m_file(std::move(file)), m_info(std::move(info)) {}
    [[nodiscard]] Result<void> readOwn(const SafetensorsEntry& entry, const StepPlan& plan,
                                       const Tensor& tensor, std::span<std::byte> bytes) const;

    SafetensorsFile m_file;
    CheckpointInfo m_info;
};

}  // namespace plumb
