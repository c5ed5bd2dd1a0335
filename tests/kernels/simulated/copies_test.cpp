// SPDX-License-Identifier: Apache-2.0
// What a calibration finds of copies, and what it says where there is nothing to find.
#include "core/machine/copy_rates.h"
#include "core/machine/machine.h"
#include "kernels/cuda/copy_survey.h"
#include "tests/kernels/simulated/gpu.h"
#include "tests/kernels/simulated/simulated_fixture.h"

#include <cuda_runtime_api.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stop_token>
#include <utility>
#include <vector>

namespace plumb::test::simulated {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr cuda::CopySurvey kSmall{Bytes{4} << 20, 3};

class SimulatedCopies : public ::testing::Test {
protected:
    void TearDown() override {
        EXPECT_THAT(Device::get().peers(), IsEmpty()) << "peer access that was given and not taken back";
        checkGpu();
    }
    static CopyRates survey(const Options& options, int card = 0, const cuda::CopySurvey& what = kSmall) {
        Device::get().restart(options);
        auto rates = cuda::surveyCopies(card, identities(), what, {});
        EXPECT_TRUE(rates.has_value()) << rates.error().text();
        return rates.has_value() ? *std::move(rates) : CopyRates();
    }
    /// Every way to copy has its rate, or says in a sentence's words why not.
    static void expectToldInFull(const CopyRates& rates) {
        for (const CopyRate& rate : rates.rates) {
            EXPECT_NE(rate.bytesPerSecond.has_value(), !rate.absent.empty());
            EXPECT_EQ(rate.absent.find('\n'), std::string::npos);
        }
    }
};

TEST_F(SimulatedCopies, HaveTheRatesOfTheirPaths) {
    Options options;
    options.copies = {5e10, 4e10, 8e9, 6e9, 2e10, 1e10};
    for (const Pace pace : {Pace::Late, Pace::AtOnce, Pace::Random}) {
        options.pace = pace;
        const CopyRates found = survey(options);
        EXPECT_EQ(found.bytes, kSmall.bytes);
        EXPECT_EQ(found.copies, kSmall.copies);
        ASSERT_EQ(found.rates.size(), 4U);
        const std::pair<CopyPath, double> expected[]{{CopyPath::HostToDevice, 5e10},
                                                     {CopyPath::DeviceToHost, 4e10},
                                                     {CopyPath::PageableToDevice, 8e9},
                                                     {CopyPath::DeviceToPageable, 6e9}};
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(found.rates[i].path, expected[i].first);
            // The simulated device takes 1 µs more for each copy.
            EXPECT_NEAR(found.rates[i].bytesPerSecond.value_or(0), expected[i].second,
                        0.03 * expected[i].second);
        }
        EXPECT_EQ(found.cardsAbsent, "one card is visible, and that takes two");
        TearDown();
    }
}

TEST_F(SimulatedCopies, GoBetweenEveryTwoCardsWithPeerAccess) {
    Options options;
    options.cards = 3;
    options.copies.peers = 4e10;
    options.copies.withoutPeerAccess = 1e10;
    const CopyRates found = survey(options, 1);
    EXPECT_THAT(found.cardsAbsent, IsEmpty());
    ASSERT_EQ(found.rates.size(), 4U + 6U);
    const std::pair<int, int> pairs[]{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}};
    for (std::size_t i = 0; i < 6; ++i) {
        const CopyRate& rate = found.rates[4 + i];
        EXPECT_EQ(std::pair(rate.from.value_or(-1), rate.to.value_or(-1)), pairs[i]);
        EXPECT_THAT(rate.detour, IsEmpty());
        EXPECT_NEAR(rate.bytesPerSecond.value_or(0), 4e10, 0.03 * 4e10);
    }
}

TEST_F(SimulatedCopies, SayWhyPeerAccessWasRefused) {
    for (const PeerOffer offer : {PeerOffer::NotOffered, PeerOffer::Refused}) {
        Options options;
        options.cards = 2;
        options.peerOffer = offer;
        options.copies.withoutPeerAccess = 1e10;
        const CopyRates found = survey(options);
        ASSERT_EQ(found.rates.size(), 4U + 2U);
        for (const CopyRate& rate : {found.rates[4], found.rates[5]}) {
            EXPECT_THAT(rate.detour, HasSubstr(offer == PeerOffer::NotOffered ? "offers none" : "refused"));
            EXPECT_NEAR(rate.bytesPerSecond.value_or(0), 1e10, 0.03 * 1e10);
        }
        Machine machine;
        machine.copies = found;
        const std::vector<CopyLine> lines = copyLines(machine);
        EXPECT_EQ(lines.back().label, "card 1 to card 0");
        EXPECT_THAT(lines.back().value, HasSubstr("GB/s, without peer access: "));
        TearDown();
    }
}

TEST_F(SimulatedCopies, ThatFailAreAbsentWithTheReasonAndLoseNoOther) {
    Options options;
    options.cards = 2;
    constexpr cuda::CopySurvey kTiny{Bytes{64} << 10, 3};
    survey(options, 0, kTiny);
    const std::int64_t calls = Device::get().calls();
    std::size_t absent = 0;
    for (options.failingCall = 1; options.failingCall <= calls; ++options.failingCall) {
        const CopyRates found = survey(options, 0, kTiny);
        expectToldInFull(found);
        ASSERT_EQ(found.rates.size(), 4U + 2U);
        const auto missing = std::ranges::count_if(
            found.rates, [](const CopyRate& rate) { return !rate.bytesPerSecond.has_value(); });
        EXPECT_LE(missing, 1) << "call " << options.failingCall;
        absent += static_cast<std::size_t>(missing);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a failure that was left to the next launch";
        TearDown();
    }
    // All but the calls that ask for peer access, which the copies do without.
    EXPECT_EQ(absent + 8, static_cast<std::size_t>(calls));

    // The loss of the card is none of a rate.
    options.failingCall = 1;
    options.isLoss = true;
    Device::get().restart(options);
    const auto lost = cuda::surveyCopies(0, identities(), kSmall, {});
    ASSERT_FALSE(lost.has_value());
    EXPECT_EQ(lost.error().code, ErrorCode::DeviceLost) << lost.error().text();
}

TEST_F(SimulatedCopies, AreStopped) {
    Device::get().restart({});
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = cuda::surveyCopies(0, identities(), kSmall, stop.get_token());
    ASSERT_FALSE(stopped.has_value());
    EXPECT_THAT(stopped.error().message, HasSubstr("stopped"));
}

}  // namespace
}  // namespace plumb::test::simulated
