// SPDX-License-Identifier: Apache-2.0
// The tests of tests/kernels/device on a device.
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/plain_memory.h"
#include "tests/kernels/device/kernel_runner.h"

#include <gtest/gtest.h>

namespace plumb::test {

namespace {

class DeviceRunner final : public KernelRunner {
public:
    void* allocate(std::size_t bytes) override {
        void* memory = cuda::plainAllocate(bytes);
        EXPECT_NE(memory, nullptr) << bytes << " bytes of device memory";
        return memory;
    }
    void release(void* memory) override { cuda::plainRelease(memory); }
    void upload(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) {
            EXPECT_EQ(cuda::plainUpload(to, from, bytes), 0);
        }
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        if (bytes > 0) {
            EXPECT_EQ(cuda::plainDownload(to, from, bytes), 0);
        }
    }

    int fill(const cuda::FillArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchFillFirstScale(a, nullptr) : cuda::launchFill(a, nullptr));
    }
    int constant(float* out, std::int64_t count, float value) override {
        return finished(cuda::launchConstant(out, count, value, nullptr));
    }
    int synthesise(const cuda::SynthesiseArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchSynthesiseFirstScale(a, nullptr)
                                   : cuda::launchSynthesise(a, nullptr));
    }
    int load(const cuda::LoadArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchLoadFirstScale(a, nullptr) : cuda::launchLoad(a, nullptr));
    }
    int encode(const cuda::EncodeArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchEncodeFirstScale(a, nullptr)
                                   : cuda::launchEncode(a, nullptr));
    }
    int transpose(const cuda::TransposeArguments& a) override {
        return finished(cuda::launchTranspose(a, nullptr));
    }
    int headForward(const cuda::HeadArguments& a) override {
        return finished(cuda::launchHeadForward(a, nullptr));
    }
    int headWeightGradient(const cuda::HeadArguments& a) override {
        return finished(cuda::launchHeadWeightGradient(a, nullptr));
    }
    int headInputGradient(const cuda::HeadArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchHeadInputGradientFirstScale(a, nullptr)
                                   : cuda::launchHeadInputGradient(a, nullptr));
    }
    int headPass(const cuda::HeadPassArguments& a) override {
        return finished(cuda::launchHeadPass(a, nullptr));
    }
    int loss(const cuda::LossArguments& a, bool firstScale) override {
        return finished(firstScale ? cuda::launchLossFirstScale(a, nullptr) : cuda::launchLoss(a, nullptr));
    }
    int tick(const cuda::TickArguments& a) override { return finished(cuda::launchTick(a, nullptr)); }
    int gradients(const cuda::GradientArguments& a) override {
        return finished(cuda::launchGradients(a, nullptr));
    }
    int optimizer(const cuda::OptimizerArguments& a) override {
        return finished(cuda::launchOptimizer(a, nullptr));
    }

private:
    static int finished(int launched) { return launched != 0 ? launched : cuda::plainSynchronize(); }
};

}  // namespace

RunnerChoice makeRunner() {
    const std::string reason = cuda::whyNoDevice();
    if (!reason.empty()) return {nullptr, reason};
    return {std::make_unique<DeviceRunner>(), ""};
}
std::unique_ptr<KernelRunner> makeOtherOrder() { return nullptr; }

}  // namespace plumb::test
