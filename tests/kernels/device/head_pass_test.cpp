// SPDX-License-Identifier: Apache-2.0
// The pass over the head beside the four kernels that it is: element by element it has their bits, and its
// sums agree with theirs to rounding.
#include "core/plan/control_tensors.h"
#include "kernels/cuda/bodies/head_pass_body.h"
#include "tests/kernels/device/kernel_runner.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <random>
#include <string>

namespace plumb::test {
namespace {

using cuda::HeadArguments;
using cuda::HeadPassArguments;
using cuda::LossArguments;

struct HeadCase {
    Storage storage{};
    std::int64_t rows = 0;
    std::int64_t dim = 0;
    std::int64_t outputs = 1;
    bool relu = false;
    bool observed = false;
};
void PrintTo(const HeadCase& of, std::ostream* out) {
    *out << static_cast<int>(of.storage) << " " << of.rows << "x" << of.dim << "x" << of.outputs
         << (of.relu ? " relu" : "") << (of.observed ? " observed" : "");
}

constexpr std::int64_t kSlots = 4;  // h, weight, dy, gradient of h
constexpr double kLossScale = 64;

Storage gradientStorage(Storage storage) {
    if (storage == Storage::Tf32) return Storage::Fp32;
    return storage == Storage::Fp8E4M3 ? Storage::Fp8E5M2 : storage;
}

/// The tensors of a head in a runner's memory.
class Head {
public:
    Head(KernelRunner& runner, const HeadCase& of)
        : m_runner(runner),
          m_case(of),
          m_h(runner, encoded(of.storage, of.rows * of.dim, 1)),
          m_weight(runner, encoded(of.storage, of.dim * of.outputs, 2)),
          m_t(runner, numbers(of.rows * of.outputs, 3)),
          m_y(runner, static_cast<std::size_t>(of.rows * of.outputs)),
          m_dy(runner, static_cast<std::size_t>(of.rows * of.outputs * sizeOf(gradientStorage(of.storage)))),
          m_g(runner, static_cast<std::size_t>(of.rows * of.dim * sizeOf(gradientStorage(of.storage)))),
          m_result(runner, static_cast<std::size_t>(of.dim * of.outputs)),
          m_loss(runner, std::vector<double>(kLossColumns, 0)),
          m_lossScale(runner, std::vector<double>{kLossScale, 0, 0, 0, 0, 0}),
          m_statistics(runner, std::vector<double>(kSlots * kStatisticCount, 0)),
          m_scales(runner, scales()),
          m_room(runner, 4U << 20U) {}

    HeadArguments arguments() {
        HeadArguments head;
        head.h = {m_h.data(), m_case.storage, scaleAt(0)};
        head.weight = {m_weight.data(), m_case.storage, scaleAt(1)};
        head.y = m_y.data();
        head.dy = {m_dy.data(), readAs(), scaleAt(2)};
        head.result = {m_result.data(), Storage::Fp32, nullptr};
        head.partials = static_cast<float*>(m_room.partials());
        head.tickets = m_room.tickets();
        head.rows = m_case.rows;
        head.dim = m_case.dim;
        head.outputs = m_case.outputs;
        head.report = report(3);
        return head;
    }
    void runFour(bool accumulate) {
        HeadArguments head = arguments();
        head.accumulate = accumulate;
        ASSERT_EQ(m_runner.headForward(head), 0);
        LossArguments loss;
        loss.y = {m_y.data(), Storage::Fp32, nullptr};
        loss.t = m_t.data();
        loss.dy = {m_dy.data(), gradientStorage(m_case.storage), scaleAt(2)};
        loss.loss = m_loss.data();
        loss.accumulate = accumulate;
        loss.outputsOfStep = outputsOfStep();
        loss.count = m_case.rows * m_case.outputs;
        loss.report = report(2);
        loss.sums = m_room.sums();
        ASSERT_EQ(m_runner.loss(loss, false), 0);
        ASSERT_EQ(m_runner.headWeightGradient(head), 0);
        head.result = gradient();
        if (!m_case.relu) head.h.data = nullptr;
        ASSERT_EQ(m_runner.headInputGradient(head, false), 0);
    }
    void runPass(bool accumulate) {
        HeadPassArguments pass;
        pass.head = arguments();
        pass.head.accumulate = accumulate;
        pass.t = m_t.data();
        pass.inputGradient = gradient();
        pass.masks = m_case.relu;
        pass.loss = m_loss.data();
        pass.outputsOfStep = outputsOfStep();
        pass.dyReport = report(2);
        pass.sums = m_room.partials();
        const std::int64_t sums =
            cuda::headPassParts(m_case.rows, m_case.outputs).count * std::int64_t{kHeadPassSums};
        pass.head.partials = reinterpret_cast<float*>(static_cast<std::byte*>(m_room.partials()) + sums);
        ASSERT_EQ(m_runner.headPass(pass), 0);
    }
    [[nodiscard]] std::vector<float> y() const { return m_y.get(); }
    [[nodiscard]] std::vector<std::byte> dy() const { return m_dy.get(); }
    [[nodiscard]] std::vector<std::byte> g() const { return m_g.get(); }
    [[nodiscard]] std::vector<float> result() const { return m_result.get(); }
    [[nodiscard]] double loss() const { return m_loss.get()[kLossValue]; }
    [[nodiscard]] std::vector<double> statistics() const { return m_statistics.get(); }
    [[nodiscard]] std::vector<float> amaxes() const { return m_scales.get(); }
    [[nodiscard]] bool clean() const {
        return m_room.clean() && m_y.guarded() && m_dy.guarded() && m_g.guarded() && m_result.guarded();
    }

private:
    static std::vector<float> numbers(std::int64_t count, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> number(-1, 1);
        std::vector<float> values(static_cast<std::size_t>(count));
        for (float& value : values) value = number(random);
        return values;
    }
    static std::vector<unsigned char> encoded(Storage storage, std::int64_t count, std::uint32_t seed) {
        return ::plumb::test::Stored(storage, numbers(count, seed)).bytes();
    }
    static std::vector<float> scales() {
        std::vector<float> all(kSlots * kScalesColumns, 0);
        const std::array<float, kSlots> values{2, 4, 1024, 512};
        for (std::size_t slot = 0; slot < kSlots; ++slot) all[slot * kScalesColumns] = values[slot];
        return all;
    }
    [[nodiscard]] bool fp8() const { return m_case.storage == Storage::Fp8E4M3; }
    [[nodiscard]] Storage readAs() const {
        return m_case.storage == Storage::Tf32 ? Storage::Tf32 : gradientStorage(m_case.storage);
    }
    [[nodiscard]] double outputsOfStep() const {
        return static_cast<double>(2 * m_case.rows * m_case.outputs);
    }
    [[nodiscard]] const float* scaleAt(std::int64_t slot) const {
        return fp8() ? m_scales.data() + slot * kScalesColumns : nullptr;
    }
    [[nodiscard]] cuda::Stored gradient() const {
        return {m_g.data(), gradientStorage(m_case.storage), scaleAt(3)};
    }
    [[nodiscard]] cuda::Report report(std::int64_t slot) const {
        cuda::Report report;
        report.tally = m_case.observed || fp8();
        report.writesStatistics = m_case.observed;
        report.gradient = true;
        report.slot = slot;
        report.statistics = m_statistics.data();
        report.lossScale = m_case.storage == Storage::Fp16 ? m_lossScale.data() : nullptr;
        report.scales = fp8() ? m_scales.data() : nullptr;
        report.clock.step = 5;
        report.sums = {static_cast<std::byte*>(m_room.partials()) + (2U << 20U), m_room.sums().ticket};
        return report;
    }

