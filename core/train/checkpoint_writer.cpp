// SPDX-License-Identifier: Apache-2.0
#include "core/train/checkpoint_writer.h"

#include "core/base/program_version.h"
#include "core/machine/local_cpu.h"
#include "core/train/executor.h"

#include <fmt/format.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <new>
#include <system_error>

namespace plumb {

namespace {

namespace fs = std::filesystem;

Seconds secondsSince(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::string pathOf(const std::string& folder, std::int64_t step) {
    return (fs::path(folder) / checkpointFileName(step)).string();
}

/// The folder, made when missing and locked until the descriptor closes; the system takes the lock back from
/// a process that was killed.
Result<Descriptor> lockFolder(const std::string& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem) return systemError("make the folder", folder, problem.value());
    Descriptor lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!lock.isOpen()) return systemError("open", folder, errno);
    // File systems without locks give other errors: then nothing protects from a second training.
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return Error{ErrorCode::BadInput, "another training writes its checkpoints to " + folder,
                     "stop it, or choose another folder"};
    return lock;
}

/// A folder holds the checkpoints of one training: mixing two would delete or resume the wrong ones.
Result<void> checkFolder(const std::string& folder, const TrainingCheckpoint* resumed) {
    PLUMB_TRY(const std::vector<std::int64_t> steps, checkpointSteps(folder));
    if (steps.empty()) return {};
    const std::string newest = checkpointFileName(steps.back());
    if (resumed == nullptr)
        return Error{ErrorCode::BadInput, fmt::format("{} holds a training already ({})", folder, newest),
                     "go on with --resume, or choose another folder for a new training"};
    std::error_code ignored;
    const fs::path origin = fs::absolute(resumed->path(), ignored).parent_path();
    if (!fs::equivalent(origin, folder, ignored))
        return Error{ErrorCode::BadInput,
                     fmt::format("{} holds another training ({}) than the resumed one", folder, newest),
                     "choose the folder of the resumed checkpoint, or an empty one"};
    if (steps.back() > resumed->info().step)
        return Error{ErrorCode::BadInput,
                     fmt::format("{} holds a later checkpoint ({}) than the resumed one ({})", folder, newest,
                                 checkpointFileName(resumed->info().step)),
                     "resume from the latest, delete the later ones, or choose another folder"};
    return {};
}

/// Those of a process that was killed; the lock says that nobody is writing them.
void removeUnfinished(const std::string& folder) {
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        const std::size_t dot = name.find('.', 1);  // ".step-000123.safetensors.NUMBER.tmp"
        const std::size_t stemEnd = dot == std::string::npos ? dot : name.find('.', dot + 1);
        if (stemEnd == std::string::npos) continue;
        const std::string target = name.substr(1, stemEnd - 1);
        std::error_code ignored;
        if (stepOfCheckpointName(target) && AtomicFile::isTemporaryName(name, target))
            fs::remove(entry->path(), ignored);
    }
}

Bytes bytesOf(const SafetensorsTensor& tensor) {
    return tensor.shape[0] * tensor.shape[1] * dtypeSize(tensor.dtype);
}

Error copyDoesNotFit(Bytes needed, const std::string& why, const std::string& remedy) {
    return {ErrorCode::OutOfMemory,
            fmt::format("the copy of the state for training checkpoints needs {}, and {}",
                        formatQuantity(static_cast<double>(needed), "B"), why),
            remedy};
}

}  // namespace

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::create(const CheckpointOptions& options,
                                                                   std::shared_ptr<const StepPlan> plan,
                                                                   const TrainingCheckpoint* resumed,
                                                                   std::vector<DataFingerprint> data) {
    if (options.saveEvery < 0 || options.keepLast < 1)
        return Error{ErrorCode::BadInput,
                     fmt::format("checkpoints cannot be saved like that (every {} steps, the last {} kept)",
                                 options.saveEvery, options.keepLast),
                     "save every 0 or more steps (0: only at the end) and keep at least 1"};
    PLUMB_TRY(Descriptor lock, lockFolder(options.folder));
    PLUMB_CHECK(checkFolder(options.folder, resumed));
    removeUnfinished(options.folder);
    std::unique_ptr<CheckpointWriter> writer(
        new CheckpointWriter(options, std::move(plan), std::move(data), std::move(lock)));
    PLUMB_CHECK(writer->checkPlace());
    PLUMB_CHECK(writer->reserveCopies());
    if (resumed != nullptr) {
        writer->m_lastSavedStep = resumed->info().step;
        writer->deleteOld();  // its state was restored; a killed training had no time to
    }
    writer->m_thread = std::thread([&self = *writer] { self.loop(); });
    return writer;
}

