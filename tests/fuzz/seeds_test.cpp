// SPDX-License-Identifier: Apache-2.0
// The fuzz targets without a fuzzer: every seed, every field of a seed with every hostile value, and changes
// that are drawn, the same each time.
#include "core/base/quantity.h"
#include "core/machine/calibration_file.h"
#include "tests/fuzz/changes.h"
#include "tests/fuzz/json_fields.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <ostream>
#include <set>
#include <stdexcept>

namespace plumb::fuzz {

/// In the names of tests.
// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(const Target& target, std::ostream* stream) { *stream << target.name; }

namespace {

std::filesystem::path folderOf(const std::string& name) {
    return std::filesystem::path(PLUMB_TEST_DATA "/../fuzz") / name;
}

/// Content by file name, in the order of the names.
std::map<std::string, std::string> seedsOf(const Target& target) {
    std::map<std::string, std::string> seeds;
    for (const auto& entry : std::filesystem::directory_iterator(folderOf("seeds") / target.name))
        seeds[entry.path().filename().string()] = getFile(entry.path().string());
    return seeds;
}

/// The promise that did not hold; empty when all did.
std::string brokenPromise(const Target& target, std::string_view input) {
    try {
        target.run(input);
        return {};
    } catch (const std::exception& broken) {
        return broken.what();
    }
}

class FuzzSeeds : public testing::TestWithParam<Target> {};

TEST_P(FuzzSeeds, AreReadOrRefused) {
    const auto seeds = seedsOf(GetParam());
    EXPECT_FALSE(seeds.empty());
    for (const auto& [name, content] : seeds) EXPECT_EQ(brokenPromise(GetParam(), content), "") << name;
}

TEST_P(FuzzSeeds, AreReadOrRefusedWhereverTheyEnd) {
    constexpr std::size_t kPieces = 40;
    for (const auto& [name, content] : seedsOf(GetParam()))
        for (std::size_t piece = 0; piece < kPieces; ++piece) {
            const std::size_t end = content.size() * piece / kPieces;
            EXPECT_EQ(brokenPromise(GetParam(), content.substr(0, end)), "") << name << ", " << end;
        }
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzSeeds, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

constexpr std::int64_t kUsualInputs = 1000;

/// As many as PLUMBLINE_FUZZ_INPUTS says, for a longer look; else few enough for every run of the tests.
std::int64_t inputsOfEach() {
    const char* const given = std::getenv("PLUMBLINE_FUZZ_INPUTS");
    return given == nullptr ? kUsualInputs : parseSize(given).value();
}

class FuzzFields : public testing::TestWithParam<Target> {};

TEST_P(FuzzFields, MayHoldAnyValue) {
    constexpr std::size_t kMost = 10500;  // larger documents repeat the fields of smaller ones
    constexpr std::size_t kSmall = 2048;  // of others each field has every fifth value, by turns
    constexpr std::size_t kMany = 16;     // and every third of these where there are so many seeds
    // And fewer where fewer inputs are asked for.
    const auto thinned = static_cast<std::size_t>(
        std::max<std::int64_t>(1, kUsualInputs / std::max<std::int64_t>(1, inputsOfEach())));
    std::size_t changed = 0;
    const auto seeds = seedsOf(GetParam());
    for (const auto& [name, content] : seeds) {
        if (content.size() > kMost) continue;
        const std::size_t turns = thinned * std::size_t{content.size() > kSmall ? 5U : 1U} *
                                  std::size_t{seeds.size() > kMany ? 3U : 1U};
        std::size_t turn = 0;
        const auto original = JsonInput::of(content);
        if (!original) continue;
        for (const auto& place : placesOf(original->document)) {
            JsonInput input = *original;
            for (const nlohmann::json& value : hostileValues()) {
                if (++turn % turns != 0) continue;
                input.document[place] = value;
                SCOPED_TRACE(name + place.to_string() + " = " +
                             value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
                ASSERT_EQ(brokenPromise(GetParam(), input.text()), "");
                ++changed;
            }
            input.document = original->document;
            removeField(input.document, place);
            SCOPED_TRACE(name + " without " + place.to_string());
            ASSERT_EQ(brokenPromise(GetParam(), input.text()), "");
        }
    }
    EXPECT_GT(changed, 0U) << "no small seed of this target holds JSON";
}

std::vector<Target> readersOfJson() {
    std::vector<Target> chosen;
    for (const Target& target : kTargets)
        for (const char* name :
             {"arguments", "budget", "calibration", "command", "devices", "event", "model_config", "plan",
              "safetensors", "snapshot", "snapshot_file", "step_file", "trace"})
            if (target.name == name) chosen.push_back(target);
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzFields, testing::ValuesIn(readersOfJson()),
                         [](const auto& target) { return std::string(target.param.name); });

/// Changes of the seeds of a target with the words of its dictionary.
Changes changesOf(const Target& target) {
    std::vector<std::string> seeds;
    for (const auto& [name, content] : seedsOf(target)) seeds.push_back(content);
    const std::filesystem::path words = folderOf("dictionaries") / (std::string(target.name) + ".dict");
    return {seeds, dictionaryWords(getFile(words.string()))};
}

class FuzzChanges : public testing::TestWithParam<Target> {};

// A crash does not say which input it was: stop there in a debugger, the inputs are the same each time.
TEST_P(FuzzChanges, AreReadOrRefused) {
    Changes changes = changesOf(GetParam());
    for (std::int64_t i = 0, count = inputsOfEach(); i < count; ++i) {
        const std::string input = changes.next();
        ASSERT_EQ(brokenPromise(GetParam(), input), "")
            << "input " << i << ": " << testing::PrintToString(input);
    }
}

INSTANTIATE_TEST_SUITE_P(Readers, FuzzChanges, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

// What is refused at its version or its fingerprint leads the fuzzer nowhere.
TEST(FuzzSeed, OfACalibrationIsOneThatIsTaken) {
    const TemporaryFolder folder;
    const char* const before = ::getenv("XDG_DATA_HOME");
    const std::string kept = before == nullptr ? "" : before;
    ::setenv("XDG_DATA_HOME", folder.path().c_str(), 1);
    Machine machine;
    machine.id = "local-cpu";
    machine.name = machine.backend = "cpu";
    ASSERT_TRUE(saveCalibration(machine).has_value());
    const std::string path = calibrationPath(machine);
    const std::string fingerprint = nlohmann::json::parse(getFile(path)).at("fingerprint").dump();
    for (const auto& entry : std::filesystem::directory_iterator(folderOf("seeds") / "calibration")) {
        std::string text = getFile(entry.path().string());
        text.replace(text.find("\"@FP@\""), 6, fingerprint);
        putFile(path, text);
        const auto loaded = loadCalibration(machine);
        EXPECT_TRUE(loaded.has_value() && *loaded && (*loaded)->costs)
            << entry.path() << ": " << (loaded.has_value() ? "of another processor" : loaded.error().text());
    }
    kept.empty() ? ::unsetenv("XDG_DATA_HOME") : ::setenv("XDG_DATA_HOME", kept.c_str(), 1);
}

TEST(FuzzSupport, ChangesAreTheSameEachTimeAndDifferent) {
    Changes first({"abc", "{\"a\": 1}"}, {"word"}), second({"abc", "{\"a\": 1}"}, {"word"});
    std::set<std::string> seen;
    for (int i = 0; i < 1000; ++i) {
        const std::string input = first.next();
        EXPECT_EQ(input, second.next());
        seen.insert(input);
    }
    EXPECT_GT(seen.size(), 300U);
}

TEST(FuzzSupport, WordsOfADictionary) {
    EXPECT_EQ(dictionaryWords("# \"no\"\n\"a b\"\n\n\"\\x41\\\\\\\"z\"\nname=\"no\"\n\"\""),
              (std::vector<std::string>{"a b", "A\\\"z", ""}));
}

TEST(FuzzSupport, ABrokenPromiseIsSeen) {
    const Target broken{"broken", [](std::string_view input) { require(input != "bad", "no input is bad"); }};
    EXPECT_EQ(brokenPromise(broken, "bad"), "no input is bad");
    EXPECT_EQ(brokenPromise(broken, "good"), "");
}

TEST(FuzzSupport, AChangedDocumentKeepsWhatIsAroundIt) {
    auto input = JsonInput::of(std::string("\x09\0\0\0\0\0\0\0{\"a\": 1} tail", 8 + 9 + 4));
    ASSERT_TRUE(input.has_value());
    input->document["a"] = 12;
    EXPECT_EQ(input->text(), std::string("\x08\0\0\0\0\0\0\0{\"a\":12}tail", 8 + 8 + 4));

    auto behind = JsonInput::of("predict\n--config\n\n{\"a\": 1}");
    ASSERT_TRUE(behind.has_value());
    EXPECT_EQ(behind->text(), "predict\n--config\n\n{\"a\":1}");

    auto choices = JsonInput::of("01234567{\"a\": [1, 2, 3, 4]}");
    ASSERT_TRUE(choices.has_value());
    EXPECT_EQ(placesOf(choices->document).size(), 4U);  // a, its first two and its last
    removeField(choices->document, placesOf(choices->document).back());
    EXPECT_EQ(choices->text(), "01234567{\"a\":[1,2,3]}");
}

}  // namespace
}  // namespace plumb::fuzz
