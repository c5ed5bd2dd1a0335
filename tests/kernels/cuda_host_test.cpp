// SPDX-License-Identifier: Apache-2.0
// What the CUDA backend decides without a GPU.
#include "core/plan/control_tensors.h"
#include "kernels/common/nvidia_driver.h"
#include "kernels/common/tensor_memory.h"
#include "kernels/cuda/algorithm_cache.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/device_kernels.h"
#include "kernels/cuda/driver.h"
#include "kernels/cuda/step_matmuls.h"
#include "kernels/cuda/step_memory.h"
#include "tests/support/random_config.h"
#include "tests/support/temporary_folder.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace plumb::cuda {
namespace {

TEST(CudaDriver, ListsGpusWhereItServesThisRuntime) {
    constexpr int kRuntime = 13000;
    const auto judged = common::judgeDriver(common::probeDriver(), kRuntime);
    EXPECT_EQ(listGpus().has_value(), judged.has_value());
}

TEST(CudaErrors, HaveARemedyOfTheirOwn) {
    const auto is = [](cudaError_t result, ErrorCode code, const char* hint) {
        const Error error = errorOf(result, "cudaStreamSynchronize(stream)");
        EXPECT_EQ(error.code, code) << error.text();
        EXPECT_NE(error.hint.find(hint), std::string::npos) << error.text();
        if (code != ErrorCode::DeviceLost) {
            EXPECT_NE(error.message.find("(cudaStreamSynchronize"), std::string::npos) << error.text();
        }
    };
    is(cudaErrorMemoryAllocation, ErrorCode::OutOfMemory, "end other programs");
    is(cudaErrorDevicesUnavailable, ErrorCode::Unavailable, "compute mode");
    is(cudaErrorNoDevice, ErrorCode::Unavailable, "still lists");
    is(cudaErrorSystemNotReady, ErrorCode::Unavailable, "nvidia-fabricmanager");
    is(cudaErrorNoKernelImageForDevice, ErrorCode::Unavailable, "CMAKE_CUDA_ARCHITECTURES");
    is(cudaErrorInvalidValue, ErrorCode::RunFailed, "run it again");
    // Of these a program does not recover: running again in the same one would fail with the same words.
    for (const cudaError_t lost : {cudaErrorIllegalAddress, cudaErrorLaunchFailure, cudaErrorLaunchTimeout,
                                   cudaErrorECCUncorrectable, cudaErrorContained, cudaErrorUnknown})
        is(lost, ErrorCode::DeviceLost, "Restart the engine");
}

TEST(CudaErrors, OfTheMatrixLibraryAreNoMemoryOrAFailure) {
    const Error full = errorOf(CUBLAS_STATUS_ALLOC_FAILED, "cublasLtMatmul(handle)");
    EXPECT_EQ(full.code, ErrorCode::OutOfMemory) << full.text();
    EXPECT_NE(full.hint.find("end other programs"), std::string::npos);
    const Error failed = errorOf(CUBLAS_STATUS_EXECUTION_FAILED, "cublasLtMatmul(handle)");
    EXPECT_EQ(failed.code, ErrorCode::RunFailed) << failed.text();
    EXPECT_NE(failed.message.find("(cublasLtMatmul: "), std::string::npos);
}

TEST(GpuIdentity, IsAMachineOfItsKind) {
    GpuIdentity gpu{.name = "NVIDIA H200 (SXM)",
                    .computeCapability = 90,
                    .memoryBytes = 150'000'000'000,
                    .multiprocessors = 132};
    const Machine machine = machineOf(gpu);
    EXPECT_EQ(machine.id, "cuda-nvidia-h200-sxm-132");
    EXPECT_EQ(machine.backend, "cuda");
    EXPECT_EQ(machine.computeCapability, 90);
    EXPECT_EQ(machine.memoryBytes, 150'000'000'000);
    EXPECT_TRUE(machine.peakFlopPerSecond.empty());
    EXPECT_TRUE(checkArchitecture(gpu).has_value());
    gpu.uuid = "GPU-5a1f0e62-11aa-22bb-33cc-44dd55ee66ff";
    EXPECT_EQ(machineOf(gpu).uuid, gpu.uuid);
    gpu.name = "NVIDIA H200 MIG 1g.18gb";
    EXPECT_EQ(machineOf(gpu).uuid, "MIG-5a1f0e62-11aa-22bb-33cc-44dd55ee66ff") << "as tools call an instance";
    gpu.name = "NVIDIA H200 (SXM)";
    gpu.computeCapability = 75;
    EXPECT_NE(checkArchitecture(gpu).error().message.find("H200"), std::string::npos);
}

TEST(AlgorithmCache, KeepsChoicesForTheSameMachineDriverAndLibrary) {
    const TemporaryFolder folder;
    const std::string path = folder.file("deep/matmul.json");
    const AlgorithmCache::Owner owner{"cuda-x", 13000, 130100};
    AlgorithmCache cache(owner);
    EXPECT_FALSE(cache.changed());
    ChosenAlgorithm chosen;
    for (std::size_t i = 0; i < chosen.data.size(); ++i) chosen.data[i] = 0x0123456789abcdefULL * (i + 1);
    chosen.seconds = 2.5e-5;
    cache.add("forward 1x2x3", chosen);
    EXPECT_TRUE(cache.changed());
    ASSERT_TRUE(cache.save(path).has_value());
    const auto same = AlgorithmCache::load(owner, path);
    ASSERT_TRUE(same.has_value()) << same.error().text();
    EXPECT_EQ(same->find("forward 1x2x3"), chosen);
    EXPECT_EQ(same->find("forward 1x2x4"), std::nullopt);
    EXPECT_FALSE(same->changed());
    for (const AlgorithmCache::Owner& other : {AlgorithmCache::Owner{"cuda-y", 13000, 130100},
                                               {"cuda-x", 13010, 130100},
                                               {"cuda-x", 13000, 130200}}) {
        const auto loaded = AlgorithmCache::load(other, path);
        ASSERT_TRUE(loaded.has_value());
        EXPECT_EQ(loaded->size(), 0U);
    }
}

TEST(AlgorithmCache, KeepsWhatOthersChoseInTheMeantime) {
    const TemporaryFolder folder;
    const std::string path = folder.file("matmul.json");
    const AlgorithmCache::Owner owner{"m", 1, 2};
    const auto choice = [](std::uint64_t number) {
        ChosenAlgorithm chosen;
        chosen.data[0] = number;
        return chosen;
    };
    AlgorithmCache before(owner);
    before.add("outdated", choice(1));
    before.add("shared", choice(2));
    ASSERT_TRUE(before.save(path).has_value());
    auto one = AlgorithmCache::load(owner, path);
    auto other = AlgorithmCache::load(owner, path);
    ASSERT_TRUE(one.has_value() && other.has_value());
    one->add("of one", choice(3));
    one->remove("outdated");
    other->add("of the other", choice(4));
    other->add("shared", choice(5));
    ASSERT_TRUE(other->save(path).has_value());
    ASSERT_TRUE(one->save(path).has_value());
    const auto both = AlgorithmCache::load(owner, path);
    ASSERT_TRUE(both.has_value()) << both.error().text();
    EXPECT_EQ(both->find("of one"), choice(3));
    EXPECT_EQ(both->find("of the other"), choice(4));
    EXPECT_EQ(both->find("outdated"), std::nullopt);
    EXPECT_EQ(both->find("shared"), choice(2)) << "the one that wrote last";
    // Those of another driver do not come along.
    AlgorithmCache newer(AlgorithmCache::Owner{"m", 2, 2});
    newer.add("new", choice(6));
    ASSERT_TRUE(newer.save(path).has_value());
    EXPECT_EQ(AlgorithmCache::load({"m", 2, 2}, path)->size(), 1U);
}

TEST(AlgorithmCache, RefusesADamagedFileAndTakesAMissingOneForEmpty) {
    const TemporaryFolder folder;
    const AlgorithmCache::Owner owner{"m", 1, 2};
    EXPECT_EQ(AlgorithmCache::load(owner, folder.file("none.json"))->size(), 0U);
    EXPECT_EQ(AlgorithmCache::load(owner, "")->size(), 0U);
    EXPECT_FALSE(AlgorithmCache(owner).save("").has_value());
    const std::string head =
        R"({"format":"plumbline.matmul-algorithms","version":2,"machine":"m","driver":1,)"
        R"("library":2,"products":)";
    for (const std::string& text :
         {std::string("{"), std::string("[]"), head + "[]}", head + R"({"a":3}})",
          head + R"({"a":{"algorithm":"12","seconds":1}}})",
          head + R"({"a":{"algorithm":")" + std::string(128, 'g') + R"(","seconds":1}}})",
          head + R"({"a":{"algorithm":)" + std::string(1'000'000, '[') + std::string(1'000'000, ']') +
              "}}}"}) {
        putFile(folder.file("bad.json"), text);
        const auto loaded = AlgorithmCache::load(owner, folder.file("bad.json"));
        ASSERT_FALSE(loaded.has_value()) << text;
        EXPECT_NE(loaded.error().hint.find("delete"), std::string::npos);
    }
    putFile(folder.file("good.json"),
            head + R"({"a":{"algorithm":")" + std::string(128, 'a') + R"(","seconds":1}}})");
    EXPECT_EQ(AlgorithmCache::load(owner, folder.file("good.json"))->size(), 1U);
}

RunConfig gpuConfig(std::uint64_t seed) {
    RunConfig config = test::randomGpuConfig(seed);
    if (seed % 4 == 3) {
        config.data = "x.npy";
        config.targets = "t.npy";
    }
    return config;
}

// The backend counts bytes and categories by itself; both come out as planned.
TEST(CudaStepMemory, IsThePlansTensorByTensor) {
    constexpr std::array kCapabilities{89, 90, 100};
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const BackendTraits traits = *cudaTraits(kCapabilities[seed % 3]);
        const RunConfig config = gpuConfig(seed);
        const auto plan = planStep(config, traits);
        ASSERT_TRUE(plan.has_value()) << plan.error().text();
        for (const Tensor& tensor : plan->tensors) {
            ASSERT_EQ(tensorBytes(config, traits, tensor), tensor.bytes())
                << tensorName(*plan, tensor) << " seed " << seed;
            ASSERT_EQ(common::categoryOf(tensor.role), tensor.category) << tensorName(*plan, tensor);
        }
    }
}

TEST(CudaStepMemory, HasRoomForThePartialSumsOfLargeSteps) {
    for (const std::int64_t dim : {1, 64, 4096, 16384})
        for (const std::int64_t rows : {1, 1000, 65536})
            for (const std::int64_t outputs : {1, 4, 16})
                for (const Optimizer optimizer : {Optimizer::AdamW, Optimizer::Adafactor}) {
                    const RunConfig config{
                        .dim = dim, .layers = 64, .outputs = outputs, .batch = rows, .optimizer = optimizer};
                    const BackendTraits traits = *cudaTraits(80);
                    const auto plan = planStep(config, traits);
                    ASSERT_TRUE(plan.has_value());
                    EXPECT_LE(mostPartialBytes(config, traits), firstScratchBytes(config, traits))
                        << dim << " wide, " << rows << " rows, " << outputs << " outputs";
                    const Tensor& scratch = plan->tensor(plan->sharedScratch);
                    EXPECT_EQ(tensorBytes(config, traits, scratch), scratch.bytes());
                    EXPECT_LE(headTickets(dim), headTicketWords(config)) << dim;
                }
}

TEST(CudaStepMemory, TheControlTensorsPartsDoNotOverlap) {
    RunConfig config;
    config.layers = 5;
    const auto columns = stepControlColumns(config);
    std::vector<double> memory(static_cast<std::size_t>(columns.count));
    const StepControlView view = stepControlView(config, memory.data());
    const auto at = [&](const void* place) {
        return static_cast<const std::byte*>(place) - reinterpret_cast<const std::byte*>(memory.data());
    };
    EXPECT_EQ(at(view.state), 0);
    EXPECT_GE(at(view.schedule), static_cast<std::ptrdiff_t>(sizeof(StepState)));
    EXPECT_GE(at(view.ticket), at(view.schedule) + static_cast<std::ptrdiff_t>(sizeof(RateSchedule)));
    EXPECT_GT(at(view.matrices), at(view.ticket));
    EXPECT_GE(at(view.inverses), at(view.matrices) + 6 * static_cast<std::ptrdiff_t>(sizeof(DeviceMatrix)));
    EXPECT_GE(at(view.amaxes), at(view.inverses) + statisticsSlots(config) * 4);
    EXPECT_GE(at(view.headTickets), at(view.amaxes) + statisticsSlots(config) * 4);
    EXPECT_LE(at(view.headTickets) + headTicketWords(config) * 4, columns.count * 8);
}

TEST(CudaMatmul, ShapesSayWhatIsMultiplied) {
    RunConfig config{.dim = 64, .batch = 48, .precision = Precision::Fp8};
    const MatmulShape forward = plainShape(config, *cudaTraits(90), MatmulKind::Forward, false);
    EXPECT_EQ(forward.text(), "forward 48x64x64 fp8_e4m3*fp8_e4m3>bf16 turned");
    EXPECT_EQ(plainShape(config, *cudaTraits(100), MatmulKind::WeightGradient, true).text(),
              "weight 48x64x64 fp8_e4m3*fp8_e5m2>bf16 add");
    config.precision = Precision::Tf32;
    MatmulShape input = plainShape(config, *cudaTraits(90), MatmulKind::InputGradient, false);
    input.epilogue = MatmulEpilogue::Masked;
    EXPECT_EQ(input.text(), "input 48x64x64 tf32*tf32>fp32 masked");
    EXPECT_EQ(input.flops(), 2.0 * 48 * 64 * 64);
    EXPECT_EQ(maskBytes(48, 64), 48 * 16);
    EXPECT_EQ(maskBytes(1, 129), 32);
}

}  // namespace
}  // namespace plumb::cuda
