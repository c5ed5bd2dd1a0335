// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/staging_line.h"

namespace plumb::cuda {

Result<std::unique_ptr<StagingLine>> StagingLine::open(Bytes bytes) {
    auto line = std::unique_ptr<StagingLine>(new StagingLine);
    PLUMB_TRY(line->m_host, allocatePinned(bytes, false));
    PLUMB_TRY(line->m_stream, makeStream());
    for (auto* events : {&line->m_filled, &line->m_read})
        for (Unique<cudaEvent_t>& event : *events) {
            PLUMB_TRY(event, makeEvent(false));
        }
    return line;
}

StagingLine::~StagingLine() {
    if (m_stream) cudaStreamSynchronize(m_stream.get());
}

Result<void> StagingLine::copy(const Buffer& target, std::size_t half, cudaStream_t reader) {
    const auto bytes = static_cast<std::size_t>(target.bytes / 2);
    auto* const to = static_cast<std::byte*>(target.data) + half * bytes;
    const std::byte* const from = host() + half * bytes;
    // Not before the micro-batch that lay there was read; an event that was never recorded counts as done.
    PLUMB_CUDA(cudaStreamWaitEvent(m_stream.get(), m_read[half].get(), 0));
    PLUMB_CUDA(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, m_stream.get()));
    PLUMB_CUDA(cudaEventRecord(m_filled[half].get(), m_stream.get()));
    PLUMB_CUDA(cudaStreamWaitEvent(reader, m_filled[half].get(), 0));
    // The steps before go on meanwhile.
    PLUMB_CUDA(cudaEventSynchronize(m_filled[half].get()));
    m_copied = half;
    return {};
}

Result<void> StagingLine::markRead(std::size_t half, cudaStream_t reader) {
    PLUMB_CUDA(cudaEventRecord(m_read[half].get(), reader));
    return {};
}

Result<void> StagingLine::markCopiedRead(cudaStream_t reader) {
    if (!m_copied) return {};
    PLUMB_CHECK(markRead(*m_copied, reader));
    m_copied.reset();
    return {};
}

}  // namespace plumb::cuda
