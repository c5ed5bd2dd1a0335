// SPDX-License-Identifier: Apache-2.0
// What the simulated device holds programs to; otherwise the tests on it would show nothing.
#include "tests/kernels/simulated/device.h"

#include "tests/kernels/simulated/launcher.h"
#include "tests/kernels/simulated/matrix_product.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <csignal>
#include <numeric>

namespace plumb::test::simulated {
namespace {

class SimulatedDevice : public ::testing::Test {
protected:
    void SetUp() override {
        Device::get().restart({});
        ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&memory, kBytes), cudaSuccess);
    }
    void TearDown() override {
        cudaFree(memory);
        cudaStreamDestroy(stream);
        Device::get().restart({});
    }
    [[nodiscard]] std::string faults() const {
        std::string text;
        for (const std::string& fault : Device::get().faults()) text += fault + "\n";
        return text;
    }

    static constexpr std::size_t kBytes = 4096;
    cudaStream_t stream = nullptr;
    void* memory = nullptr;
};

TEST_F(SimulatedDevice, DoesNothingBeforeSomebodyWaits) {
    int value = 7;
    int seen = 1;
    ASSERT_EQ(cudaMemcpyAsync(memory, &value, sizeof value, cudaMemcpyHostToDevice, stream), cudaSuccess);
    value = 8;  // copied aside at the call
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    EXPECT_EQ(seen, 1);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen, 7);
}

TEST_F(SimulatedDevice, ReadsPinnedMemoryWhenTheCopyIsDone) {
    void* pinned = nullptr;
    ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocDefault), cudaSuccess);
    auto& value = *static_cast<int*>(pinned);
    int seen = 0;
    value = 7;
    ASSERT_EQ(cudaMemcpyAsync(memory, pinned, sizeof value, cudaMemcpyHostToDevice, stream), cudaSuccess);
    value = 8;
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen, 8);
    cudaFreeHost(pinned);
}

TEST_F(SimulatedDevice, DoesNothingMoreOnceItIsLost) {
    int seen = 1;
    bool isCalled = false;
    cudaEvent_t event = nullptr;
    void* more = nullptr;
    std::size_t free = 0;
    std::size_t all = 0;
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaLaunchHostFunc(
                  stream, [](void* called) { *static_cast<bool*>(called) = true; }, &isCalled),
              cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    Device::get().lose();
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaEventQuery(event), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaEventSynchronize(event), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaMemsetAsync(memory, 0, kBytes, stream), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaMalloc(&more, kBytes), cudaErrorLaunchFailure) << "and not that there is no memory";
    EXPECT_EQ(cudaHostAlloc(&more, kBytes, cudaHostAllocDefault), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaMemGetInfo(&free, &all), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaFree(memory), cudaErrorLaunchFailure);
    EXPECT_EQ(cudaEventDestroy(event), cudaErrorLaunchFailure);
    EXPECT_EQ(seen, 1);
    EXPECT_FALSE(isCalled);
    EXPECT_EQ(faults(), "");
}