CheckpointWriter::CheckpointWriter(CheckpointOptions options, std::shared_ptr<const StepPlan> plan,
                                   std::vector<DataFingerprint> data, Descriptor lock)
    : m_options(std::move(options)),
      m_plan(std::move(plan)),
      m_data(std::move(data)),
      m_lock(std::move(lock)) {
    for (const TensorId id : checkpointTensors(*m_plan)) {
        const Tensor& tensor = m_plan->tensor(id);
        m_tensors.push_back(
            {checkpointTensorName(*m_plan, tensor), tensor.dtype, checkpointShape(*m_plan, tensor), {}});
        m_copyBytes += bytesOf(m_tensors.back());
    }
}

CheckpointWriter::~CheckpointWriter() {
    if (!m_thread.joinable()) return;
    {
        const std::lock_guard lock(m_mutex);
        m_ending = true;
        m_changed.notify_all();
    }
    m_thread.join();
}

Result<void> CheckpointWriter::checkPlace() const {
    // What is not committed leaves nothing behind.
    PLUMB_TRY(const AtomicFile probe, AtomicFile::create(pathOf(m_options.folder, 0)));
    std::error_code problem;
    const fs::space_info disk = fs::space(m_options.folder, problem);
    const auto steps = checkpointSteps(m_options.folder);
    if (problem || !steps.has_value()) return {};  // not known: the first save will tell
    // All but the newest can be given up for the next one.
    std::uintmax_t room = disk.available;
    for (std::size_t i = 0; i + 1 < steps->size(); ++i) {
        const std::uintmax_t bytes = fs::file_size(pathOf(m_options.folder, (*steps)[i]), problem);
        if (!problem) room += bytes;
    }
    const auto needed = static_cast<std::uintmax_t>(m_copyBytes);
    if (room >= needed) return {};
    return Error{ErrorCode::Io,
                 fmt::format("a training checkpoint takes {}, and the disk of {} has room for {}",
                             formatQuantity(static_cast<double>(needed), "B"), m_options.folder,
                             formatQuantity(static_cast<double>(room), "B")),
                 "free some space, or choose another disk"};
}

Result<void> CheckpointWriter::reserveCopies() {
    const auto available = availableMemory("/");
    if (available && m_copyBytes > *available)
        return copyDoesNotFit(
            m_copyBytes, formatQuantity(static_cast<double>(*available), "B") + " of memory are available",
            "train without checkpoints, or a smaller model");
    // Zeros, so that the pages are there before the first save, which would have to wait for them.
    m_copy.reset(new (std::nothrow) std::byte[static_cast<std::size_t>(m_copyBytes)]());
    if (m_copy == nullptr)
        return copyDoesNotFit(m_copyBytes, "this process may not have as much",
                              "raise the limit on virtual memory (ulimit -v), or train without checkpoints");
    std::byte* next = m_copy.get();
    for (SafetensorsTensor& tensor : m_tensors) {
        const auto bytes = static_cast<std::size_t>(bytesOf(tensor));
        tensor.bytes = {next, bytes};
        next += bytes;
    }
    return {};
}

bool CheckpointWriter::isIdle() {
    const std::lock_guard lock(m_mutex);
    return !m_pending;
}

void CheckpointWriter::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return !m_pending; });
}

