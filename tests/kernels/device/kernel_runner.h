// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/cuda/kernel_arguments.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace plumb::test {

/// Runs the device kernels: on a device, or their bodies on the processor, block after block and thread after
/// thread. The tests of this folder are compiled for both and say nothing of which one it is.
class KernelRunner {
public:
    virtual ~KernelRunner() = default;

    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* memory) = 0;
    virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
    virtual void download(void* to, const void* from, std::size_t bytes) = 0;

    // As in kernels/cuda/device_kernels.h; `firstScale` chooses the twin of that name.
    virtual int fill(const cuda::FillArguments& arguments, bool firstScale) = 0;
    virtual int constant(float* out, std::int64_t count, float value) = 0;
    virtual int synthesise(const cuda::SynthesiseArguments& arguments, bool firstScale) = 0;
    virtual int load(const cuda::LoadArguments& arguments, bool firstScale) = 0;
    virtual int encode(const cuda::EncodeArguments& arguments, bool firstScale) = 0;
    virtual int transpose(const cuda::TransposeArguments& arguments) = 0;
    virtual int headForward(const cuda::HeadArguments& arguments) = 0;
    virtual int headWeightGradient(const cuda::HeadArguments& arguments) = 0;
    virtual int headInputGradient(const cuda::HeadArguments& arguments, bool firstScale) = 0;
    virtual int headPass(const cuda::HeadPassArguments& arguments) = 0;
    virtual int loss(const cuda::LossArguments& arguments, bool firstScale) = 0;
    virtual int tick(const cuda::TickArguments& arguments) = 0;
    virtual int gradients(const cuda::GradientArguments& arguments) = 0;
    virtual int optimizer(const cuda::OptimizerArguments& arguments) = 0;
};

/// The runner of this test program; null with a reason where there is none (no device).
struct RunnerChoice {
    std::unique_ptr<KernelRunner> runner;
    std::string reason;
};
RunnerChoice makeRunner();

/// A test that needs a runner, and is skipped with the reason where there is none.
template <class Base = testing::Test>
class OnRunner : public Base {
protected:
    void SetUp() override {
        m_choice = makeRunner();
        if (m_choice.runner == nullptr) GTEST_SKIP() << m_choice.reason;
    }
    KernelRunner& runner() { return *m_choice.runner; }

private:
    RunnerChoice m_choice;
};

/// The same kernels with their blocks in another order, and grids of few blocks: every bit must be the same.
/// Null where the order cannot be chosen.
std::unique_ptr<KernelRunner> makeOtherOrder();

/// Some of a runner's memory.
template <class T>
class DeviceArray {
public:
    DeviceArray(KernelRunner& runner, std::size_t count) : m_runner(&runner), m_count(count) {
        m_data = static_cast<T*>(runner.allocate(count * sizeof(T) + kGuard));
        const std::vector<std::byte> guard(count * sizeof(T) + kGuard, std::byte{0xA5});
        runner.upload(m_data, guard.data(), guard.size());
    }
    DeviceArray(KernelRunner& runner, const std::vector<T>& values) : DeviceArray(runner, values.size()) {
        set(values);
    }
    ~DeviceArray() {
        if (m_data != nullptr) m_runner->release(m_data);
    }
    DeviceArray(DeviceArray&& other) noexcept
        : m_runner(other.m_runner), m_count(other.m_count), m_data(std::exchange(other.m_data, nullptr)) {}
    DeviceArray& operator=(DeviceArray&&) = delete;
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    [[nodiscard]] T* data() const { return m_data; }
    [[nodiscard]] std::size_t size() const { return m_count; }
    void set(const std::vector<T>& values) {
        m_runner->upload(m_data, values.data(), values.size() * sizeof(T));
    }
    [[nodiscard]] std::vector<T> get() const {
        std::vector<T> values(m_count);
        m_runner->download(values.data(), m_data, m_count * sizeof(T));
        return values;
    }
    /// Whether nothing was written behind the end.
    [[nodiscard]] bool guarded() const {
        std::vector<std::byte> room(kGuard);
        m_runner->download(room.data(), reinterpret_cast<const std::byte*>(m_data + m_count), kGuard);
        for (const std::byte byte : room)
            if (byte != std::byte{0xA5}) return false;
        return true;
    }

private:
    static constexpr std::size_t kGuard = 64;
    KernelRunner* m_runner;
    std::size_t m_count;
    T* m_data = nullptr;
};

/// Room for sums, and their ticket.
class SumRoom {
public:
    SumRoom(KernelRunner& runner, std::size_t bytes = 1U << 20U)
        : m_partials(runner, bytes), m_ticket(runner, std::vector<std::uint32_t>(64, 0)) {}
    [[nodiscard]] cuda::Sums sums() const { return {m_partials.data(), m_ticket.data()}; }
    [[nodiscard]] std::uint32_t* tickets() const { return m_ticket.data(); }
    [[nodiscard]] void* partials() const { return m_partials.data(); }
    /// Whether all launches left the tickets as they found them.
    [[nodiscard]] bool clean() const { return m_ticket.get() == std::vector<std::uint32_t>(64, 0); }

private:
    DeviceArray<std::byte> m_partials;
    DeviceArray<std::uint32_t> m_ticket;
};

}  // namespace plumb::test
