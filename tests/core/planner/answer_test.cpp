// SPDX-License-Identifier: Apache-2.0
#include "core/planner/answer.h"

#include "core/base/number_style.h"
#include "core/base/quantity.h"
#include "core/machine/hardware_database.h"
#include "core/planner/scaling.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace plumb::planner {
namespace {

/// A scenario in which everything can be asked.
Scenario whole(std::string_view model) {
    Scenario s = scenarioOf(model, 64);
    s.workload.tokens = 2e12;
    s.workload.tokensPerSecond = 1e3;
    s.workload.budgetFlops = 1e21;
    return s;
}

TEST(Answers, AllHaveOrderedRangesAndAnExplanation) {
    for (const char* model : {"gpt2-xl", "llama-3-8b", "deepseek-v3"}) {
        const Scenario s = whole(model);
        for (const Output output : kEnumerators<Output>) {
            if (isOfScaling(output) && s.model.transformer()->experts) continue;  // laws of dense models
            const auto result = answer(output, s);
            ASSERT_TRUE(result.has_value()) << info(output).key << ": " << result.error().text();
            EXPECT_LE(result->value.low, result->value.expected) << info(output).key;
            EXPECT_LE(result->value.expected, result->value.high) << info(output).key;
            const bool isRoom = output == Output::LargestRequests || output == Output::LongestContext;
            if (!isRoom) {  // there may be none
                EXPECT_GT(result->value.low, 0) << info(output).key;
            }
            EXPECT_EQ(result->value.expected, *evaluate(output, s)) << info(output).key;
            EXPECT_FALSE(result->explanation.formula.empty()) << info(output).key;
            EXPECT_NE(result->explanation.withNumbers.find(" = "), std::string::npos) << info(output).key;
            EXPECT_FALSE(result->explanation.terms.empty()) << info(output).key;
            for (const Term& term : result->explanation.terms)
                EXPECT_FALSE(term.source.empty()) << info(output).key << ": " << term.symbol;
        }
    }
}

/// "990 TFLOP/s" and the like in base units; shares as shares. A formula's own constants have no unit or one
/// of their own ("3.6e6 J/kWh"), which is what they are divided by.
double numberIn(const std::string& text) {
    for (const char* unit : {"$/kWh", "$/h", "$"})
        if (const auto number = parseQuantity(text, unit); text.starts_with('$') && number.has_value())
            return *number;
    for (const auto& [unit, factor] :
         {std::pair{" %", 0.01}, std::pair{" t", 1e3}, std::pair{" kt", 1e6}, std::pair{" Mt", 1e9},
          std::pair{" Wh", 3600.0}, std::pair{" kWh", 3.6e6}, std::pair{" MWh", 3.6e9},
          std::pair{" GWh", 3.6e12}, std::pair{" TWh", 3.6e15}, std::pair{" J/kWh", 1.0},
          std::pair{" kg/kWh", 1.0}, std::pair{" d", 1.0}, std::pair{" h", 1.0}, std::pair{" min", 60.0}})
        if (text.ends_with(unit)) {
            const auto number =
                parseQuantity(text.substr(0, text.size() - std::string_view(unit).size()), "");
            return number.has_value() ? *number * factor : std::nan("");
        }
    for (const char* unit : {"FLOP/s", "FLOP", "B/s", "B", "s", "W", "J", "/s", "kg"})
        if (const auto number = parseQuantity(text, unit); text.ends_with(unit) && number.has_value())
            return *number;
    const auto number = parseQuantity(plainNumber(text), "");
    return number.has_value() ? *number : std::nan("");
}

/// The product that a line like "√(2 · 16 GB / (8 · 1.00 GB/s)) = ..." stands for.
double worked(const std::string& text) {
    constexpr std::string_view kRoot = "√(", kTimes = " · ";
    if (text.starts_with(kRoot))
        return std::sqrt(worked(text.substr(kRoot.size(), text.size() - kRoot.size() - 1)));
    const std::size_t over = text.find(" / ");
    std::string below = over == std::string::npos ? "" : text.substr(over + 3);
    if (below.starts_with("(")) below = below.substr(1, below.size() - 2);
    double value = 1;
    for (const bool top : {true, false}) {
        std::string side = top ? text.substr(0, over) : below;
        while (!side.empty()) {
            const std::size_t next = side.find(kTimes);
            const double number = numberIn(side.substr(0, next));
            value = top ? value * number : value / number;
            side = next == std::string::npos ? "" : side.substr(next + kTimes.size());
        }
    }
    return value;
}

TEST(Answers, AreWhatTheirFormulaComesToInItsOwnUnits) {
    for (const double tokens : {2e12, 2e8, 2e4})  // weeks, minutes, milliseconds
        for (const Output output : kEnumerators<Output>) {
            Scenario s = whole("llama-3-8b");
            s.workload.tokens = tokens;
            s.workload.tokensPerSecond = 2e5;
            if (output == Output::Budget || output == Output::OptimalParameters) {
                s.workload.budgetFlops = 0;
                s.workload.days = tokens / 1e12;
            }
            const auto found = answer(output, s);
            ASSERT_TRUE(found.has_value()) << found.error().text();
            const std::string& line = found->explanation.withNumbers;
            if (line.find(" + ") != std::string::npos || line.starts_with("⌈")) continue;  // a sum
            if (line.starts_with("most ") || line.starts_with("least ")) continue;         // a search
            const std::size_t equals = line.find(" = ");
            ASSERT_NE(equals, std::string::npos) << line;
            const double product = worked(line.substr(0, equals));
            // Each factor is shown with three digits or more.
            EXPECT_NEAR(product / found->value.expected, 1, 0.02) << info(output).key << ": " << line;
            const std::string shown = line.substr(equals + 3);
            EXPECT_NEAR(numberIn(shown.substr(0, shown.find(" = "))) / found->value.expected, 1, 0.02)
                << info(output).key << ": " << line;
            EXPECT_TRUE(shown.ends_with(formatOutput(output, found->value.expected))) << line;
        }
}

TEST(Answers, NameEachNumberOnce) {
    for (const char* model : {"gpt2-xl", "deepseek-v3"})
        for (const Output output : kEnumerators<Output>) {
            if (isOfScaling(output) && whole(model).model.transformer()->experts) continue;
            const auto found = answer(output, whole(model));
            ASSERT_TRUE(found.has_value()) << found.error().text();
            std::vector<std::string> symbols;
            for (const Term& term : found->explanation.terms) symbols.push_back(term.symbol);
            std::ranges::sort(symbols);
            EXPECT_EQ(std::ranges::adjacent_find(symbols), symbols.end())
                << info(found->output).key << ": " << *std::ranges::adjacent_find(symbols);
        }
}

TEST(Values, AreReadAsTheyAreShown) {
    std::vector<std::string_view> units;
    units.reserve(kEnumerators<Output>.size() + allInputs().size());
    for (const Output output : kEnumerators<Output>) units.push_back(info(output).unit);
    for (const InputInfo& about : allInputs()) units.push_back(about.unit);
    for (const std::string_view unit : units)
        for (const double value : {0.0312, 0.5, 1.0, 7.25, 100.0, 3600.0, 5e4, 1.25e6, 3.5e9, 2e13}) {
            const std::string shown = formatValue(value, unit);
            const auto read = parseValue(shown, unit);
            ASSERT_TRUE(read.has_value()) << shown << " in " << unit << ": " << read.error().text();
            EXPECT_NEAR(*read / value, 1, 0.011) << shown << " in " << unit;
            EXPECT_EQ(*parseValue("12", unit), 12) << unit;
        }
    EXPECT_EQ(*parseValue("30d", "d"), 30);
    EXPECT_EQ(*parseValue("30 days", "d"), 30);
    EXPECT_EQ(*parseValue("36h", "d"), 1.5);
    EXPECT_EQ(*parseValue("2 h", "s"), 7200);
    EXPECT_EQ(*parseValue("90 min", "s"), 5400);
    EXPECT_EQ(*parseValue("20 ms", "s"), 0.02);
    EXPECT_EQ(*parseValue("1 MWh", "J"), 3.6e9);
    const auto beyond = parseValue("1e308 days", "s");
    ASSERT_FALSE(beyond.has_value()) << "more seconds than a number holds";
    EXPECT_NE(beyond.error().text().find("1e308 days"), std::string::npos);
    EXPECT_EQ(*parseValue("$ 5", "$"), 5);
    EXPECT_EQ(*parseValue("40 %", "1"), 0.4);
    for (const char* none : {"", "d", "30 apples", "3 d 4 h", "--", "1e999 d", "nan d"})
        EXPECT_FALSE(parseValue(none, "d").has_value()) << none;
}

TEST(Values, AreWrittenInTheStyleOfTheProcess) {
    struct Styled {
        Styled() { setNumberStyle({",", "\u2009", "\u2212", true}); }
        ~Styled() { setNumberStyle({}); }
        Styled(const Styled&) = delete;
        Styled& operator=(const Styled&) = delete;
    } const styled;
    EXPECT_EQ(formatValue(180.34, "d"), "180,3 d");
    EXPECT_EQ(formatValue(5.791e22, "FLOP"), "5,791e22 FLOP");
    EXPECT_EQ(formatValue(0.4697, "1"), "47,0 %");
    EXPECT_EQ(formatValue(2.5, "$/h"), "$2,50/h");
    EXPECT_EQ(formatValue(12.5, "$"), "$12,50");
    EXPECT_EQ(formatValue(34615.5, "h"), "34\u2009616 h");
    EXPECT_EQ(formatValue(739803, ""), "739\u2009803");
    EXPECT_EQ(formatValue(9999.5, "h"), "9999,5 h");
    EXPECT_EQ(formatValue(-0.5, ""), "\u22120,5");
    EXPECT_EQ(formatValue(2e9, "B"), "2,00 GB");
    EXPECT_EQ(formatValue(1e12, ""), "1,00e12");
}

TEST(Answers, SayTheFormulaWithTheNumbersPutIn) {
    Scenario s = whole("gpt2");
    s.model = modelOfCount(70e9);
    s.cluster.devices = 1024;
    s.workload.tokens = 15e12;
    ASSERT_TRUE(setInput(s, Input::Mfu, Range{0.375, 0.5, 0.625}).has_value());
    const auto days = answer(Output::Days, s);
    ASSERT_TRUE(days.has_value()) << days.error().text();
    EXPECT_EQ(days->explanation.formula, "6 · N · D / (G · P · MFU · goodput · 86400)");
    EXPECT_EQ(days->explanation.withNumbers,
              "6 · 70.0e9 · 15.0e12 / (1024 · 990 TFLOP/s · 0.5 · 1 · 86400) = 143.9 d");
    const auto mfu = std::find_if(days->explanation.terms.begin(), days->explanation.terms.end(),
                                  [](const Term& term) { return term.symbol == "MFU"; });
    ASSERT_NE(mfu, days->explanation.terms.end());
    EXPECT_EQ(mfu->source, "given");
    EXPECT_EQ(mfu->input, Input::Mfu);
    // The favourable end has MFU 0.625; the unfavourable one 0.375 and a tenth of the time lost.
    EXPECT_NEAR(days->value.low, days->value.expected * 0.5 / 0.625, 1e-9);
    EXPECT_NEAR(days->value.high, days->value.expected * 0.5 / 0.375 / 0.9, 1e-9);
}

TEST(Answers, CountWholeDevicesInTheFormulaToo) {
    const auto result = answer(Output::DevicesToHold, whole("llama-3-70b"));
    ASSERT_TRUE(result.has_value()) << result.error().text();
    EXPECT_EQ(result->value.expected, 15);
    EXPECT_EQ(result->explanation.formula, "⌈N · w / (M · usable)⌉");
    EXPECT_TRUE(result->explanation.withNumbers.ends_with("⌉ = 15")) << result->explanation.withNumbers;
}

TEST(Answers, RefuseASequenceThatTheModelHasNoPositionsFor) {
    Scenario s = whole("gpt2");
    s.workload.sequence = 1025;
    for (const Output output : {Output::Days, Output::TrainingFlops, Output::TokensPerSecond,
                                Output::MemoryPerDevice, Output::StepSeconds}) {
        const auto refused = evaluate(output, s);
        ASSERT_FALSE(refused.has_value()) << info(output).key;
        EXPECT_NE(refused.error().text().find("1024 positions"), std::string::npos) << refused.error().text();
    }
    s.workload.sequence = 1024;
    EXPECT_TRUE(evaluate(Output::Days, s).has_value());
}

TEST(Answers, NameWhatIsMissing) {
    Scenario s;
    const auto refusal = [&](Output output) {
        const auto result = answer(output, s);
        EXPECT_FALSE(result.has_value()) << info(output).key;
        return result.has_value() ? "" : result.error().text();
    };
    EXPECT_NE(refusal(Output::Days).find("model"), std::string::npos) << refusal(Output::Days);
    s.model = modelOfCount(7e9);
    EXPECT_NE(refusal(Output::Days).find("--tokens"), std::string::npos) << refusal(Output::Days);
    s.workload.tokens = 1e12;
    EXPECT_NE(refusal(Output::Days).find("choose a device"), std::string::npos) << refusal(Output::Days);
    EXPECT_NE(refusal(Output::LargestModel).find("--memory"), std::string::npos);
    EXPECT_NE(refusal(Output::MeasuredMfu).find("--tokens-per-second"), std::string::npos);
    EXPECT_NE(refusal(Output::OptimalParameters).find("--budget"), std::string::npos);
    s.cluster.device = HardwareDatabase::builtIn().find("M3 Max").value();
    EXPECT_NE(refusal(Output::Energy).find("peak"), std::string::npos) << refusal(Output::Energy);
}

TEST(Answers, ShowWhatTheyDependOn) {
    const Scenario s = whole("llama-3-8b");
    const auto depends = [&](Output output, Input input) {
        const std::vector<Input> inputs = inputsOf(output, s);
        return std::find(inputs.begin(), inputs.end(), input) != inputs.end();
    };
    EXPECT_TRUE(depends(Output::Days, Input::Mfu));
    EXPECT_TRUE(depends(Output::Days, Input::Devices));
    EXPECT_FALSE(depends(Output::Days, Input::Pue));
    EXPECT_TRUE(depends(Output::Energy, Input::Pue));
    EXPECT_TRUE(depends(Output::StepSeconds, Input::NetworkBandwidth));
    EXPECT_FALSE(depends(Output::StepSeconds, Input::Mfu));
    EXPECT_TRUE(depends(Output::MemoryPerDevice, Input::Fragmentation));
    EXPECT_TRUE(depends(Output::MemoryPerDevice, Input::MicroBatch));
}

TEST(Answers, AreNotMovedByInputsThatTheyNeverAskFor) {
    RandomScenarios random(20);
    int moved = 0, kept = 0;
    for (int i = 0; i < 60; ++i) {
        const Scenario s = random.draw();
        for (const Output output : kEnumerators<Output>) {
            const auto expected = evaluate(output, s);
            if (!expected.has_value()) continue;
            const EnumArray<Input, bool> asksFor = inputsAskedFor(output, s);
            for (const InputInfo& about : allInputs()) {
                if (!isOfGivenAlone(about.input)) continue;
                const double value =
                    std::clamp(about.standard.expected * 1.25 + 1e-3, about.least, about.most);
                const auto then = evaluate(output, withValue(s, about.input, value));
                const bool isSame = then.has_value() && *then == *expected;
                isSame ? ++kept : ++moved;
                if (!asksFor[about.input])
                    EXPECT_TRUE(isSame) << i << ": " << info(output).key << ", " << about.key;
            }
        }
    }
    EXPECT_GT(moved, 500);
    EXPECT_GT(kept, 5000);
}

TEST(Answers, ToTheChinchillaQuestion) {
    Scenario s;
    s.workload.budgetFlops = 1e21;
    EXPECT_NEAR(*evaluate(Output::OptimalParameters, s), 2.89e9, 0.005e9);
    EXPECT_NEAR(*evaluate(Output::OptimalTokens, s), 20 * 2.887e9, 0.05e9);
    const double n = *evaluate(Output::OptimalParameters, s), d = *evaluate(Output::OptimalTokens, s);
    EXPECT_NEAR(6 * n * d, 1e21, 1e10);
}

TEST(Answers, ToEnergyAndMoney) {
    Scenario s;
    s.cluster.device = HardwareDatabase::builtIn().find("H100 SXM").value();
    s.model = modelOfCount(1e9);
    s.workload.tokens = 989.5e12 * 0.4 * 3600 / 6e9;  // one device hour
    for (const auto& [input, value] :
         {std::pair{Input::Mfu, 0.4}, std::pair{Input::PowerShare, 1.0}, std::pair{Input::HostPower, 0.0},
          std::pair{Input::Pue, 1.1}, std::pair{Input::DevicePrice, 3.0},
          std::pair{Input::GridIntensity, 0.4}})
        ASSERT_TRUE(setInput(s, input, value).has_value()) << info(input).key;
    EXPECT_NEAR(*evaluate(Output::DeviceHours, s), 1, 1e-9);
    EXPECT_NEAR(*evaluate(Output::Energy, s), 3600 * 700 * 1.1, 1e-3);
    EXPECT_NEAR(*evaluate(Output::Cost, s), 3, 1e-9);
    EXPECT_NEAR(*evaluate(Output::Co2, s), 0.77 * 0.4, 1e-9);
}

TEST(Answers, TakeThePriceOfTheDevicesRecord) {
    Scenario s = whole("llama-3-8b");
    EXPECT_LT(answer(Output::Cost, s)->value.low, answer(Output::Cost, s)->value.high);
    const double hours = *evaluate(Output::DeviceHours, s);
    EXPECT_DOUBLE_EQ(*evaluate(Output::Cost, s), 2.5 * hours);  // what is assumed of any device
    s.cluster.device->dollarsPerHour = 1.75;
    EXPECT_DOUBLE_EQ(*evaluate(Output::Cost, s), 1.75 * hours);
    EXPECT_NE(valueOf(s, Input::DevicePrice)->source.find("H100"), std::string::npos);
    EXPECT_EQ(valueOf(s, Input::DevicePrice)->range.low, 1.75);
    ASSERT_TRUE(setInput(s, Input::DevicePrice, 4.0).has_value());  // what is typed comes first
    EXPECT_DOUBLE_EQ(*evaluate(Output::Cost, s), 4 * hours);
}

TEST(Answers, ReadWell) {
    EXPECT_EQ(formatOutput(Output::LargestModel, 40e9), "40.0e9");
    EXPECT_EQ(formatOutput(Output::Days, 0.5), "12.0 h");
    EXPECT_EQ(formatOutput(Output::StepMfu, 0.423), "42.3 %");
    EXPECT_EQ(formatOutput(Output::Energy, 3.6e9), "1.00 MWh");
    EXPECT_EQ(formatOutput(Output::Cost, 1.23e6), "$1.23 M");
    EXPECT_EQ(formatOutput(Output::Cost, 12), "$12.00");
    EXPECT_EQ(formatOutput(Output::Cost, 86500), "$86.5 k");
    EXPECT_EQ(formatOutput(Output::EnergyCost, 0.0345), "$0.0345");
    EXPECT_EQ(formatOutput(Output::TrainingFlops, 6.3e24), "6.300e+24 FLOP");
    EXPECT_EQ(formatOutput(Output::Co2, 140e3), "140 t");
    EXPECT_EQ(formatInput(Input::Devices, 1024), "1024");
    EXPECT_EQ(formatInput(Input::Memory, 80e9), "80.0 GB");
    EXPECT_EQ(formatInput(Input::DevicePrice, 2.5), "$2.50/h");
    EXPECT_EQ(formatInput(Input::DevicePrice, 2.486), "$2.49/h");
    EXPECT_EQ(formatInput(Input::EnergyPrice, 0.1), "$0.10/kWh");
    const auto read = [](std::string_view text, std::string_view unit) {
        const Result<double> value = parseValue(text, unit);
        return value.has_value() ? *value : -1;
    };
    for (const char* text : {"$2.5/h", "$ 2.5 / h", "2.5 $/h", "2.5", "$2.5"})
        EXPECT_EQ(read(text, "$/h"), 2.5) << text;
    for (const char* text : {"$86.5 k", "$86.5k", "86.5 k$", "$86500"})
        EXPECT_EQ(read(text, "$"), 86500) << text;
    EXPECT_FALSE(parseValue("$2.5/kWh", "$/h").has_value());
    EXPECT_FALSE(parseValue("$2.5", "B").has_value());
}

}  // namespace
}  // namespace plumb::planner
