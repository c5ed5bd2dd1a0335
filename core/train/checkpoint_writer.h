// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/io/system_error.h"
#include "core/model/checkpoint_options.h"
#include "core/train/training_checkpoint.h"

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace plumb {

/// Writes training checkpoints from a thread of its own: training stands still only while its state is
/// copied.
///
/// The copy is host memory outside the step's arena, as large as the tensors of a checkpoint (plan and
/// predictions do not count it); it is taken once and kept. One file is written at a time. All but the
/// writing itself happens on the caller's thread.
class CheckpointWriter {
public:
    /// Makes the folder, locks it against other trainings, removes what a killed one left unfinished or was
    /// about to delete, and finds out whether a checkpoint can be written there.
    ///
    /// `resumed` is the checkpoint that the training goes on from, restored already; null for a new one.
    /// `data`: of the files that it is trained on. A folder holds one training: errors are BadInput for one
    /// with checkpoints of another or of later steps than the resumed one, or that another process writes to;
    /// Io for a folder that cannot be written, or a disk without room for a single checkpoint; OutOfMemory,
    /// with need and free, when the copy does not fit into the memory that is available now.
    [[nodiscard]] static Result<std::unique_ptr<CheckpointWriter>>
    create(const CheckpointOptions& options, std::shared_ptr<const StepPlan> plan,
           const TrainingCheckpoint* resumed, std::vector<DataFingerprint> data);
    /// Waits for the file that is being written.
    ~CheckpointWriter();
    CheckpointWriter(const CheckpointWriter&) = delete;
    CheckpointWriter& operator=(const CheckpointWriter&) = delete;

    /// Whether a save is due after this many steps and nothing is being written; to be asked after every
    /// step. One that is due too early is due until it is made.
    [[nodiscard]] bool savesAfter(std::int64_t stepsDone);
    /// Whether the last save was of another step than this, at the end of a training.
    [[nodiscard]] bool savesAtEnd(std::int64_t stepsDone) const { return m_lastSavedStep != stepsDone; }
    /// Copies the state of `executor` and starts to write it; first waits for the file before. Of what ranks
    /// share the others give their part meanwhile (giveState()). Errors: those of StepTensors::collect(); a
    /// failed write comes with takeReports().
    [[nodiscard]] Result<void> save(const Executor& executor, Seconds trainedSeconds);
    /// Until nothing is being written.
    void wait();
    /// What was written, or could not be, since the last call; in order.
    [[nodiscard]] std::vector<CheckpointReport> takeReports();

private:
    CheckpointWriter(CheckpointOptions options, std::shared_ptr<const StepPlan> plan,
                     std::vector<DataFingerprint> data, Descriptor lock);
    [[nodiscard]] Result<void> reserveCopies();
    [[nodiscard]] Result<void> checkPlace() const;
    [[nodiscard]] bool isIdle();
    void loop();
    [[nodiscard]] Result<void> write(const CheckpointInfo& info, CheckpointReport& report) const;
    [[nodiscard]] Result<void> writeOnce(const CheckpointInfo& info, const std::string& path,
                                         int& problem) const;
    [[nodiscard]] std::optional<std::string> giveUpOldest() const;
    void deleteOld() const;

    const CheckpointOptions m_options;
    const std::shared_ptr<const StepPlan> m_plan;
    const std::vector<DataFingerprint> m_data;
    const Descriptor m_lock;                   ///< lock of the folder, as long as this lives
    std::vector<SafetensorsTensor> m_tensors;  ///< their bytes lie in m_copy
    std::unique_ptr<std::byte[]> m_copy;
    Bytes m_copyBytes = 0;
    std::int64_t m_lastSavedStep = 0;  ///< or the one that the training began with
    bool m_isDue = false;

    std::mutex m_mutex;  // all below
    std::condition_variable m_changed;
    std::optional<CheckpointInfo> m_pending;  ///< what the copy holds; empty when it may be overwritten
    Seconds m_copySeconds = 0;
    std::vector<CheckpointReport> m_reports;
    bool m_ending = false;
    std::thread m_thread;  // last: it uses all of the above
};

/// The part of another rank than the first, while that one saves. Errors: those of StepTensors::collect().
[[nodiscard]] Result<void> giveState(const Executor& executor);

}  // namespace plumb
