// SPDX-License-Identifier: Apache-2.0
#include "core/base/shape_text.h"
#include "core/lab/layout_steps.h"
#include "tests/core/lab/chains.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <numeric>

namespace plumb::lab {
namespace {

using testing::HasSubstr;

std::string_view symbol(Sharing sharing) {
    return sharing == Sharing::Same ? "=" : sharing == Sharing::View ? "v" : "c";
}

/// Compares one chain with what tests/data/lab/make_layouts.py recorded. Returns the number of comparisons.
int compare(const nlohmann::json& recorded) {
    TensorLayout layout = tensor(recorded[0].get<Sizes>());
    int storage = 0;
    int compared = 0;
    for (const nlohmann::json& entry : recorded[1]) {
        const auto text = entry[0].get<std::string>();
        const auto steps = parsed(text);
        if (steps.size() != 1) {
            ADD_FAILURE() << text;
            return compared;
        }
        const auto applied = applyStep(layout, steps.front(), storage + 1);
        ++compared;
        const std::string where =
            shapeText(layout.shape) + " strides " + shapeText(layout.strides) + " " + text;
        if (entry.size() == 2) {
            EXPECT_FALSE(applied.has_value()) << where << " should fail with " << entry[1];
            if (!applied.has_value()) {
                EXPECT_EQ(applied.error().message, entry[1].get<std::string>()) << where;
            }
            continue;
        }
        EXPECT_TRUE(applied.has_value())
            << where << (applied.has_value() ? "" : ": " + applied.error().text());
        if (!applied.has_value()) return compared;
        EXPECT_EQ(applied->layout.shape, entry[1].get<Sizes>()) << where;
        EXPECT_EQ(applied->layout.strides, entry[2].get<Sizes>()) << where;
        EXPECT_EQ(applied->layout.offset, entry[3].get<std::int64_t>()) << where;
        EXPECT_EQ(applied->layout.storage, entry[4].get<int>()) << where;
        EXPECT_EQ(symbol(applied->sharing), entry[5].get<std::string>()) << where;
        layout = applied->layout;
        storage = std::max(storage, layout.storage);
    }
    return compared;
}

TEST(TensorLayout, RandomChainsOfStepsLieInMemoryAsInTorchAndFailInItsWords) {
    std::ifstream file(PLUMB_TEST_DATA "/lab/layouts.json");
    const nlohmann::json chains = nlohmann::json::parse(file);
    int compared = 0;
    for (const nlohmann::json& chain : chains) {
        compared += compare(chain);
    }
    EXPECT_GT(compared, 9000);
}

TEST(TensorLayout, ASecondEllipsisLeavesNoDimensionForAnIndex) {
    for (const char* steps : {"x[..., ..., 0]", "x[..., ..., 1:]", "x[..., None, ..., 0]"}) {
        const LayoutChain chain = chainOf({2, 3, 4}, steps);
        ASSERT_TRUE(chain.failure.has_value()) << steps;
        EXPECT_TRUE(chain.failure->message.starts_with("Dimension out of range")) << chain.failure->message;
    }
    EXPECT_EQ(chainOf({2, 3, 4}, "x[..., ..., 0]").failure->message,
              "Dimension out of range (expected to be in range of [-3, 2], but got 4)");
    EXPECT_FALSE(chainOf({2, 3, 4}, "x[..., ...]").failure.has_value());
}

TEST(TensorLayout, AViewThatCannotBeSaysSoInTorchsWordsAndWhy) {
    const LayoutChain chain = chainOf({2, 3}, "x.T.view(6)");
    ASSERT_EQ(chain.steps.size(), 1U);
    ASSERT_TRUE(chain.failure.has_value());
    EXPECT_EQ(chain.failure->message,
              "view size is not compatible with input tensor's size and stride (at least one dimension spans "
              "across two contiguous subspaces). Use .reshape(...) instead.");
    EXPECT_EQ(chain.failure->hint, "dimension 0 (stride 1) does not continue dimension 1 (size 2, stride 3): "
                                   "2 · 3 = 6");
    const LayoutChain copied = chainOf({2, 3}, "x.T.reshape(6)");
    ASSERT_EQ(copied.steps.size(), 2U);
    EXPECT_EQ(copied.steps[1].sharing, Sharing::Copy);
    EXPECT_EQ(copied.steps[1].elementsRead + copied.steps[1].elementsWritten, 12);
}

TEST(TensorLayout, EveryPositionIsTheAddressOfItsIndices) {
    for (const char* text :
         {"", "[1:, ::2]", ".transpose(0, 2)[1]", ".expand(2, 3, 4, 5)[:, 1]", "[:, None, -1]"}) {
        const TensorLayout layout = chainOf({3, 4, 5}, text).last();
        const auto positions = storagePositions(layout, 1000);
        ASSERT_EQ(positions.size(), static_cast<std::size_t>(layout.elements())) << text;
        for (std::size_t i = 0; i < positions.size(); ++i) {
            Sizes indices(layout.rank());
            auto rest = static_cast<std::int64_t>(i);
            for (std::size_t d = layout.rank(); d-- > 0; rest /= layout.shape[d])
                indices[d] = rest % layout.shape[d];
            const auto address = addressOf(layout, indices, Dtype::Bf16);
            ASSERT_TRUE(address.has_value());
            EXPECT_EQ(address->element, positions[i]) << text << ' ' << i;
            EXPECT_EQ(address->bytes, 2 * positions[i]);
            EXPECT_LT(positions[i], layout.storageElements);
        }
    }
}

TEST(TensorLayout, AnAddressIsWorkedOut) {
    const TensorLayout layout = chainOf({3, 4}, "[1:, ::2]").last();
    EXPECT_EQ(addressOf(layout, Sizes{1, -1}, Dtype::Bf16)->formula, "4 + 1·4 + 1·2 = 10; 10 · 2 B = 20 B");
    EXPECT_EQ(addressOf(layout, Sizes{1, -1}, Dtype::Fp4E2M1)->formula,
              "4 + 1·4 + 1·2 = 10; 10 · 0.5 B = 5 B");
    EXPECT_FALSE(addressOf(layout, Sizes{2, 0}, Dtype::Bf16).has_value());
    EXPECT_FALSE(addressOf(layout, Sizes{0}, Dtype::Bf16).has_value());
}

TEST(TensorLayout, ACopyCostsWhatItReadsAndWritesAndAViewNothing) {
    Machine machine;
    machine.name = "test";
    machine.bandwidthBytesPerSecond = 100;
    const auto lastCost = [&](std::string_view text, std::optional<double> bus = 10) {
        const LayoutChain chain = chainOf({4, 5}, text);
        EXPECT_FALSE(chain.failure.has_value()) << text;
        return copyCost(chain.steps.back(), Dtype::Bf16, machine, bus);
    };
    EXPECT_EQ(lastCost(".T").seconds, 0);
    EXPECT_EQ(lastCost(".clone()").bytes, 80);
    EXPECT_DOUBLE_EQ(*lastCost(".clone()").seconds, 0.8);
    // Four equal rows are read once.
    EXPECT_EQ(lastCost("[0].expand(4, -1).contiguous()").bytes, 2 * (5 + 20));
    EXPECT_EQ(lastCost(".contiguous()").bytes, 0);
    EXPECT_EQ(lastCost(".cuda()").bytes, 40);
    EXPECT_DOUBLE_EQ(*lastCost(".T.cuda()").seconds, 4);                 // dense: crosses as it is
    EXPECT_DOUBLE_EQ(*lastCost("[:, ::2].cuda()").seconds, 2.4 + 0.48);  // gathered first
    EXPECT_EQ(lastCost(".cuda().cuda()").bytes, 0);
    EXPECT_FALSE(lastCost(".cuda()", std::nullopt).seconds.has_value());
    EXPECT_THAT(lastCost(".cuda()", std::nullopt).formula,
                HasSubstr("between host and the GPU is not known"));
    EXPECT_EQ(chainOf({4, 5}, ".cuda().cpu()").last().storage, 2);
}

TEST(TensorLayout, StepsAreReadAsTorchWritesThem) {
    const auto steps =
        parsed("  weights[1:, ::2 , None, ..., -1] .transpose( dim0=0,dim1 = 1).view((2,-1)).T.to('cuda:0')");
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_EQ(steps[0].items.size(), 5U);
    EXPECT_EQ(steps[0].items[1].step, 2);
    EXPECT_EQ(steps[1].numbers, (Sizes{0, 1}));
    EXPECT_EQ(steps[1].text, ".transpose( dim0=0,dim1 = 1)");
    EXPECT_EQ(steps[2].numbers, (Sizes{2, -1}));
    EXPECT_EQ(steps[4].kind, StepKind::ToGpu);
    EXPECT_TRUE(parsed("").empty());
    EXPECT_TRUE(parsed("x").empty());
    for (const StepHelp& help : layoutSteps()) EXPECT_EQ(parsed(help.example).size(), 1U) << help.example;
}

TEST(TensorLayout, StepsThatCannotBeReadSayWhere) {
    const auto refused = [](std::string_view text, std::string_view says) {
        const auto steps = parseSteps(text);
        ASSERT_FALSE(steps.has_value()) << text;
        EXPECT_EQ(steps.error().code, ErrorCode::BadInput);
        EXPECT_THAT(steps.error().text(), HasSubstr(std::string(says))) << text;
    };
    refused("x.transpos(0,1)", "did you mean .transpose?");
    refused("x.transpose(0)", "lacks dim1");
    refused("x.transpose(0,1,2)", "it takes 2");
    refused("x.transpose(0,dim0=1)", "does not take dim0");
    refused("x.view(2", "close the brackets");
    refused("x.view()", "no arguments");
    refused("x.view(2.5)", "not whole");
    refused("x.view(99999999999999999999)", "too large");
    refused("x[1", "close the index");
    refused("x[]", "index with");
    refused("x[a]", "a name is unexpected at character 3");
    refused("x[[0, 1]]", "gathers into a copy");
    refused("x.T()", "no brackets");
    refused("x.contiguous", "brackets");
    refused("x.to(\"tpu\")", "takes a device");
    refused("x + y", "y is another tensor than x");
    refused("x[0] += x[1]", "a number belongs here");
    refused("2 * 3", "no tensor");
    refused("(2) * x", "no tensor");
    refused("(x * 2", "close the brackets");
    refused("x = 1", "has nothing to write into");
    refused("x.T += 1", "has nothing to write into");
    refused("x[0] += x", "a number belongs here");
    refused("x ? 1", "'?' is unexpected at character 3");
    refused("x.mul(two)", "two is another tensor than x");
    refused("x * 1e999", "fp64");
    refused(std::string(100, '(') + "x" + std::string(100, ')'), "too many brackets");
}

TEST(TensorLayout, SizesBeyondAllMemoryAreRefused) {
    EXPECT_FALSE(newTensor({std::int64_t{1} << 40, std::int64_t{1} << 40}).has_value());
    EXPECT_FALSE(newTensor({-1}).has_value());
    EXPECT_FALSE(newTensor(Sizes(65, 1)).has_value());
    for (const char* text : {".expand(4611686018427387904, 4, 5)", ".repeat(4611686018427387904, 4, 1)",
                             "[::9223372036854775807].view(4611686018427387904, 4611686018427387904)",
                             ".view(9223372036854775807, 9223372036854775807)"}) {
        const LayoutChain chain = chainOf({1, 4, 5}, text);
        EXPECT_TRUE(chain.failure.has_value()) << text;
    }
}

}  // namespace
}  // namespace plumb::lab
