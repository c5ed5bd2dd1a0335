// SPDX-License-Identifier: Apache-2.0
// Casts, masks, transposes and tallies of the device kernels, held by the definitions one number at a time.
#include "kernels/cpu/cpu_backend.h"
#include "tests/kernels/device/kernel_runner.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace plumb::test {
namespace {

using cuda::EncodeArguments;
using cuda::Epilogue;

constexpr std::array kNarrowest{1.0F, 0.25F, 3.0F};

std::vector<float> difficultFloats(std::int64_t count, std::uint32_t seed, float scale) {
    std::vector<float> values = randomFloats(count, seed);
    for (float& value : values) value *= scale;
    const std::array special{std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             -0.0F,
                             1e-42F,
                             -3e-8F,
                             65519.0F,
                             65520.0F,
                             464.0F,
                             465.0F,
                             -61440.0F,
                             0x1p-10F,
                             0x1.8p-10F};
    for (std::size_t i = 0; i < special.size() && i * 7 + 3 < values.size(); ++i)
        values[i * 7 + 3] = special[i];
    return values;
}

struct Bytes8 {
    std::vector<std::uint8_t> bytes;
    Storage storage = Storage::Fp32;
    [[nodiscard]] std::uint32_t bits(std::size_t i) const {
        std::uint32_t value = 0;
        std::memcpy(&value, bytes.data() + i * static_cast<std::size_t>(sizeOf(storage)),
                    static_cast<std::size_t>(sizeOf(storage)));
        return value;
    }
    [[nodiscard]] float value(std::size_t i) const { return decodeOne(storage, bits(i)); }
};
Bytes8 stored(Storage storage, const std::vector<float>& values, float scale = 1) {
    Bytes8 result{std::vector<std::uint8_t>(values.size() * static_cast<std::size_t>(sizeOf(storage))),
                  storage};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t bits = encodeOne(storage, values[i] * scale);
        std::memcpy(result.bytes.data() + i * static_cast<std::size_t>(sizeOf(storage)), &bits,
                    static_cast<std::size_t>(sizeOf(storage)));
    }
    return result;
}

struct EncodeCase {
    Storage source;
    Storage target;
    Epilogue epilogue;
    bool byBits = false;
    std::int64_t rows = 1;
    std::int64_t columns = 1;
};

/// Control tensors of one slot, in a runner's memory.
struct Controls {
    explicit Controls(KernelRunner& runner, float scale)
        : statistics(runner, std::vector<double>(4, 0)),
          lossScale(runner, std::vector<double>{1, 0, 0, 0, 0, 0}),
          scales(runner, std::vector<float>(17, 0)),
          room(runner) {
        std::vector<float> row(17, 0);
        row[0] = scale;
        scales.set(row);
    }
    [[nodiscard]] cuda::Report report(bool fp16, bool fp8) const {
        cuda::Report report;
        report.tally = report.writesStatistics = true;
        report.slot = 0;
        report.statistics = statistics.data();
        report.lossScale = fp16 ? lossScale.data() : nullptr;
        report.scales = fp8 ? scales.data() : nullptr;
        report.clock.step = 18;
        report.sums = room.sums();
        return report;
    }
    DeviceArray<double> statistics;
    DeviceArray<double> lossScale;
    DeviceArray<float> scales;
    SumRoom room;
};

class DeviceElements : public OnRunner<> {
protected:
    void check(const EncodeCase& c, std::uint32_t seed);
};

