// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/device/emulated_runner.h"

#include "kernels/cuda/bodies/dispatch_parameters.h"

#include <cstdlib>
#include <new>

namespace plumb::test {

namespace {

class EmulatedRunner final : public KernelRunner {
public:
    explicit EmulatedRunner(cuda::HostLauncher launcher) : m_launcher(launcher) {}

    void* allocate(std::size_t bytes) override { return ::operator new(bytes, kAlignment); }
    void release(void* memory) override { ::operator delete(memory, kAlignment); }
    void upload(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) std::memcpy(to, from, bytes);
    }
    void download(void* to, const void* from, std::size_t bytes) override { upload(to, from, bytes); }

    int fill(const cuda::FillArguments& a, bool firstScale) override {
        return cuda::dispatchFill(m_launcher, a, firstScale);
    }
    int constant(float* out, std::int64_t count, float value) override {
        return m_launcher.launch<cuda::ConstantBody>(cuda::ConstantArguments{out, count, value});
    }
    int synthesise(const cuda::SynthesiseArguments& a, bool firstScale) override {
        return cuda::dispatchSynthesise(m_launcher, a, firstScale);
    }
    int load(const cuda::LoadArguments& a, bool firstScale) override {
        return cuda::dispatchLoad(m_launcher, a, firstScale);
    }
    int encode(const cuda::EncodeArguments& a, bool firstScale) override {
        return cuda::dispatchEncode(m_launcher, a, firstScale);
    }
    int transpose(const cuda::TransposeArguments& a) override {
        return m_launcher.launch<cuda::TransposeBody>(a);
    }
    int headForward(const cuda::HeadArguments& a) override {
        return cuda::dispatchHeadForward(m_launcher, a);
    }
    int headWeightGradient(const cuda::HeadArguments& a) override {
        return cuda::dispatchHeadWeightGradient(m_launcher, a);
    }
    int headInputGradient(const cuda::HeadArguments& a, bool firstScale) override {
        return cuda::dispatchHeadInputGradient(m_launcher, a, firstScale);
    }
    int headPass(const cuda::HeadPassArguments& a) override { return cuda::dispatchHeadPass(m_launcher, a); }
    int loss(const cuda::LossArguments& a, bool firstScale) override {
        return cuda::dispatchLoss(m_launcher, a, firstScale);
    }
    int tick(const cuda::TickArguments& a) override { return m_launcher.launch<cuda::TickBody>(a); }
    int gradients(const cuda::GradientArguments& a) override {
        return cuda::dispatchGradients(m_launcher, a);
    }
    int optimizer(const cuda::OptimizerArguments& a) override { return emulateOptimizer(m_launcher, a); }

private:
    static constexpr std::align_val_t kAlignment{256};
    cuda::HostLauncher m_launcher;
};

}  // namespace

RunnerChoice makeRunner() { return {std::make_unique<EmulatedRunner>(cuda::HostLauncher()), ""}; }
std::unique_ptr<KernelRunner> makeOtherOrder() {
    return std::make_unique<EmulatedRunner>(cuda::HostLauncher(true, 3));
}

}  // namespace plumb::test
