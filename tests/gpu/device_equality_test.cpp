// SPDX-License-Identifier: Apache-2.0
// The device against the same bodies on the processor: every bit, sums included.
#include "kernels/cuda/bodies/dispatch_parameters.h"
#include "tests/kernels/device/emulated_runner.h"
#include "tests/kernels/samples.h"

#include <gtest/gtest.h>

namespace plumb::test {
namespace {

TEST(DeviceEquality, OfACastOfManyPartsAndItsTallyIsInEveryBit) {
    const RunnerChoice choice = makeRunner();
    if (choice.runner == nullptr) GTEST_SKIP() << choice.reason;
    const std::vector<float> values = randomFloats(3000017, 3);
    const auto count = static_cast<std::int64_t>(values.size());
    cuda::EncodeArguments a;
    a.in.storage = common::Storage::Fp32;
    a.out.storage = common::Storage::Fp16;
    a.epilogue = cuda::Epilogue::Relu;
    a.rows = 1;
    a.columns = count;
    a.report.tally = a.report.writesStatistics = true;
    a.report.slot = 0;

    std::vector<float> in = values;
    std::vector<std::uint16_t> expected(values.size());
    std::vector<double> statistics(4, 0);
    std::vector<std::byte> partials(1U << 20U);
    std::uint32_t ticket = 0;
    cuda::EncodeArguments host = a;
    host.in.data = in.data();
    host.out.data = expected.data();
    host.report.statistics = statistics.data();
    host.report.sums = {partials.data(), &ticket};
    ASSERT_EQ(cuda::dispatchEncode(cuda::HostLauncher(), host, false), 0);

    DeviceArray<float> source(*choice.runner, values);
    DeviceArray<std::uint16_t> target(*choice.runner, values.size());
    DeviceArray<double> seen(*choice.runner, std::vector<double>(4, 0));
    const SumRoom room(*choice.runner);
    a.in.data = source.data();
    a.out.data = target.data();
    a.report.statistics = seen.data();
    a.report.sums = room.sums();
    ASSERT_EQ(choice.runner->encode(a, false), 0);
    EXPECT_TRUE(target.get() == expected);
    EXPECT_EQ(seen.get(), statistics);
}

}  // namespace
}  // namespace plumb::test