void DeviceElements::check(const EncodeCase& c, std::uint32_t seed) {
    const std::int64_t count = c.rows * c.columns;
    const auto n = static_cast<std::size_t>(count);
    const float scale = isFp8(c.target) ? kNarrowest[seed % kNarrowest.size()] : 1.0F;
    const Bytes8 in = stored(c.source, difficultFloats(count, seed, 30));
    const Bytes8 old = stored(c.target, randomFloats(count, seed + 1));
    const Storage maskStorage = maskOf(c.target);
    const Bytes8 mask = stored(maskStorage, difficultFloats(count, seed + 2, 1));
    const std::int64_t bitStride = (c.columns + 127) / 128 * 128;
    std::vector<std::uint32_t> bits(static_cast<std::size_t>(c.rows * bitStride / 32), 0);
    for (std::size_t i = 0; i < n; ++i)
        if (mask.value(i) > 0) {
            const auto row = static_cast<std::int64_t>(i) / c.columns;
            const auto column = static_cast<std::int64_t>(i) % c.columns;
            bits[static_cast<std::size_t>(row * bitStride / 32 + column / 32)] |= 1U << (column % 32);
        }

    // The definition.
    std::vector<float> expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        float v = in.value(i);
        if (c.epilogue == Epilogue::Relu) v = v < 0 ? 0.0F : v;
        if (c.epilogue == Epilogue::Mask) v = mask.value(i) > 0 ? v : 0.0F;
        if (c.epilogue == Epilogue::Add) v = v + old.value(i);
        expected[i] = v;
    }
    cpu::Tally tally;
    cpu::EncodeArguments reference;
    reference.in = expected.data();
    reference.count = count;
    reference.factor = scale;
    reference.tally = &tally;
    cpu::bestKernels().encode[static_cast<std::size_t>(c.target)][0](reference);

    DeviceArray<std::uint8_t> from(runner(), in.bytes);
    DeviceArray<std::uint8_t> to(runner(), old.bytes);
    DeviceArray<std::uint8_t> h(runner(), mask.bytes);
    DeviceArray<std::uint32_t> maskBits(runner(), bits);
    DeviceArray<std::uint32_t> written(runner(), bits.size());
    const Controls controls(runner(), scale);
    EncodeArguments a;
    a.in = {from.data(), c.source, nullptr};
    a.out = {to.data(), c.target, isFp8(c.target) ? controls.scales.data() : nullptr};
    a.epilogue = c.epilogue;
    if (c.epilogue == Epilogue::Mask && !c.byBits) a.mask = {h.data(), maskStorage, nullptr};
    if (c.epilogue == Epilogue::Mask && c.byBits) a.bits = maskBits.data();
    if (c.epilogue == Epilogue::Relu && c.byBits) a.writeBits = written.data();
    a.bitStride = bitStride;
    a.rows = c.rows;
    a.columns = c.columns;
    a.report = controls.report(c.target == Storage::Fp16, isFp8(c.target));
    ASSERT_EQ(runner().encode(a, false), 0);

    const Bytes8 got{to.get(), c.target};
    for (std::size_t i = 0; i < n; ++i) {
        // A device keeps no payload of a sum that is no number.
        if (c.epilogue == Epilogue::Add && std::isnan(expected[i])) {
            ASSERT_TRUE(std::isnan(got.value(i))) << "number " << i;
            continue;
        }
        ASSERT_EQ(got.bits(i), encodeOne(c.target, isFp8(c.target) ? expected[i] * scale : expected[i]))
            << "number " << i << ", " << expected[i];
    }
    if (a.writeBits != nullptr) {
        std::vector<std::uint32_t> positive(bits.size(), 0);
        for (std::size_t i = 0; i < n; ++i) {
            const auto row = static_cast<std::int64_t>(i) / c.columns;
            const auto column = static_cast<std::int64_t>(i) % c.columns;
            if (expected[i] > 0)
                positive[static_cast<std::size_t>(row * bitStride / 32 + column / 32)] |= 1U << (column % 32);
        }
        EXPECT_EQ(written.get(), positive);
    }
    EXPECT_TRUE(to.guarded() && written.guarded());
    EXPECT_TRUE(controls.room.clean());

    const auto seen = controls.statistics.get();
    if (std::isfinite(tally.squares)) {
        EXPECT_NEAR(seen[0], tally.squares, 1e-12 * tally.squares);
    } else {
        EXPECT_FALSE(std::isfinite(seen[0]));
    }
    if (std::isnan(tally.amax)) {
        EXPECT_TRUE(std::isnan(seen[1]));
    } else {
        EXPECT_EQ(seen[1], static_cast<double>(tally.amax));
    }
    EXPECT_EQ(seen[2], static_cast<double>(tally.overflowed));
    EXPECT_EQ(seen[3], static_cast<double>(tally.underflowed));
    EXPECT_EQ(controls.lossScale.get()[4], 0) << "gradients of parameters decide";
    if (isFp8(c.target)) {
        EXPECT_EQ(controls.scales.get()[1 + 18 % kAmaxHistory], std::isfinite(tally.amax) ? tally.amax : 0);
    }
}