TEST_F(SimulatedDevice, KeepsTheHostOutOfItsMemory) {
    EXPECT_EXIT(static_cast<volatile char*>(memory)[0] = 1, ::testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(SimulatedDevice, GivesMemoryWithoutAValue) {
    float seen = 0;
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_TRUE(std::isnan(seen));
}

TEST_F(SimulatedDevice, FindsWritesPastTheEndOfABlock) {
    void* block = nullptr;
    ASSERT_EQ(cudaMalloc(&block, 100), cudaSuccess);
    ASSERT_EQ(cudaMemsetAsync(block, 0, 101, stream), cudaSuccess);
    ASSERT_EQ(cudaFree(block), cudaSuccess);
    EXPECT_NE(faults().find("outside of a block of 100 bytes"), std::string::npos) << faults();
}

TEST_F(SimulatedDevice, RefusesKernelsThatReadTheHost) {
    struct Arguments {
        const int* value;
    };
    const int value = 3;
    EXPECT_EQ(StreamLauncher(stream).enqueue(Arguments{&value}, "reader", [](const Arguments&) {}),
              cudaErrorIllegalAddress);
    EXPECT_NE(faults().find("reader with an address of the host"), std::string::npos) << faults();
    EXPECT_EQ(StreamLauncher(stream).enqueue(Arguments{static_cast<int*>(memory)}, "reader",
                                             [](const Arguments&) {}),
              cudaSuccess);
}

/// Bodies that add one where they may start before what is in front of them has ended.
struct AddArguments {
    int* value = nullptr;
};
template <bool kWaitsBefore, bool kWaitsAfter>
struct AddBody {
    using Arguments = AddArguments;
    struct Shared {};
    static cuda::Index blocks(const Arguments& /*a*/) { return 3; }
    template <class Block>
    static void run(Block& block, Shared& /*shared*/, const Arguments& a) {
        if (kWaitsBefore) block.waitForEarlier();
        if (a.value != nullptr) ++*a.value;
        if (kWaitsAfter) block.waitForEarlier();
    }
};

TEST_F(SimulatedDevice, RunsKernelsThatWaitForWhatIsInFrontOfThem) {
    const AddArguments arguments{static_cast<int*>(memory)};
    ASSERT_EQ(cudaMemsetAsync(memory, 0, kBytes, stream), cudaSuccess);
    ASSERT_EQ((StreamLauncher(stream).launch<AddBody<true, false>>(arguments)), cudaSuccess);
    int seen = 0;
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen, 3);
    EXPECT_EQ(faults(), "");
}

TEST_F(SimulatedDevice, FindsKernelsThatDoNotWait) {
    ASSERT_EQ((StreamLauncher(stream).launch<AddBody<false, false>>(AddArguments{})), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_NE(faults().find("did not wait for what was in front of it"), std::string::npos) << faults();
}

TEST_F(SimulatedDevice, KeepsKernelsThatStartEarlyOutOfItsMemory) {
    const auto run = [this](int computeCapability) {
        Options options;
        options.computeCapability = computeCapability;
        Device::get().restart(options);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cudaMalloc(&memory, kBytes);
        const AddArguments arguments{static_cast<int*>(memory)};
        static_cast<void>(StreamLauncher(stream).launch<AddBody<false, true>>(arguments));
        cudaStreamSynchronize(stream);
    };
    EXPECT_EXIT(run(90), ::testing::KilledBySignal(SIGSEGV), "");
    run(80);  // where none starts early
    EXPECT_EQ(faults(), "");
}

TEST_F(SimulatedDevice, SpoilsACaptureInWhichSomebodyWaits) {
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    EXPECT_NE(cudaStreamSynchronize(stream), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_EQ(graph, nullptr);
    EXPECT_NE(faults().find("cudaStreamSynchronize while a stream is captured"), std::string::npos);
}

TEST_F(SimulatedDevice, RefusesPageableMemoryInACapture) {
    const int value = 1;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    EXPECT_NE(cudaMemcpyAsync(memory, &value, sizeof value, cudaMemcpyHostToDevice, stream), cudaSuccess);
    cudaGraph_t graph = nullptr;
    EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
}

TEST_F(SimulatedDevice, RepeatsWhatWasCaptured) {
    const auto add = [&] {
        struct Arguments {
            int* value;
        };
        return StreamLauncher(stream).enqueue(Arguments{static_cast<int*>(memory)}, "add",
                                              [](const Arguments& a) { ++*a.value; });
    };
    ASSERT_EQ(cudaMemsetAsync(memory, 0, kBytes, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    ASSERT_EQ(add(), cudaSuccess);
    ASSERT_EQ(add(), cudaSuccess);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    for (int i = 0; i < 3; ++i) ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    int seen = 0;
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, sizeof seen, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen, 6) << "a capture itself does nothing";
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

/// A stream that joins a capture, and the work that both note in it.
class SimulatedBranches : public SimulatedDevice {
protected:
    void SetUp() override {
        SimulatedDevice::SetUp();
        ASSERT_EQ(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking), cudaSuccess);
        for (cudaEvent_t* event : {&fork, &join})
            ASSERT_EQ(cudaEventCreateWithFlags(event, cudaEventDisableTiming), cudaSuccess);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        ASSERT_EQ(cudaMemsetAsync(memory, 1, 1, stream), cudaSuccess);
        ASSERT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamWaitEvent(side, fork, 0), cudaSuccess);
        ASSERT_EQ(cudaMemsetAsync(memory, 2, 1, side), cudaSuccess);
        ASSERT_EQ(cudaMemsetAsync(memory, 3, 1, stream), cudaSuccess);
    }
    void TearDown() override {
        cudaEventDestroy(fork);
        cudaEventDestroy(join);
        cudaStreamDestroy(side);
        SimulatedDevice::TearDown();
    }
    cudaStream_t side = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
};

TEST_F(SimulatedBranches, RunInAnyOrderThatTheirEventsAllow) {
    ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << faults();
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);
    std::array<int, 4> seen{};
    for (int i = 0; i < 60; ++i) {
        char last = 0;
        ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
        ASSERT_EQ(cudaMemcpyAsync(&last, memory, 1, cudaMemcpyDeviceToHost, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        ++seen.at(static_cast<std::size_t>(last));
    }
    EXPECT_EQ(seen[1], 0) << "the fork comes before both branches";
    EXPECT_GT(seen[2], 5);
    EXPECT_GT(seen[3], 5);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

TEST_F(SimulatedBranches, MustComeBackBeforeTheCaptureEnds) {
    cudaGraph_t graph = nullptr;
    EXPECT_NE(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    EXPECT_NE(faults().find("before a stream that had joined it came back"), std::string::npos) << faults();
    // Neither is captured any more.
    EXPECT_EQ(cudaStreamSynchronize(side), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
}

TEST_F(SimulatedBranches, StartKernelsEarlyBehindOneOtherAlone) {
    const auto may = [](cudaStream_t on) {
        bool answer = false;
        EXPECT_EQ(cuda::mayStartEarly(on, answer), cudaSuccess);
        return answer;
    };
    const auto add = [this](cudaStream_t on) {
        return StreamLauncher(on).launch<AddBody<true, false>>(AddArguments{static_cast<int*>(memory)});
    };
    EXPECT_FALSE(may(stream)) << "behind something that is no kernel";
    ASSERT_EQ(add(stream), cudaSuccess);
    EXPECT_TRUE(may(stream));
    ASSERT_EQ(add(stream), cudaSuccess);
    ASSERT_EQ(add(side), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
    EXPECT_FALSE(may(stream)) << "behind a join";
    ASSERT_EQ(add(stream), cudaSuccess);
    EXPECT_TRUE(may(stream));
    EXPECT_EQ(faults(), "");
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << faults();
    EXPECT_TRUE(may(stream)) << "outside of a capture";
    cudaGraphDestroy(graph);
}

TEST_F(SimulatedBranches, FindKernelsThatStartEarlyBehindAJoin) {
    struct Arguments {
        void* memory;
    };
    ASSERT_EQ(cudaEventRecord(join, side), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream, join, 0), cudaSuccess);
    ASSERT_EQ(StreamLauncher(stream).enqueue(
                  Arguments{memory}, "joined", [](const Arguments&) {}, 1, true),
              cudaSuccess);
    EXPECT_NE(faults().find("joined starts early, and not behind one kernel alone"), std::string::npos)
        << faults();
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphDestroy(graph);
}

TEST_F(SimulatedDevice, WaitsForEventsOfOtherStreams) {
    cudaStream_t other = nullptr;
    cudaEvent_t event = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    ASSERT_EQ(cudaMemsetAsync(memory, 5, kBytes, other), cudaSuccess);
    ASSERT_EQ(cudaEventRecord(event, other), cudaSuccess);
    ASSERT_EQ(cudaStreamWaitEvent(stream, event, 0), cudaSuccess);
    char seen = 0;
    ASSERT_EQ(cudaMemcpyAsync(&seen, memory, 1, cudaMemcpyDeviceToHost, stream), cudaSuccess);
    ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(seen, 5);
    cudaEventDestroy(event);
    cudaStreamDestroy(other);
}

/// [rows, columns] as the library has it, column by column, with a gap between them.
struct Matrix {
    Matrix(int rowCount, int columnCount, int seed)
        : layout{CUDA_R_32F, static_cast<std::uint64_t>(rowCount), static_cast<std::uint64_t>(columnCount),
                 rowCount + 3},
          values(static_cast<std::size_t>(rowCount + 3) * static_cast<std::size_t>(columnCount)) {
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<float>((static_cast<int>(i) * 7 + seed) % 11 - 5);
    }
    [[nodiscard]] double at(std::int64_t row, std::int64_t column, bool transposed = false) const {
        return values[static_cast<std::size_t>(transposed ? row * layout.stride + column
                                                          : column * layout.stride + row)];
    }
    MatrixLayout layout;
    std::vector<float> values;
};

Product productOf(const Matrix& a, const Matrix& b, Matrix& d) {
    Product product;
    product.description.compute = CUBLAS_COMPUTE_32F;
    product.description.scale = CUDA_R_32F;
    product.a = a.layout;
    product.b = b.layout;
    product.d = d.layout;
    product.dataA = a.values.data();
    product.dataB = b.values.data();
    product.dataD = d.values.data();
    return product;
}

TEST(SimulatedProduct, IsThatOfItsDescription) {
    for (const bool turnsA : {false, true})
        for (const bool turnsB : {false, true})
            for (const float beta : {0.0F, 2.0F}) {
                const Matrix a(turnsA ? 17 : 9, turnsA ? 9 : 17, 1);
                const Matrix b(turnsB ? 21 : 17, turnsB ? 17 : 21, 2);
                Matrix d(9, 21, 3);
                const Matrix before = d;
                Product product = productOf(a, b, d);
                product.description.transposesA = turnsA ? CUBLAS_OP_T : CUBLAS_OP_N;
                product.description.transposesB = turnsB ? CUBLAS_OP_T : CUBLAS_OP_N;
                product.beta = beta;
                ASSERT_EQ(unsupported(product.description, a.layout, b.layout, d.layout, 90), nullptr);
                compute(product);
                for (int row = 0; row < 9; ++row)
                    for (int column = 0; column < 21; ++column) {
                        double sum = beta * before.at(row, column);
                        for (int k = 0; k < 17; ++k) sum += a.at(row, k, turnsA) * b.at(k, column, turnsB);
                        ASSERT_EQ(d.at(row, column), sum) << turnsA << turnsB << " " << row << " " << column;
                    }
            }
}

TEST(SimulatedProduct, MasksWithTheBitsThatReluWrote) {
    const Matrix a(5, 6, 1);
    const Matrix b(6, 4, 2);
    Matrix plain(5, 4, 0);
    Matrix rectified = plain;
    Matrix masked = plain;
    std::array<std::uint8_t, 64> bits{};
    Product product = productOf(a, b, plain);
    compute(product);
    product.description.mask = bits.data();
    product.description.maskStride = 128;
    product.description.epilogue = CUBLASLT_EPILOGUE_RELU_AUX;
    product.dataD = rectified.values.data();
    compute(product);
    product.alpha = -1;
    product.description.epilogue = CUBLASLT_EPILOGUE_DRELU;
    product.dataD = masked.values.data();
    compute(product);
    int passed = 0;
    for (int row = 0; row < 5; ++row)
        for (int column = 0; column < 4; ++column) {
            const double value = plain.at(row, column);
            EXPECT_EQ(rectified.at(row, column), std::max(value, 0.0));
            EXPECT_EQ(masked.at(row, column), value > 0 ? -value : 0);
            passed += value > 0 ? 1 : 0;
        }
    EXPECT_GT(passed, 0);
    EXPECT_LT(passed, 20);
}

TEST(SimulatedProduct, TakesWhatTheLibraryDocumentsAlone) {
    ProductDescription fp8;
    fp8.compute = CUBLAS_COMPUTE_32F;
    fp8.scale = CUDA_R_32F;
    fp8.transposesA = CUBLAS_OP_T;
    const auto layout = [](cudaDataType type, std::uint64_t rows, std::uint64_t columns) {
        return MatrixLayout{type, rows, columns, static_cast<std::int64_t>(rows)};
    };
    const MatrixLayout a = layout(CUDA_R_8F_E4M3, 32, 48);
    const MatrixLayout b = layout(CUDA_R_8F_E5M2, 32, 16);
    const MatrixLayout d = layout(CUDA_R_16BF, 48, 16);
    EXPECT_EQ(unsupported(fp8, a, b, d, 90), nullptr);
    EXPECT_NE(unsupported(fp8, a, b, d, 80), nullptr);
    EXPECT_NE(unsupported(fp8, layout(CUDA_R_8F_E5M2, 32, 48), b, d, 90), nullptr);
    EXPECT_NE(unsupported(fp8, layout(CUDA_R_8F_E4M3, 24, 48), layout(CUDA_R_8F_E4M3, 24, 16), d, 90),
              nullptr);
    fp8.transposesA = CUBLAS_OP_N;
    EXPECT_NE(unsupported(fp8, layout(CUDA_R_8F_E4M3, 48, 32), b, d, 90), nullptr);
    EXPECT_EQ(unsupported(fp8, layout(CUDA_R_8F_E4M3, 48, 32), b, d, 100), nullptr);
    ProductDescription relu;
    relu.compute = CUBLAS_COMPUTE_32F;
    relu.scale = CUDA_R_32F;
    relu.epilogue = CUBLASLT_EPILOGUE_RELU_AUX;
    EXPECT_NE(unsupported(relu, layout(CUDA_R_16BF, 8, 8), layout(CUDA_R_16BF, 8, 8),
                          layout(CUDA_R_16BF, 8, 8), 90),
              nullptr)
        << "no place for the mask";
}

}  // namespace
}  // namespace plumb::test::simulated
