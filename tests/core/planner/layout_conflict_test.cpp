// SPDX-License-Identifier: Apache-2.0
#include "core/planner/layout_conflict.h"

#include "core/planner/inputs.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <regex>
#include <string>

namespace plumb::planner {
namespace {

std::string refusalOf(const Scenario& s) {
    const auto layout = resolve(s);
    return layout.has_value() ? std::string() : layout.error().text();
}

Scenario llama(std::int64_t devices, const ParallelLayout& layout) {
    Scenario s = scenarioOf("llama-3-8b", devices);
    s.parallel = layout;
    return s;
}

/// Puts what a remedy says in the place of what was given: "give 6 devices and --tensor 2", "leave --x out".
/// How many numbers it had.
int take(const std::string& remedy, Scenario& s) {
    int taken = 0;
    const auto set = [&](Input input, const std::string& value) {
        EXPECT_TRUE(setInput(s, input, std::string_view(value)).has_value()) << value;
        ++taken;
    };
    const std::regex option("--([a-z-]+) ([0-9]+)"), devices("([0-9]+) devices"),
        out("leave --shard-group out");
    for (std::sregex_iterator each(remedy.begin(), remedy.end(), option), end; each != end; ++each)
        set(*inputFromKey((*each)[1].str()), (*each)[2]);
    std::smatch found;
    if (std::regex_search(remedy, found, devices)) set(Input::Devices, found[1]);
    if (std::regex_search(remedy, out)) {
        s.parallel.shardGroup = 0;
        ++taken;
    }
    return taken;
}

TEST(LayoutConflict, NamesWhatWouldBeAccepted) {
    ParallelLayout layout;
    layout.context = 8;
    Scenario s = llama(8, layout);
    s.workload.sequence = 1001;
    EXPECT_EQ(refusalOf(s), "sequence 1001 cannot be divided by context 8: give --sequence 1000");
    layout = {};
    layout.pipeline = 64;
    EXPECT_EQ(refusalOf(llama(8, layout)),
              "devices 8 cannot be divided by tensor times pipeline times context 64: give --pipeline 8");
    layout.pipeline = 1;
    layout.tensor = 3;
    EXPECT_EQ(refusalOf(llama(8, layout)),
              "devices 8 cannot be divided by tensor times pipeline times context 3: give --tensor 2")
        << "6 devices would not help: heads are not divided by 3";
    layout.tensor = 4;
    EXPECT_EQ(refusalOf(llama(10, layout)),
              "devices 10 cannot be divided by tensor times pipeline times context 4: give 8 devices");
}

TEST(LayoutConflict, GivesTwoNumbersWhereOneIsNotEnough) {
    ParallelLayout layout;
    layout.tensor = 3;
    layout.context = 8;
    Scenario s = llama(24, layout);
    s.workload.sequence = 1001;
    const std::string refusal = refusalOf(s);
    EXPECT_NE(refusal.find(" and "), std::string::npos) << refusal;
    take(refusal.substr(refusal.find(": ")), s);
    EXPECT_EQ(refusalOf(s), "");
}

/// Whatever is given, what a refusal advises is accepted by all the other checks, too.
TEST(LayoutConflict, IsMendedByItsRemedy) {
    std::mt19937 random(7);
    const auto whole = [&](std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(1, most)(random);
    };
    const auto degree = [&](std::int64_t most) { return whole(3) == 1 ? whole(most) : 1; };
    int refused = 0, mended = 0;
    for (int i = 0; i < 20'000; ++i) {
        const char* const model = whole(3) == 1 ? "mixtral-8x7b" : "llama-3-8b";
        Scenario s = scenarioOf(model, whole(2) == 1 ? whole(64) : std::int64_t{1} << whole(10));
        s.workload.sequence = whole(2) == 1 ? whole(4096) : 4096;
        s.workload.batch = whole(2) == 1 ? whole(512) : 0;
        ParallelLayout& p = s.parallel;
        p.tensor = degree(16);
        p.pipeline = degree(64);
        p.context = degree(16);
        p.chunks = p.pipeline > 1 ? degree(4) : 1;
        p.expert = model[0] == 'm' ? degree(16) : 1;
        p.shardGroup = whole(4) == 1 ? whole(32) : 0;
        p.microBatch = degree(8);
        const auto layout = resolve(s);
        if (layout.has_value()) continue;
        ++refused;
        const Error& error = layout.error();
        const Scenario asked = s;
        if (take(error.hint, s) == 0) {
            EXPECT_NE(error.hint.find("leave --"), std::string::npos) << error.text();
            continue;
        }
        ++mended;
        EXPECT_EQ(refusalOf(s), "") << error.text() << " (devices " << asked.cluster.devices << ")";
    }
    EXPECT_GT(refused, 5000);
    EXPECT_GT(mended, refused * 9 / 10);
}

}  // namespace
}  // namespace plumb::planner
