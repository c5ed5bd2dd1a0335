// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/device_pool.h"

#include "core/base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace plumb::cuda {

Result<std::unique_ptr<DevicePool>> DevicePool::create(int device, cudaStream_t stream, Others others) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location.type = cudaMemLocationTypeDevice;
    properties.location.id = device;
    cudaMemPool_t made = nullptr;
    PLUMB_CUDA(cudaMemPoolCreate(&made, &properties));
    auto pool = std::unique_ptr<DevicePool>(new DevicePool(made, stream, std::move(others)));
    // Otherwise every synchronisation gives memory back, and the next step asks the driver for it again.
    std::uint64_t keep = UINT64_MAX;
    PLUMB_CUDA(cudaMemPoolSetAttribute(made, cudaMemPoolAttrReleaseThreshold, &keep));
    return pool;
}

DevicePool::~DevicePool() {
    cudaStreamSynchronize(m_stream);
    cudaMemPoolDestroy(m_pool);
}

Result<Buffer> DevicePool::allocate(Bytes bytes, Category category) {
    if (bytes > m_limit - total(m_count.live)) return beyondLimit(bytes);
    void* memory = nullptr;
    // A tensor without elements still gets an address of its own.
    const auto size = static_cast<std::size_t>(std::max<Bytes>(bytes, 1));
    const cudaError_t result = cudaMallocFromPoolAsync(&memory, size, m_pool, m_stream);
    if (result == cudaErrorMemoryAllocation) {
        static_cast<void>(cudaGetLastError());  // not the next launch's
        return noRoom(bytes);
    }
    if (result != cudaSuccess) return errorOf(result, "cudaMallocFromPoolAsync");
    m_count.live[category] += bytes;
    m_count.highWater[category] = std::max(m_count.highWater[category], m_count.live[category]);
    Buffer buffer;
    buffer.data = memory;
    buffer.bytes = bytes;
    buffer.category = category;
    return buffer;
}

Error DevicePool::beyondLimit(Bytes bytes) const {
    return {ErrorCode::OutOfMemory,
            fmt::format("not enough memory: {} needed, {} of {} free", bytesText(bytes),
                        bytesText(std::max<Bytes>(0, m_limit - total(m_count.live))), bytesText(m_limit)),
            "lower batch, dim or layers, or raise the limit"};
}

Error DevicePool::noRoom(Bytes bytes) const {
    std::size_t free = 0;
    std::size_t all = 0;
    if (const cudaError_t asked = cudaMemGetInfo(&free, &all); asked != cudaSuccess)
        return errorOf(asked, "cudaMemGetInfo");
    const std::optional<std::string> others = m_others ? m_others() : std::nullopt;
    const bool areAlone = others && others->empty();
    return {ErrorCode::OutOfMemory,
            fmt::format("the GPU has no room for {} ({} free of {}{}{})", bytesText(bytes),
                        bytesText(static_cast<Bytes>(free)), bytesText(static_cast<Bytes>(all)),
                        others && !areAlone ? "; " : "", others.value_or("")),
            areAlone ? "lower batch, dim or layers"
                     : "lower batch, dim or layers, or end other programs that use the GPU"};
}

void DevicePool::release(const Buffer& buffer) {
    if (buffer.data == nullptr) return;
    // A failure here is that of work before it, which the next call of anything reports.
    static_cast<void>(cudaFreeAsync(buffer.data, m_stream));
    m_count.live[buffer.category] -= buffer.bytes;
}

Result<PoolUsage> DevicePool::usage() const {
    PoolUsage usage;
    const auto read = [&](cudaMemPoolAttr attribute, Bytes& into) -> Result<void> {
        std::uint64_t value = 0;
        PLUMB_CUDA(cudaMemPoolGetAttribute(m_pool, attribute, &value));
        into = static_cast<Bytes>(value);
        return {};
    };
    PLUMB_CHECK(read(cudaMemPoolAttrReservedMemCurrent, usage.reserved));
    PLUMB_CHECK(read(cudaMemPoolAttrReservedMemHigh, usage.reservedHigh));
    PLUMB_CHECK(read(cudaMemPoolAttrUsedMemCurrent, usage.used));
    PLUMB_CHECK(read(cudaMemPoolAttrUsedMemHigh, usage.usedHigh));
    return usage;
}

Result<void> DevicePool::trim() {
    PLUMB_CUDA(cudaStreamSynchronize(m_stream));
    PLUMB_CUDA(cudaMemPoolTrimTo(m_pool, 0));
    return {};
}

}  // namespace plumb::cuda
