// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/backend.h"
#include "kernels/cuda/device.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace plumb::cuda {

/// Copies what a file holds to the device while it computes: the host's halves are pinned, and each half of
/// the device is written once the step that read it is done.
class StagingLine {
public:
    /// `bytes`: of both halves. Errors: OutOfMemory, and those of the runtime.
    [[nodiscard]] static Result<std::unique_ptr<StagingLine>> open(Bytes bytes);
    /// Waits for the copies.
    ~StagingLine();
    StagingLine(const StagingLine&) = delete;
    StagingLine& operator=(const StagingLine&) = delete;

    /// Both halves, as the host fills them.
    [[nodiscard]] std::byte* host() const { return static_cast<std::byte*>(m_host.get()); }

    /// Copies one half to `target` (both halves, on the device) and lets `reader` wait for it. Returns when
    /// the host's half may be filled again; what `reader` was doing goes on meanwhile.
    [[nodiscard]] Result<void> copy(const Buffer& target, std::size_t half, cudaStream_t reader);
    /// What was enqueued on `reader` so far read that half.
    [[nodiscard]] Result<void> markRead(std::size_t half, cudaStream_t reader);
    /// The same of the half that was copied last, for a reader that does not say which it read.
    [[nodiscard]] Result<void> markCopiedRead(cudaStream_t reader);

private:
    StagingLine() = default;

    PinnedBlock m_host;
    Unique<cudaStream_t> m_stream;
    std::array<Unique<cudaEvent_t>, 2> m_filled;
    std::array<Unique<cudaEvent_t>, 2> m_read;
    std::optional<std::size_t> m_copied;  ///< and not yet marked as read by markCopiedRead()
};

}  // namespace plumb::cuda
