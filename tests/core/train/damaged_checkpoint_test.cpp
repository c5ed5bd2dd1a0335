// SPDX-License-Identifier: Apache-2.0
#include "core/train/training_checkpoint.h"
#include "tests/core/train/short_training.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>

namespace plumb {
namespace {

using testing::HasSubstr;

Dtype dtypeNamed(const std::string& name) {
    for (const Dtype dtype : {Dtype::Fp64, Dtype::Fp32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp8E4M3})
        if (safetensorsDtype(dtype) == name) return dtype;
    ADD_FAILURE() << "a checkpoint holds " << name;
    return Dtype::Fp32;
}

class DamagedCheckpoint : public testing::Test {
protected:
    DamagedCheckpoint() { trainAndKeep(smallConfig()); }

    /// From now on the checkpoint is that of 3 steps of `config`.
    void trainAndKeep(const RunConfig& config) {
        m_config = config;
        const std::string folder = m_folder.file(std::to_string(m_folder.entries()));
        EXPECT_EQ(errorOf(runTraining(config, 3, {folder, 0, 3})), "no error");
        m_path = folder + "/step-000003.safetensors";
        m_data.clear();
        m_tensors.clear();
        const auto file = SafetensorsFile::open(m_path);
        ASSERT_TRUE(file.has_value()) << file.error().text();
        m_metadata = file->metadata();
        for (const SafetensorsEntry& entry : file->tensors()) {
            m_data.push_back(*file->bytes(entry));
            m_tensors.push_back({entry.name, dtypeNamed(entry.dtype), entry.shape, {}});
        }
    }
    /// The refusal of the checkpoint after a change; "no error" when there is none.
    std::string afterChange(const std::function<void(std::vector<SafetensorsTensor>& tensors,
                                                     std::map<std::string, std::string>& metadata)>& change) {
        auto tensors = m_tensors;
        auto metadata = m_metadata;
        for (std::size_t i = 0; i < tensors.size(); ++i) tensors[i].bytes = m_data[i];
        change(tensors, metadata);
        // What these tests look at is behind the checksum.
        const auto sum = metadata.find("checksum");
        if (sum != metadata.end() && sum->second == m_metadata.at("checksum"))
            sum->second = checkpointChecksum(metadata, tensors);
        EXPECT_TRUE(writeSafetensors(m_path, tensors, metadata).has_value());
        const Outcome outcome = runTraining(m_config, 5, {}, m_path);
        if (!outcome.result.has_value()) {
            EXPECT_EQ(outcome.result.error().code, ErrorCode::BadInput);
            EXPECT_THAT(outcome.result.error().message, HasSubstr(m_path));
            EXPECT_FALSE(outcome.result.error().hint.empty());
        }
        return errorOf(outcome);
    }

    /// The refusal when the bits at `index` of the tensor `name` are those of `number`.
    template <class Number>
    std::string withNumber(const std::string& name, std::size_t index, Number number) {
        const auto found = std::find_if(m_tensors.begin(), m_tensors.end(),
                                        [&](const SafetensorsTensor& tensor) { return tensor.name == name; });
        if (found == m_tensors.end()) return "no tensor " + name;
        EXPECT_EQ(dtypeSize(found->dtype), static_cast<std::int64_t>(sizeof number)) << name;
        std::vector<std::byte>& data = m_data[static_cast<std::size_t>(found - m_tensors.begin())];
        if ((index + 1) * sizeof number > data.size()) return "no such index";
        const std::vector<std::byte> before = data;
        std::memcpy(data.data() + index * sizeof number, &number, sizeof number);
        const std::string refusal = afterChange([](auto&, auto&) {});
        data = before;
        return refusal;
    }