Result<void> CheckpointWriter::save(const Executor& executor, Seconds trainedSeconds) {
    wait();
    m_isDue = false;
    m_lastSavedStep = executor.stepsDone();
    const auto begin = std::chrono::steady_clock::now();
    std::byte* target = m_copy.get();
    std::size_t index = 0;
    for (const TensorId id : checkpointTensors(*m_plan)) {
        const std::size_t bytes = m_tensors[index++].bytes.size();
        PLUMB_CHECK(executor.tensors().collect(id, {target, bytes}));
        target += bytes;
    }
    const Seconds copySeconds = secondsSince(begin);
    const std::lock_guard lock(m_mutex);
    m_copySeconds = copySeconds;
    m_pending =
        CheckpointInfo{m_plan->config, executor.stepsDone(), trainedSeconds, programVersion(), m_data};
    m_changed.notify_all();
    return {};
}

bool CheckpointWriter::savesAfter(std::int64_t stepsDone) {
    m_isDue = m_isDue || (m_options.saveEvery > 0 && stepsDone % m_options.saveEvery == 0);
    return m_isDue && isIdle();
}

Result<void> giveState(const Executor& executor) {
    for (const TensorId id : checkpointTensors(executor.plan()))
        PLUMB_CHECK(executor.tensors().collect(id, {}));
    return {};
}

std::vector<CheckpointReport> CheckpointWriter::takeReports() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_reports, {});
}

Result<void> CheckpointWriter::writeOnce(const CheckpointInfo& info, const std::string& path,
                                         int& problem) const {
    PLUMB_TRY(AtomicFile file, AtomicFile::create(path));
    std::map<std::string, std::string> metadata = checkpointMetadata(info);
    metadata["checksum"] = checkpointChecksum(metadata, m_tensors);
    auto written = writeSafetensors(file, path, m_tensors, metadata);
    problem = file.problem();
    return written;
}

// On a full disk older checkpoints make room for the new one, the oldest first; the newest of them stays
// until the new one is durable.
Result<void> CheckpointWriter::write(const CheckpointInfo& info, CheckpointReport& report) const {
    try {
        for (;;) {
            int problem = 0;
            auto written = writeOnce(info, report.path, problem);
            if (written.has_value() || (problem != ENOSPC && problem != EDQUOT)) return written;
            auto oldest = giveUpOldest();
            if (!oldest) return written;
            report.givenUp.push_back(*std::move(oldest));
        }
    } catch (const std::exception&) {  // a thread must not throw: the header may find no memory
        return Error{ErrorCode::OutOfMemory, "there is no memory to write " + report.path,
                     "end other programs, or make the model smaller"};
    }
}

/// Empty when none can be given up.
std::optional<std::string> CheckpointWriter::giveUpOldest() const {
    const auto steps = checkpointSteps(m_options.folder);
    if (!steps.has_value() || steps->size() < 2) return std::nullopt;
    std::string oldest = pathOf(m_options.folder, steps->front());
    std::error_code problem;
    if (!fs::remove(oldest, problem) || problem) return std::nullopt;
    return oldest;
}

void CheckpointWriter::deleteOld() const {
    const auto steps = checkpointSteps(m_options.folder);
    if (!steps.has_value()) return;
    const auto most = static_cast<std::size_t>(m_options.keepLast);
    std::error_code ignored;
    for (std::size_t i = 0; i + most < steps->size(); ++i)
        fs::remove(pathOf(m_options.folder, (*steps)[i]), ignored);
}

void CheckpointWriter::loop() {
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [&] { return m_pending || m_ending; });
        if (!m_pending) return;
        const CheckpointInfo info = *m_pending;
        CheckpointReport report{.path = pathOf(m_options.folder, info.step),
                                .step = info.step,
                                .bytes = m_copyBytes,
                                .copySeconds = m_copySeconds};
        lock.unlock();
        const auto begin = std::chrono::steady_clock::now();
        const auto written = write(info, report);
        report.writeSeconds = secondsSince(begin);
        if (written.has_value())
            deleteOld();  // the new one is durable
        else
            report.failure = written.error();
        lock.lock();
        m_reports.push_back(std::move(report));
        m_pending.reset();
        m_changed.notify_all();
    }
}

}  // namespace plumb