constexpr std::array kTargets{Storage::Fp32, Storage::Bf16, Storage::Fp16, Storage::Fp8E4M3,
                              Storage::Fp8E5M2};
/// What is encoded: results of products, which are in bf16 where fp8 is made of them.
Storage sourceOf(Storage target) { return isFp8(target) ? Storage::Bf16 : target; }
constexpr std::array<std::array<std::int64_t, 2>, 6> kSizes{
    {{1, 1}, {3, 5}, {64, 64}, {37, 130}, {96, 256}, {129, 48}}};

TEST_F(DeviceElements, AreRoundedByTheDefinition) {
    std::uint32_t seed = 1;
    for (const Storage target : kTargets)
        for (const auto& [rows, columns] : kSizes)
            for (const Epilogue epilogue : {Epilogue::Plain, Epilogue::Relu, Epilogue::Mask, Epilogue::Add}) {
                if (epilogue == Epilogue::Add && isFp8(target)) continue;
                SCOPED_TRACE(testing::Message()
                             << int(target) << ", " << rows << " x " << columns << ", " << int(epilogue));
                check({sourceOf(target), target, epilogue, false, rows, columns}, ++seed);
            }
}

TEST_F(DeviceElements, AreMaskedByBits) {
    std::uint32_t seed = 100;
    for (const Storage target : kTargets)
        for (const auto& [rows, columns] : kSizes) {
            SCOPED_TRACE(testing::Message() << int(target) << ", " << rows << " x " << columns);
            check({sourceOf(target), target, Epilogue::Mask, true, rows, columns}, ++seed);
            if (!isFp8(target)) check({target, target, Epilogue::Relu, true, rows, columns}, ++seed);
        }
}

TEST_F(DeviceElements, OfManyPartsGiveTheSameBitsInAnyOrder) {
    const std::unique_ptr<KernelRunner> other = makeOtherOrder();
    if (other == nullptr) GTEST_SKIP() << "a device chooses the order of its blocks itself";
    const std::vector<float> values = randomFloats(100003, 3);
    const auto statisticsOf = [&](KernelRunner& some) {
        DeviceArray<float> in(some, values);
        DeviceArray<float> out(some, values.size());
        const Controls controls(some, 1);
        EncodeArguments a;
        a.in = {in.data(), Storage::Fp32, nullptr};
        a.out = {out.data(), Storage::Fp32, nullptr};
        a.rows = 1;
        a.columns = static_cast<std::int64_t>(values.size());
        a.report = controls.report(false, false);
        EXPECT_EQ(some.encode(a, false), 0);
        return std::pair{controls.statistics.get(), out.get()};
    };
    EXPECT_EQ(statisticsOf(runner()), statisticsOf(*other));
}