    KernelRunner& m_runner;
    HeadCase m_case;
    DeviceArray<unsigned char> m_h, m_weight;
    DeviceArray<float> m_t, m_y;
    DeviceArray<std::byte> m_dy, m_g;
    DeviceArray<float> m_result;
    DeviceArray<double> m_loss, m_lossScale, m_statistics;
    DeviceArray<float> m_scales;
    SumRoom m_room;
};

class HeadPass : public OnRunner<::testing::TestWithParam<HeadCase>> {};

TEST_P(HeadPass, IsItsFourKernels) {
    Head four(runner(), GetParam());
    Head pass(runner(), GetParam());
    for (const bool accumulate : {false, true}) {
        four.runFour(accumulate);
        pass.runPass(accumulate);
    }
    EXPECT_EQ(pass.y(), four.y());
    EXPECT_EQ(pass.dy(), four.dy());
    EXPECT_EQ(pass.g(), four.g());
    EXPECT_EQ(pass.amaxes(), four.amaxes());
    EXPECT_NEAR(pass.loss(), four.loss(), 1e-12 * four.loss());
    const auto expected = four.result(), got = pass.result();
    float largest = 0;
    for (const float value : expected) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_NEAR(got[i], expected[i], 2e-6F * largest) << i;
    const auto seen = pass.statistics(), all = four.statistics();
    for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_NEAR(seen[i], all[i], 1e-12 * all[i]) << i;
    if (GetParam().observed) {
        EXPECT_GT(seen[3 * kStatisticCount], 0);
    }
    EXPECT_TRUE(pass.clean() && four.clean());
}

TEST_P(HeadPass, HasTheSameBitsInAnyOrderOfBlocks) {
    auto other = makeOtherOrder();
    if (other == nullptr) GTEST_SKIP() << "the order of blocks is the device's own";
    Head here(runner(), GetParam());
    Head there(*other, GetParam());
    here.runPass(false);
    there.runPass(false);
    EXPECT_EQ(here.result(), there.result());
    EXPECT_EQ(here.loss(), there.loss());
    EXPECT_EQ(here.statistics(), there.statistics());
}

std::vector<HeadCase> headCases() {
    std::vector<HeadCase> cases;
    for (const Storage storage :
         {Storage::Fp32, Storage::Tf32, Storage::Bf16, Storage::Fp16, Storage::Fp8E4M3})
        for (const bool observed : {false, true}) {
            cases.push_back({storage, 100, 64, 1, observed, observed});
            cases.push_back({storage, 8, 48, 4, !observed, observed});
            cases.push_back({storage, 13, 37, 3, true, observed});
        }
    cases.push_back(
        {Storage::Bf16, 2500, 16, 1, true, false});  // more rounds than parts, more parts than a set
    return cases;
}
INSTANTIATE_TEST_SUITE_P(Device, HeadPass, ::testing::ValuesIn(headCases()));

}  // namespace
}  // namespace plumb::test
