// SPDX-License-Identifier: Apache-2.0
// What the planner says of any plan is told in Chinese as a whole.
#include "core/base/words.h"
#include "core/machine/hardware_database.h"
#include "core/planner/answer.h"
#include "core/planner/conventions.h"
#include "core/planner/device_choice.h"
#include "core/planner/explore.h"
#include "core/planner/memory.h"
#include "core/planner/step_time.h"
#include "core/planner/verdict.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"
#include "tests/support/english_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace plumb::planner {
namespace {

/// Names of models, devices, their sources and what is drawn here are the same in every language.
std::string withoutNames(std::string text) {
    const auto erase = [&](const std::string& name) {
        for (std::size_t at = text.find(name); at != text.npos; at = text.find(name))
            text.erase(at, name.size());
    };
    for (const Machine& machine : HardwareDatabase::builtIn().machines) erase(machine.name);
    for (const ModelPreset& preset : modelPresets()) erase(preset.label);
    for (const char* const drawn : {"drawn", "by a test"}) erase(drawn);
    constexpr std::string_view kSources = "（规格表：", kEnd = "）";
    for (std::size_t at = text.find(kSources); at != text.npos; at = text.find(kSources)) {
        const std::size_t end = std::min(text.find(kEnd, at), text.size() - kEnd.size()) + kEnd.size();
        text.erase(at, end - at);
    }
    return text;
}

class PlannerInChinese : public testing::Test {
protected:
    void take(std::string text) { m_said.insert(std::move(text)); }
    void take(std::vector<std::string> texts) {
        for (std::string& text : texts) take(std::move(text));
    }
    void takeError(const Error& error) { take(error.text()); }

    void takeMemory(const Scenario& s) {
        const auto memory = memoryPerDevice(s);
        if (!memory.has_value()) return takeError(memory.error());
        take(memory->notes);
        for (const StageMemory& stage : memory->stages)
            for (const MemoryPart& part : stage.parts) {
                take(part.label);
                take(part.formula);
            }
        if (auto notes = plainSumNotes(s, *memory); notes.has_value()) take(std::move(*notes));
    }
    void takeStep(const Scenario& s) {
        const auto step = stepTime(s);
        if (!step.has_value()) return takeError(step.error());
        take(step->notes);
        for (const TimedOp& op : step->ops) take(op.label);
        for (const StepTraffic& traffic : step->traffic) {
            take(traffic.axis);
            take(traffic.label);
            take(traffic.formula);
        }
    }
    void takeAnswers(const Scenario& s) {
        for (const Output output : kEnumerators<Output>) {
            take(conventionsOf({&output, 1}, s));
            const auto answered = answer(output, s);
            if (!answered.has_value()) {
                takeError(answered.error());
                continue;
            }
            take(answered->notes);
            take(answered->explanation.withNumbers);
            for (const Term& factor : answered->explanation.terms) {
                take(factor.label);
                take(factor.source);
            }
        }
    }
    void takeSearches(const Scenario& s) {
        if (const auto sizes = largestMicroBatches(s); sizes.has_value())
            for (const BatchOption& option : *sizes) take(option.label);
        for (const DeviceOption& option : compareDevices(s, {testMachine()})) take(option.problem);
    }
    static Machine testMachine() { return scenarioOf("llama-3-8b", 8).cluster.device.value(); }

    void expectTold() const {
        const test::InChinese chinese;
        std::set<std::string> untold;
        for (const std::string& text : m_said) {
            const std::string told = inWords(text);
            if (const std::string english = test::englishIn(withoutNames(told)); !english.empty())
                untold.insert(english + " in: " + told + " (of: " + text + ')');
        }
        for (const std::string& each : untold) ADD_FAILURE() << each;
    }
    std::set<std::string> m_said;
};

TEST_F(PlannerInChinese, SaysEverythingOfRandomScenarios) {
    RandomScenarios scenarios(20261128);
    constexpr int kScenarios = 400;
    for (int i = 0; i < kScenarios; ++i) {
        const Scenario s = scenarios.draw();
        if (const auto verdict = verdictOf(s); verdict.has_value()) take(verdictText(*verdict));
        takeMemory(s);
        takeStep(s);
        takeAnswers(s);
        takeSearches(s);
    }
    EXPECT_GT(m_said.size(), 2000U);
    expectTold();
}

}  // namespace
}  // namespace plumb::planner