    TemporaryFolder m_folder;
    RunConfig m_config;
    std::string m_path;
    std::vector<std::vector<std::byte>> m_data;
    std::vector<SafetensorsTensor> m_tensors;
    std::map<std::string, std::string> m_metadata;
};

TEST_F(DamagedCheckpoint, IsRefusedWithTheReason) {
    using Tensors = std::vector<SafetensorsTensor>;
    using Metadata = std::map<std::string, std::string>;
    const auto withMetadata = [&](const std::string& key, const std::string& value) {
        return afterChange([&](Tensors&, Metadata& metadata) { metadata[key] = value; });
    };
    EXPECT_EQ(afterChange([](Tensors&, Metadata&) {}), "no error");
    EXPECT_THAT(withMetadata("format", "pt"), HasSubstr("no training of Plumbline"));
    EXPECT_THAT(afterChange([](Tensors&, Metadata& metadata) { metadata.clear(); }),
                HasSubstr("no training of Plumbline"));
    EXPECT_THAT(withMetadata("version", "3"),
                HasSubstr("is of version 3, and this program reads up to version 2"));
    for (const char* bad : {"", "-1", "1.5", "99999999999999999999", " 3", "3 ", "nan"})
        EXPECT_THAT(withMetadata("step", bad), HasSubstr("\"step\"")) << bad;
    EXPECT_THAT(withMetadata("step", "9223372036854775807"), HasSubstr("cannot be"));
    for (const char* bad : {"", "-1", "nan", "inf", "1e999"})
        EXPECT_THAT(withMetadata("training_seconds", bad), HasSubstr("\"training_seconds\"")) << bad;
    for (const char* bad : {"", "-1", "x", "1.5"})
        EXPECT_THAT(withMetadata("seed", bad), HasSubstr("no usable \"seed\"")) << bad;
    EXPECT_THAT(withMetadata("seed", "7"),
                HasSubstr("one \"seed\" in its metadata and another in its configuration (7 and 0)"));
    for (const char* key :
         {"version", "step", "seed", "program", "training_seconds", "config", "data", "checksum"})
        EXPECT_THAT(afterChange([&](Tensors&, Metadata& metadata) { metadata.erase(key); }),
                    HasSubstr(std::string("\"") + key + "\""));
    EXPECT_THAT(withMetadata("config", "{"), HasSubstr("truncated"));
    EXPECT_THAT(withMetadata("config", "[]"), HasSubstr("configuration"));
    EXPECT_THAT(withMetadata("config", R"({"dim":-3})"), HasSubstr("configuration"));
    EXPECT_THAT(withMetadata("config", std::string(100'000, '[')), HasSubstr("levels"));
    EXPECT_THAT(withMetadata("data", "{"), HasSubstr("truncated"));
    EXPECT_THAT(withMetadata("data", R"([{"option":7}])"), HasSubstr("[0].option is not a text"));
    EXPECT_THAT(withMetadata("config", "{}"), HasSubstr("another configuration (dim 256 there, 12 here)"));

    EXPECT_THAT(afterChange([](Tensors& tensors, Metadata&) { tensors.pop_back(); }),
                HasSubstr("lacks the tensor"));
    EXPECT_THAT(afterChange([](Tensors& tensors, Metadata&) { tensors[0].name = "layers.9.weight"; }),
                HasSubstr("lacks the tensor"));
    EXPECT_THAT(afterChange([](Tensors& tensors, Metadata&) {
                    tensors.push_back(tensors[0]);
                    tensors.back().name = "more";
                }),
                HasSubstr("does not have (\"more\")"));
    EXPECT_THAT(afterChange([](Tensors& tensors, Metadata&) {
                    tensors[0].dtype = Dtype::Bf16;
                    tensors[0].shape = {tensors[0].shape[0] * 2, tensors[0].shape[1]};
                }),
                HasSubstr("as BF16 [24, 12] instead of F32 [12, 12]"));
    EXPECT_THAT(afterChange([](Tensors& tensors, Metadata&) {
                    tensors[0].shape = {tensors[0].shape[0] * tensors[0].shape[1]};
                }),
                HasSubstr("as F32 [144] instead of F32 [12, 12]"));
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr float kNanF = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinityF = std::numeric_limits<float>::infinity();

TEST_F(DamagedCheckpoint, NumbersThatAreNotFiniteAreRefusedByTensorAndPlace) {
    const std::string moment = "optimizer.layers.1.weight.exp_avg";
    EXPECT_THAT(withNumber("layers.0.weight", 0, kNanF),
                HasSubstr("not finite in layers.0.weight, row 0, column 0 (nan): resume from another one"));
    EXPECT_THAT(withNumber("head.weight", 23, -kInfinityF),
                HasSubstr("not finite in head.weight, row 11, column 1 (-inf)"));
    EXPECT_THAT(withNumber(moment, 14, kInfinityF), HasSubstr(moment + ", row 1, column 2 (inf)"));
    EXPECT_THAT(withNumber("layers.0.weight", 5, std::uint32_t{0xff800001}), HasSubstr("not finite"));
    for (const float good : {0.0F, -0.0F, -1.5F, 1e-45F, std::numeric_limits<float>::max(),
                             std::numeric_limits<float>::lowest()})
        EXPECT_THAT(withNumber(moment, 3, good), testing::Not(HasSubstr("checkpoint"))) << good;
}

TEST_F(DamagedCheckpoint, NegativeSquaresAreRefused) {
    const std::string squares = "optimizer.layers.1.weight.exp_avg_sq";
    EXPECT_THAT(withNumber(squares, 12, -1e-30F),
                HasSubstr("a negative mean of squares in " + squares + ", row 1, column 0 (-1e-30)"));
    EXPECT_THAT(withNumber(squares, 12, kNanF), HasSubstr("not finite in " + squares));
    EXPECT_EQ(withNumber(squares, 12, -0.0F), "no error");
}

TEST_F(DamagedCheckpoint, NumbersBeyondTheFirstBlockAreSeen) {
    RunConfig config = smallConfig();
    config.dim = 70;  // 4900 numbers: a whole block and a part of one
    trainAndKeep(config);
    for (const std::size_t index : {4095U, 4096U, 4899U})
        EXPECT_THAT(withNumber("layers.2.weight", index, kNanF),
                    HasSubstr("row " + std::to_string(index / 70) + ", column " + std::to_string(index % 70) +
                              " (nan)"));
}

TEST_F(DamagedCheckpoint, EveryRecipeKnowsWhatIsNotFinite) {
    RunConfig config = smallConfig();
    config.precision = Precision::Bf16;
    config.masterWeights = true;
    trainAndKeep(config);
    EXPECT_EQ(withNumber("head.weight", 3, std::uint16_t{0xbf80}), "no error");
    for (const std::uint16_t bits : std::array<std::uint16_t, 4>{0x7f80, 0xff80, 0x7fc0, 0xffff})
        EXPECT_THAT(withNumber("head.weight", 3, bits), HasSubstr("not finite in head.weight")) << bits;
    EXPECT_THAT(withNumber("master.head.weight", 3, kNanF), HasSubstr("not finite in master.head.weight"));

    config.precision = Precision::Fp16;
    trainAndKeep(config);
    EXPECT_EQ(withNumber("head.weight", 3, std::uint16_t{0xbc00}), "no error");
    for (const std::uint16_t bits : std::array<std::uint16_t, 4>{0x7c00, 0xfc00, 0x7e00, 0xffff})
        EXPECT_THAT(withNumber("head.weight", 3, bits), HasSubstr("not finite in head.weight")) << bits;

    config.precision = Precision::Fp8;
    trainAndKeep(config);
    for (const std::uint8_t bits : std::array<std::uint8_t, 4>{0x00, 0x38, 0x7e, 0xfe})
        EXPECT_EQ(withNumber("head.weight", 3, bits), "no error") << int{bits};
    for (const std::uint8_t bits : std::array<std::uint8_t, 2>{0x7f, 0xff})
        EXPECT_THAT(withNumber("head.weight", 3, bits), HasSubstr("not finite in head.weight")) << int{bits};
}

TEST_F(DamagedCheckpoint, LossScalesThatNoTrainingLeavesAreRefused) {
    RunConfig config = smallConfig();
    config.precision = Precision::Fp16;
    config.lossScaling.interval = 3;  // so that the tracker is at 0 after three good steps
    trainAndKeep(config);
    const auto refusal = [&](std::size_t column, double value) {
        return withNumber("loss_scale", column, value);
    };
    for (const double scale : {kNan, kInfinity, -kInfinity, 0.0, -1.0})
        EXPECT_THAT(refusal(0, scale), HasSubstr("unusable loss scale in loss_scale (")) << scale;
    EXPECT_THAT(refusal(0, -1), HasSubstr("(-1): resume from another one"));
    EXPECT_EQ(refusal(0, 1024), "no error");
    for (const double tracker : {kNan, kInfinity, -1.0, 0.5, 3.0})
        EXPECT_THAT(refusal(1, tracker), HasSubstr("unusable growth tracker in loss_scale (")) << tracker;
    for (const double count : {kNan, kInfinity, -1.0, 0.5, 4.0, 1e300}) {
        EXPECT_THAT(refusal(2, count), HasSubstr("unusable count of skipped steps in loss_scale (")) << count;
        EXPECT_THAT(refusal(3, count), HasSubstr("unusable count of good steps in loss_scale (")) << count;
    }
    for (const double mark : {kNan, 1.0, -1.0}) {
        EXPECT_THAT(refusal(4, mark), HasSubstr("unusable mark of numbers that are not finite")) << mark;
        EXPECT_THAT(refusal(5, mark), HasSubstr("unusable reserved number")) << mark;
    }
    // Both are possible on their own, but not with each other: one step is in neither count, or in both.
    const auto file = SafetensorsFile::open(m_path);
    ASSERT_TRUE(file.has_value());
    double good = 0;
    std::memcpy(&good, file->bytes(*file->find("loss_scale"))->data() + 3 * sizeof good, sizeof good);
    EXPECT_THAT(refusal(3, good > 0 ? good - 1 : good + 1), HasSubstr("counts other steps in loss_scale"));
}

TEST_F(DamagedCheckpoint, ScalesOfFp8ThatNoTrainingLeavesAreRefused) {
    RunConfig config = smallConfig();
    config.precision = Precision::Fp8;
    trainAndKeep(config);
    constexpr std::size_t kColumns = 1 + kAmaxHistory;
    const auto slots = {
        statisticsSlot(config, TensorRole::Features, 0), statisticsSlot(config, TensorRole::Activation, 2),
        statisticsSlot(config, TensorRole::Weight, 4), statisticsSlot(config, TensorRole::HeadGradient, 4)};
    for (const std::int64_t slot : slots) {
        const auto row = static_cast<std::size_t>(slot);
        const std::string place = "in scales, row " + std::to_string(row) + ", column ";
        for (const float scale : {kNanF, kInfinityF, -kInfinityF, 0.0F, -2.0F})
            EXPECT_THAT(withNumber("scales", row * kColumns, scale),
                        HasSubstr("unusable scale " + place + "0 ("))
                << scale;
        for (const float largest : {kNanF, kInfinityF, -1.0F})
            EXPECT_THAT(withNumber("scales", row * kColumns + 16, largest),
                        HasSubstr("unusable largest magnitude " + place + "16 ("))
                << largest;
    }
    // Gradients of the parameters are not stored in fp8: they need no scale, but a negative one is damage.
    const auto gradient =
        static_cast<std::size_t>(statisticsSlot(config, TensorRole::Gradient, 1)) * kColumns;
    EXPECT_EQ(withNumber("scales", gradient, 0.0F), "no error");
    EXPECT_THAT(withNumber("scales", gradient, -1.0F), HasSubstr("unusable scale"));
}

TEST_F(DamagedCheckpoint, EveryFlippedBitOfTheDataIsRefused) {
    const std::string whole = getFile(m_path);
    const auto file = SafetensorsFile::open(m_path);
    ASSERT_TRUE(file.has_value());
    const std::size_t data = whole.size() - static_cast<std::size_t>(file->tensors().back().end);
    for (std::size_t place = data; place < whole.size(); place += 97) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ (1 << (place % 8)));
        putFile(m_path, damaged);
        EXPECT_THAT(errorOf(runTraining(m_config, 5, {}, m_path)), HasSubstr(m_path)) << place;
    }
    std::string damaged = whole;
    damaged[whole.size() - 4] = static_cast<char>(damaged[whole.size() - 4] ^ 1);
    putFile(m_path, damaged);
    EXPECT_THAT(errorOf(runTraining(m_config, 5, {}, m_path)),
                HasSubstr("is damaged: its content has the checksum"));
}

TEST_F(DamagedCheckpoint, ChangedMetadataIsRefused) {
    const std::string before = R"("training_seconds":")";
    std::string text = getFile(m_path);
    const std::size_t place = text.find(before) + before.size();
    ASSERT_LT(place, text.size());
    text[place] = text[place] == '0' ? '1' : '0';
    putFile(m_path, text);
    EXPECT_THAT(errorOf(runTraining(m_config, 5, {}, m_path)), HasSubstr("checksum"));
}

TEST_F(DamagedCheckpoint, OfTheFirstVersionIsReadWithoutAChecksum) {
    EXPECT_EQ(afterChange([](auto&, auto& metadata) {
                  metadata["version"] = "1";
                  metadata.erase("checksum");
                  metadata.erase("data");
              }),
              "no error");
}

TEST_F(DamagedCheckpoint, EveryTruncationIsRefused) {
    const std::string whole = getFile(m_path);
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 16) {
        putFile(m_path, whole.substr(0, size));
        const auto checkpoint = TrainingCheckpoint::open(m_path);
        ASSERT_FALSE(checkpoint.has_value()) << size;
        EXPECT_THAT(checkpoint.error().message, HasSubstr(m_path));
    }
}

}  // namespace
}  // namespace plumb