TEST_F(DeviceElements, OfAStoredTensorAreOnlyLookedAt) {
    for (const Storage storage : {Storage::Fp32, Storage::Bf16, Storage::Fp16}) {
        const Bytes8 in = stored(storage, randomFloats(5000, 11));
        DeviceArray<std::uint8_t> from(runner(), in.bytes);
        const Controls controls(runner(), 1);
        EncodeArguments a;
        a.in = {from.data(), storage, nullptr};
        a.out = {nullptr, storage, nullptr};
        a.rows = 50;
        a.columns = 100;
        a.report = controls.report(false, false);
        ASSERT_EQ(runner().encode(a, false), 0);
        double squares = 0;
        for (std::size_t i = 0; i < 5000; ++i) {
            const auto v = static_cast<double>(in.value(i));
            squares += v * v;
        }
        EXPECT_NEAR(controls.statistics.get()[0], squares, 1e-12 * squares);
        EXPECT_EQ(from.get(), in.bytes);
    }
}

TEST_F(DeviceElements, GetTheirFirstScaleOnce) {
    Bytes8 values = stored(Storage::Bf16, randomFloats(3000, 21));
    float largest = 0;
    for (std::size_t i = 0; i < 3000; ++i) largest = std::max(largest, std::abs(values.value(i)));
    DeviceArray<std::uint8_t> in(runner(), values.bytes);
    DeviceArray<std::uint8_t> out(runner(), 3000);
    const Controls controls(runner(), 0);
    EncodeArguments a;
    a.in = {in.data(), Storage::Bf16, nullptr};
    a.out = {out.data(), Storage::Fp8E5M2, controls.scales.data()};
    a.rows = 30;
    a.columns = 100;
    a.report = controls.report(false, true);
    ASSERT_EQ(runner().encode(a, true), 0);
    const std::vector<float> row = controls.scales.get();
    const float scale = 57344.0F / 256 / largest;
    EXPECT_EQ(row[0], std::ldexp(1.0F, std::ilogb(scale)));
    EXPECT_EQ(row[1 + 18 % kAmaxHistory], 0) << "the search is no part of the step";
    EXPECT_EQ(controls.statistics.get(), std::vector<double>(4, 0));
    // Another tensor does not change it.
    in.set(stored(Storage::Bf16, std::vector<float>(3000, 1e4F)).bytes);
    ASSERT_EQ(runner().encode(a, true), 0);
    EXPECT_EQ(controls.scales.get(), row);
    EXPECT_TRUE(controls.room.clean());
}

TEST_F(DeviceElements, OfBytesAreTransposed) {
    for (const auto& [rows, columns] : kSizes) {
        std::vector<std::uint8_t> values(static_cast<std::size_t>(rows * columns));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
        DeviceArray<std::uint8_t> in(runner(), values);
        DeviceArray<std::uint8_t> out(runner(), values.size());
        ASSERT_EQ(runner().transpose({{in.data(), out.data(), rows, columns}, {}}), 0);
        const auto turned = out.get();
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t column = 0; column < columns; ++column)
                ASSERT_EQ(turned[static_cast<std::size_t>(column * rows + row)],
                          values[static_cast<std::size_t>(row * columns + column)]);
        EXPECT_TRUE(out.guarded());
    }
}

TEST_F(DeviceElements, ThatDoNotGoTogetherAreRefused) {
    EncodeArguments a;
    a.in.storage = Storage::Fp8E4M3;
    a.out.storage = Storage::Bf16;
    a.rows = a.columns = 1;
    EXPECT_NE(runner().encode(a, false), 0) << "what is stored in 8 bits is not decoded here";
    a.in.storage = Storage::Fp32;
    EXPECT_NE(runner().encode(a, false), 0) << "no product asks for this cast";
    a.out.storage = Storage::Fp32;
    a.in.storage = Storage::Fp32;
    a.mask.storage = Storage::Bf16;
    a.epilogue = Epilogue::Mask;
    EXPECT_NE(runner().encode(a, false), 0) << "a mask of another type";
    a.in.storage = a.out.storage = Storage::Bf16;
    a.epilogue = Epilogue::Mask;
    a.mask.storage = Storage::Fp32;
    EXPECT_NE(runner().encode(a, false), 0) << "a mask of another type";
}

}  // namespace
}  // namespace plumb::test
