// SPDX-License-Identifier: Apache-2.0
#include "core/planner/nearest_input.h"

#include "core/base/nearest.h"
#include "core/planner/inputs.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

namespace plumb::planner {
namespace {

TEST(NearestInput, IsTheEndOfWhatIsTakenOrTheNextWholeNumber) {
    Scenario s;
    s.model = modelOfCount(70e9);
    EXPECT_EQ(nearestTaken(s, Input::Devices, "0"), 1);
    EXPECT_EQ(nearestTaken(s, Input::Devices, "1e300"), info(Input::Devices).most);
    EXPECT_EQ(nearestTaken(s, Input::Devices, "3.4"), 3);
    EXPECT_EQ(nearestTaken(s, Input::MatmulEfficiency, "150 %"), 1);
    // Taken as it is, no number, and a utilisation that was measured wrongly.
    for (const char* text : {"8", "many", "inf", ""})
        EXPECT_FALSE(nearestTaken(s, Input::Devices, text)) << text;
    EXPECT_FALSE(nearestTaken(s, Input::Mfu, "120 %"));
}

TEST(Inputs, ThatAreRefusedAreSaidWithTheirUnits) {
    Scenario s;
    s.model = modelOfCount(70e9);
    const auto refusal = [&](Input input, std::string_view text) {
        const Result<void> set = setInput(s, input, text);
        return set.has_value() ? std::string() : set.error().text();
    };
    EXPECT_EQ(refusal(Input::OpOverhead, "5"),
              "overhead of one operation cannot be 5 s (--op-overhead): give a number from 0 s to 1 s");
    EXPECT_TRUE(refusal(Input::NetworkBandwidth, "50").ends_with("give a number from 1 kB/s to 1 PB/s"))
        << refusal(Input::NetworkBandwidth, "50");
    EXPECT_TRUE(refusal(Input::MatmulEfficiency, "150 %").find("cannot be 150 %") != std::string::npos)
        << refusal(Input::MatmulEfficiency, "150 %");
    EXPECT_TRUE(
        refusal(Input::Devices, "2.5").find("cannot be 2.5 (--devices): give a whole number from 1") !=
        std::string::npos)
        << refusal(Input::Devices, "2.5");
    EXPECT_TRUE(refusal(Input::OpOverhead, "soon").ends_with("write it like 80, 80 s, 2.5 ms or 3 µs"))
        << "the field is in millionths";
}

TEST(NearestInput, AnswersWhereTheLayoutCannotBe) {
    Scenario s = scenarioOf("llama-3-8b", 64);
    s.parallel.tensor = 1;
    const Output asked = Output::MemoryPerDevice;
    ASSERT_TRUE(evaluate(asked, s).has_value());
    EXPECT_FALSE(nearestAnswered(s, Input::Tensor, asked)) << "it is answered";
    s.parallel.tensor = 7;
    ASSERT_FALSE(evaluate(asked, s).has_value());
    const std::optional<double> tensor = nearestAnswered(s, Input::Tensor, asked);
    ASSERT_TRUE(tensor.has_value());
    EXPECT_EQ(*tensor, 8);
    ASSERT_TRUE(setInput(s, Input::Tensor, *tensor).has_value());
    EXPECT_TRUE(evaluate(asked, s).has_value());
    s.parallel.tensor = 1000;
    const std::optional<double> far = nearestAnswered(s, Input::Tensor, asked);
    ASSERT_TRUE(far.has_value()) << "a power of two";
    ASSERT_TRUE(setInput(s, Input::Tensor, *far).has_value());
    EXPECT_TRUE(evaluate(asked, s).has_value());
}

TEST(NearestWord, StandsWhereTheSlipStood) {
    const Error asked{ErrorCode::BadInput, "unknown", didYouMean("gatee", {"gate", "up", "down"}, "none")};
    EXPECT_EQ(asMeant("q, gatee, up", asked), "q, gate, up");
    EXPECT_EQ(asMeant("q, gate", asked), "") << "it stands there already";
    EXPECT_EQ(asMeant("q", {ErrorCode::BadInput, "unknown", "give some of q, k"}), "");
    EXPECT_EQ(asMeant("x.tranpose(0, 1)", {ErrorCode::BadInput, "unknown", "did you mean .transpose?"}),
              "x.transpose(0, 1)");
}

}  // namespace
}  // namespace plumb::planner
