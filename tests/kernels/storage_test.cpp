// SPDX-License-Identifier: Apache-2.0
// Reading and writing of every storage type, at every instruction set that this processor has, against the
// definitions of core/base/dtype.h.
#include "core/base/dtype.h"
#include "kernels/cpu/kernels.h"
#include "tests/kernels/samples.h"
#include "tests/kernels/stored.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace plumb::cpu {
namespace {

using test::availableKernels;
using test::decodeOne;
using test::encodeOne;
using test::isFp8;
using test::maskOf;
using test::randomFloats;
using test::sizeOf;
using test::Stored;

const std::vector<std::int64_t> kRunLengths{0, 1, 3, 7, 8, 9, 15, 16, 17, 33, 511, 512, 513, 1040};
const std::vector<Storage> kAllStorages{Storage::Fp32, Storage::Tf32,    Storage::Bf16,
                                        Storage::Fp16, Storage::Fp8E4M3, Storage::Fp8E5M2};

/// Random bit patterns of fp32, and everything that is special about any of the formats.
std::vector<float> awkwardFloats() {
    std::vector<float> values;
    std::uint32_t bits = 777;
    for (int i = 0; i < 100000; ++i) {
        bits = bits * 1664525U + 1013904223U;
        values.push_back(std::bit_cast<float>(bits));
    }
    const auto around = [&](float value) {
        const auto at = std::bit_cast<std::uint32_t>(value);
        for (const std::uint32_t step : {at - 1, at, at + 1})
            for (const std::uint32_t sign : {0U, 0x80000000U})
                values.push_back(std::bit_cast<float>(step | sign));
    };
    for (const float value : {65504.0F, 65520.0F, 448.0F, 464.0F, 57344.0F, 61440.0F, 0x1p-24F, 0x1p-25F,
                              0x1p-14F, 0x1p-10F, 0x1p-9F, 0x1p-6F, 0x1p-17F, 0x1p-16F, 1.0F, 3.4e38F,
                              std::numeric_limits<float>::infinity(), std::numeric_limits<float>::min()})
        around(value);
    for (const std::uint32_t special : {0U, 0x80000000U, 1U, 0x7f800001U, 0xffc12345U, 0x7fffffffU})
        values.push_back(std::bit_cast<float>(special));
    return values;
}

class StorageTypes : public testing::TestWithParam<const Kernels*> {
protected:
    const Kernels& kernels = *GetParam();
    void decode(Storage storage, const void* in, float* out, std::int64_t count, float factor) const {
        kernels.decode[static_cast<int>(storage)](in, out, count, factor);
    }
    void encode(Storage storage, Epilogue epilogue, const EncodeArguments& arguments) const {
        kernels.encode[static_cast<int>(storage)][static_cast<int>(epilogue)](arguments);
    }
};
INSTANTIATE_TEST_SUITE_P(Cpu, StorageTypes, testing::ValuesIn(availableKernels()), [](const auto& parameter) {
    std::string name = parameter.param->name;
    std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
    return name;
});

TEST_P(StorageTypes, EveryCodeIsReadAsItsDefinitionSays) {
    for (const Storage storage : {Storage::Bf16, Storage::Fp16, Storage::Fp8E4M3, Storage::Fp8E5M2}) {
        const std::int64_t codes = std::int64_t{1} << (8 * sizeOf(storage));
        Stored all(storage, codes);
        for (std::int64_t c = 0; c < codes; ++c)
            all.set(static_cast<std::size_t>(c), static_cast<std::uint32_t>(c));
        std::vector<float> values(static_cast<std::size_t>(codes) + 1, -1.0F);
        decode(storage, all.data(), values.data(), codes, 1);
        for (std::size_t c = 0; c + 1 < values.size(); ++c) {
            // bf16 keeps a signalling NaN as it is; the others make it quiet. Bits decide.
            const auto expected =
                std::bit_cast<std::uint32_t>(decodeOne(storage, static_cast<std::uint32_t>(c)));
            ASSERT_EQ(std::bit_cast<std::uint32_t>(values[c]), expected)
                << "storage " << static_cast<int>(storage) << " code " << c;
        }
        EXPECT_EQ(values.back(), -1.0F);
    }
}

TEST_P(StorageTypes, Bf16HoldsEveryNumberOfFp8) {
    for (const Storage storage : kAllStorages) {
        const auto decodeToBf16 = kernels.decodeToBf16[static_cast<int>(storage)];
        ASSERT_EQ(decodeToBf16 != nullptr, isFp8(storage));
        if (!isFp8(storage)) continue;
        std::vector<std::uint8_t> codes;
        for (int code = 0; code < 1040; ++code) codes.push_back(static_cast<std::uint8_t>(code));
        std::vector<float> expected(codes.size());
        std::vector<std::uint16_t> narrow(codes.size());
        decode(storage, codes.data(), expected.data(), static_cast<std::int64_t>(codes.size()), 1);
        decodeToBf16(codes.data(), narrow.data(), static_cast<std::int64_t>(codes.size()));
        for (std::size_t i = 0; i < codes.size(); ++i) {
            const float value = floatFromBf16(narrow[i]);
            EXPECT_TRUE(std::isnan(expected[i]) ? std::isnan(value) : value == expected[i]) << i;
        }
    }
}

TEST_P(StorageTypes, AwkwardNumbersAreRoundedAsTheirDefinitionSays) {
    const auto values = awkwardFloats();
    for (const Storage storage : kAllStorages) {
        Stored out(storage, static_cast<std::int64_t>(values.size()));
        encode(storage, Epilogue::Plain,
               {values.data(), out.data(), nullptr, static_cast<std::int64_t>(values.size())});
        for (std::size_t i = 0; i < values.size(); ++i)
            ASSERT_EQ(out.bits(i), encodeOne(storage, values[i]))
                << "storage " << static_cast<int>(storage) << " of " << values[i];
        out.expectCanary();
    }
}

TEST_P(StorageTypes, Tf32IsRoundedWhenItIsRead) {
    auto values = awkwardFloats();
    std::vector<float> out(values.size());
    decode(Storage::Tf32, values.data(), out.data(), static_cast<std::int64_t>(values.size()), 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_EQ(std::bit_cast<std::uint32_t>(out[i]),
                  std::bit_cast<std::uint32_t>(tf32FromFloat(values[i])));
}

TEST_P(StorageTypes, AFactorScalesWhatIsReadAndWritten) {
    for (const Storage storage : kAllStorages)
        for (const std::int64_t count : kRunLengths) {
            const auto values = randomFloats(count, 3);
            Stored out(storage, count);
            encode(storage, Epilogue::Plain, {values.data(), out.data(), nullptr, count, 24.0F});
            std::vector<float> back(values.size() + 1, -1.0F);
            decode(storage, out.data(), back.data(), count, 0.3F);
            for (std::size_t i = 0; i < values.size(); ++i) {
                ASSERT_EQ(out.bits(i), encodeOne(storage, isFp8(storage) ? values[i] * 24.0F : values[i]));
                ASSERT_EQ(back[i], out.value(i) * 0.3F);
            }
            EXPECT_EQ(back.back(), -1.0F);
            out.expectCanary();
        }
}

TEST_P(StorageTypes, EpiloguesChangeTheNumberBeforeItIsRounded) {
    for (const Storage storage : kAllStorages)
        for (const std::int64_t count : kRunLengths)
            for (const bool tallied : {false, true}) {
                auto values = randomFloats(count, 4);
                auto activations = randomFloats(count, 5);
                if (count > 4) {
                    values[1] = -std::nanf("");
                    activations[2] = std::nanf("");
                    activations[3] = -0.0F;
                }
                const auto old = randomFloats(count, 6);
                Stored h(maskOf(storage), activations);
                Tally tally;
                EncodeArguments arguments{values.data(), nullptr, h.data(),
                                          count,         2.0F,    tallied ? &tally : nullptr};
                for (const Epilogue epilogue : {Epilogue::Relu, Epilogue::Mask, Epilogue::Add}) {
                    // Tf32 is never added to: parameter gradients are fp32 there.
                    if (epilogue == Epilogue::Add && storage == Storage::Tf32) continue;
                    Stored out(storage, old);
                    arguments.out = out.data();
                    encode(storage, epilogue, arguments);
                    for (std::size_t i = 0; i < values.size(); ++i) {
                        float v = values[i];
                        if (epilogue == Epilogue::Relu && v < 0) v = 0;
                        if (epilogue == Epilogue::Mask && !(h.value(i) > 0)) v = 0;
                        if (epilogue == Epilogue::Add) v += decodeOne(storage, encodeOne(storage, old[i]));
                        ASSERT_EQ(out.bits(i), encodeOne(storage, isFp8(storage) ? v * 2.0F : v))
                            << "storage " << static_cast<int>(storage) << " epilogue "
                            << static_cast<int>(epilogue) << " element " << i << " of " << count;
                    }
                    out.expectCanary();
                }
            }
}

TEST_P(StorageTypes, Fp32IsFinishedInPlace) {
    for (const std::int64_t count : kRunLengths)
        for (const bool tallied : {false, true})
            for (const Epilogue epilogue : {Epilogue::Plain, Epilogue::Relu, Epilogue::Mask}) {
                const auto before = randomFloats(count, 7);
                auto values = before;
                values.push_back(-7.0F);
                const auto h = randomFloats(count, 8);
                Tally tally;
                encode(Storage::Fp32, epilogue,
                       {values.data(), values.data(), h.data(), count, 1, tallied ? &tally : nullptr});
                double squares = 0;
                for (std::size_t i = 0; i < before.size(); ++i) {
                    float v = before[i];
                    if (epilogue == Epilogue::Relu && v < 0) v = 0;
                    if (epilogue == Epilogue::Mask && !(h[i] > 0)) v = 0;
                    ASSERT_EQ(values[i], v);
                    squares += static_cast<double>(v) * static_cast<double>(v);
                }
                EXPECT_EQ(values.back(), -7.0F);
                if (tallied) {
                    EXPECT_NEAR(tally.squares, squares, 1e-12 * (1 + squares));
                }
            }
}

TEST_P(StorageTypes, TheTallyCountsWhatDoesNotFit) {
    auto values = awkwardFloats();
    // Without what is not a number: that is a test of its own.
    std::erase_if(values, [](float v) { return !std::isfinite(v); });
    const auto count = static_cast<std::int64_t>(values.size());
    for (const Storage storage : kAllStorages)
        for (const float factor : {1.0F, 0.125F}) {
            Stored out(storage, count);
            Tally tally;
            encode(storage, Epilogue::Plain, {values.data(), out.data(), nullptr, count, factor, &tally});
            float largest = 0;
            std::int64_t overflowed = 0;
            std::int64_t underflowed = 0;
            double squares = 0;
            const bool counts = storage == Storage::Fp16 || isFp8(storage);
            for (std::size_t i = 0; i < values.size(); ++i) {
                const float scaled = isFp8(storage) ? values[i] * factor : values[i];
                largest = std::max(largest, std::fabs(values[i]));
                squares += static_cast<double>(values[i]) * static_cast<double>(values[i]);
                if (!counts) continue;
                const float stored = out.value(i);
                // Beyond the middle between the largest finite number and the one that would follow.
                const double border = storage == Storage::Fp16      ? 65519.999
                                      : storage == Storage::Fp8E4M3 ? 464.0
                                                                    : 61439.999;
                overflowed += std::fabs(static_cast<double>(scaled)) > border ? 1 : 0;
                underflowed += values[i] != 0 && stored == 0 ? 1 : 0;
            }
            EXPECT_EQ(tally.amax, largest);
            EXPECT_EQ(tally.overflowed, overflowed) << static_cast<int>(storage);
            EXPECT_EQ(tally.underflowed, underflowed) << static_cast<int>(storage);
            EXPECT_NEAR(tally.squares / squares, 1, 1e-12);
            if (counts) {
                EXPECT_GT(overflowed, 0);
                EXPECT_GT(underflowed, 0);
            }
        }
}

TEST_P(StorageTypes, TheTallyNoticesASingleNumberThatIsNone) {
    for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()})
        for (const Storage storage : kAllStorages)
            for (const std::size_t place : {std::size_t{0}, std::size_t{600}, std::size_t{1039}}) {
                auto values = randomFloats(1040, 9);
                values[place] = -bad;
                Stored out(storage, 1040);
                Tally tally;
                encode(storage, Epilogue::Relu, {values.data(), out.data(), nullptr, 1040, 1, &tally});
                if (std::isnan(bad)) {
                    EXPECT_TRUE(std::isnan(tally.amax));
                } else {
                    EXPECT_TRUE(std::isfinite(tally.amax)) << "the ReLU removes what is -infinite";
                }
                EXPECT_EQ(std::isnan(tally.squares), std::isnan(bad));
                if (storage == Storage::Fp16) {
                    EXPECT_EQ(tally.overflowed, std::isnan(bad) ? 1 : 0);
                }
            }
}

TEST(StorageTypesEverywhere, TalliesAreTheSameAtEveryInstructionSet) {
    const auto values = randomFloats(100003, 10);
    for (const Storage storage : kAllStorages) {
        Tally first;
        for (const Kernels* kernels : availableKernels()) {
            Stored out(storage, 100003);
            Tally tally;
            kernels->encode[static_cast<int>(storage)][0](
                {values.data(), out.data(), nullptr, 100003, 200.0F, &tally});
            if (kernels == availableKernels().front()) first = tally;
            EXPECT_EQ(tally.squares, first.squares) << kernels->name;
            EXPECT_EQ(tally.amax, first.amax) << kernels->name;
            EXPECT_EQ(tally.overflowed, first.overflowed) << kernels->name;
            EXPECT_EQ(tally.underflowed, first.underflowed) << kernels->name;
        }
    }
}

}  // namespace
}  // namespace plumb::cpu
