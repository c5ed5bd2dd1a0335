// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/bodies/launcher.h"
#include "kernels/cuda/early_start.h"
#include "tests/kernels/simulated/device.h"

#include <cuda_runtime_api.h>

#include <bit>
#include <cstring>
#include <type_traits>
#include <typeinfo>

namespace plumb::test::simulated {

/// Whether a word of arguments is an address of the host that a device could not read. Numbers of that size
/// do not occur.
inline bool isHostAddress(const Device& device, std::uint64_t word) {
    constexpr std::uint64_t kLeast = std::uint64_t{0x5500} << 32U;
    constexpr std::uint64_t kMost = std::uint64_t{0x7fff} << 32U | 0xffffffffU;
    if (word < kLeast || word > kMost) return false;
    const auto* const memory = std::bit_cast<const void*>(word);
    return !device.isDevice(memory) && !device.isPinned(memory);
}

template <class Arguments>
bool hasHostAddress(const Device& device, Arguments arguments) {
    static_assert(std::is_trivially_copyable_v<Arguments> && sizeof(Arguments) % sizeof(std::uint64_t) == 0);
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(&arguments);  // it holds whatever lay there before
    std::uint64_t words[sizeof(Arguments) / sizeof(std::uint64_t)];
    std::memcpy(words, &arguments, sizeof words);
    for (const std::uint64_t word : words)
        if (isHostAddress(device, word)) return true;
#endif
    return false;
}

/// See kernels/cuda/bodies/launcher.h: on a stream of the simulated device, blocks in either order.
class StreamLauncher {
public:
    explicit StreamLauncher(cudaStream_t stream) : m_stream(reinterpret_cast<Stream*>(stream)) {}

    template <class Body>
    int launch(const typename Body::Arguments& arguments) const {
        if (Body::blocks(arguments) <= 0) return cudaSuccess;
        Device& device = Device::get();
        const std::scoped_lock locked(device.lock());
        bool isEarly = startsEarly(device.options());
        if (isEarly && device.knows(m_stream))
            if (const cudaError_t error =
                    cuda::mayStartEarly(reinterpret_cast<cudaStream_t>(m_stream), isEarly);
                error != cudaSuccess)
                return error;
        const char* const name = typeid(Body).name();
        const auto run = [name, isEarly, backwards = device.dice(2) == 1](const auto& a) {
            const auto blocks = [&] { return cuda::HostLauncher(backwards).template launch<Body>(a); };
            Device::get().runBody(blocks, name, isEarly);
        };
        return enqueue(arguments, name, run, kNanoseconds, isEarly);
    }

    /// run(arguments), where `arguments` are what a kernel would be given.
    template <class Arguments, class Run>
    int enqueue(const Arguments& arguments, const char* name, Run run,
                std::int64_t nanoseconds = kNanoseconds, bool isEarly = false) const {
        Device& device = Device::get();
        const std::scoped_lock locked(device.lock());
        if (!device.knows(m_stream) || hasHostAddress(device, arguments)) {
            device.addFault(std::string(name).append(" with an address of the host, or without a stream"));
            return cudaErrorIllegalAddress;
        }
        if (device.fails()) return failureOf(device);
        device.enqueue(
            m_stream, [arguments, run] { run(arguments); }, nanoseconds, name, isEarly);
        return device.takeLastError();  // an older one that nobody asked for, as <<<>>> has it
    }

private:
    static constexpr std::int64_t kNanoseconds = 3000;  // any would do

    Stream* m_stream;
};

}  // namespace plumb::test::simulated
