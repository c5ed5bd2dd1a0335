// SPDX-License-Identifier: Apache-2.0
#include "core/machine/own_devices.h"

#include "core/base/quantity.h"
#include "core/machine/device_figures.h"
#include "core/machine/hardware_database.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include <array>
#include <random>
#include <unistd.h>
#include <vector>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Machine card(const std::string& name = "My card") {
    const Machine machine{.name = name,
                          .memoryBytes = 80'000'000'000,
                          .bandwidthBytesPerSecond = 3.35e12,
                          .peakFlopPerSecond = {{Dtype::Fp32, 67e12}, {Dtype::Bf16, 989.5e12}},
                          .linkBytesPerSecond = 450e9,
                          .linkName = "NVLink",
                          .powerWatts = 700,
                          .dollarsPerHour = 2.25,
                          .source = "entered by hand"};
    return renamedApart(machine, HardwareDatabase::builtIn().machines);
}

class OwnDevices : public testing::Test {
protected:
    OwnDevices() { ::setenv("XDG_DATA_HOME", m_folder.file("data").c_str(), 1); }
    ~OwnDevices() override { ::unsetenv("XDG_DATA_HOME"); }
    TemporaryFolder m_folder;
};

TEST_F(OwnDevices, AreNoneWithoutAFile) {
    const auto devices = loadOwnDevices();
    ASSERT_TRUE(devices.has_value());
    EXPECT_TRUE(devices->empty());
    EXPECT_TRUE(removeOwnDevice("nothing").has_value());
}

TEST_F(OwnDevices, AreShownAsTheyAreOrRefused) {
    EXPECT_TRUE(putOwnDevice(card("Käfer 2 · ☃ 😀")).has_value());
    for (const std::string hidden :
         {"\x1b[31m", "\x7f", "\n", "\t", "\xc2\x80",
          "\xc2\x9b"
          "31m",
          "\xc2\x9f", "\xe2\x80\xaa", "\xe2\x80\xae", "\xe2\x81\xa6", "\xe2\x81\xa9", "\x9b", "\xff"})
        for (std::string Machine::*text : {&Machine::name, &Machine::linkName, &Machine::source}) {
            Machine machine = card("Plain");
            machine.*text = "a" + hidden + "b";
            const auto put = putOwnDevice(machine);
            ASSERT_FALSE(put.has_value()) << machine.*text;
            EXPECT_THAT(put.error().text(), HasSubstr("cannot be seen"));
        }
}

TEST_F(OwnDevices, AreKeptReplacedAndRemoved) {
    Machine first = card();
    const Machine second = card("Other card");
    EXPECT_EQ(first.id, "my-card");
    for (const Machine& machine : {first, second}) {
        const auto put = putOwnDevice(machine);
        ASSERT_TRUE(put.has_value()) << put.error().text();
    }
    first.memoryBytes = 96'000'000'000;
    ASSERT_TRUE(putOwnDevice(first).has_value());
    auto kept = loadOwnDevices();
    ASSERT_TRUE(kept.has_value());
    ASSERT_EQ(kept->size(), 2U);
    expectSameMachine(kept->at(0), first);
    expectSameMachine(kept->at(1), second);
    ASSERT_TRUE(removeOwnDevice(first.id).has_value());
    kept = loadOwnDevices();
    ASSERT_EQ(kept->size(), 1U);
    expectSameMachine(kept->at(0), second);
}

TEST_F(OwnDevices, OfManyProgramsAtOnceAreAllKept) {
    constexpr int kPrograms = 30;
    std::array<int, 2> gate{};  // all begin when it is closed
    ASSERT_EQ(::pipe(gate.data()), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < kPrograms; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            ::close(gate[1]);
            char byte = 0;
            const bool open = ::read(gate[0], &byte, 1) == 0;
            ::_exit(open && putOwnDevice(card("Card " + std::to_string(i))).has_value() ? 0 : 1);
        }
        children.push_back(child);
    }
    ::close(gate[0]);
    ::close(gate[1]);
    for (const pid_t child : children) {
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    const auto kept = loadOwnDevices();
    ASSERT_TRUE(kept.has_value()) << kept.error().text();
    EXPECT_EQ(kept->size(), std::size_t{kPrograms});
}

TEST_F(OwnDevices, AreFoundBesideTheBuiltInOnes) {
    ASSERT_TRUE(putOwnDevice(card("Basement H100 rack")).has_value());
    const KnownDevices known = KnownDevices::load();
    EXPECT_FALSE(known.problem.has_value());
    EXPECT_EQ(known.find("basement")->name, "Basement H100 rack");
    EXPECT_EQ(known.find("H100 SXM")->id, "h100-sxm5-80gb");
    EXPECT_EQ(known.find("local")->id, known.local.id);
    EXPECT_EQ(known.find(known.local.name)->id, known.local.id);
    EXPECT_EQ(known.all().size(), HardwareDatabase::builtIn().machines.size() + 2);
}

TEST_F(OwnDevices, RefuseABuiltInIdAndATakenName) {
    Machine machine = card();
    machine.id = "h100-sxm5-80gb";
    EXPECT_THAT(putOwnDevice(machine).error().text(), HasSubstr("built-in"));
    machine = card();
    machine.name = "nvidia h100 sxm5 80gb";
    EXPECT_THAT(putOwnDevice(machine).error().text(), HasSubstr("already a device"));
    EXPECT_TRUE(loadOwnDevices()->empty());
}

TEST_F(OwnDevices, LeaveADamagedFileAsItIs) {
    ASSERT_TRUE(putOwnDevice(card()).has_value());
    const std::string damaged = getFile(ownDevicesPath()).substr(0, 100);
    putFile(ownDevicesPath(), damaged);
    EXPECT_FALSE(loadOwnDevices().has_value());
    EXPECT_FALSE(putOwnDevice(card("Another")).has_value());
    EXPECT_FALSE(removeOwnDevice("my-card").has_value());
    EXPECT_EQ(getFile(ownDevicesPath()), damaged);
    const KnownDevices known = KnownDevices::load();
    ASSERT_TRUE(known.problem.has_value());
    EXPECT_EQ(known.find("H100 SXM")->id, "h100-sxm5-80gb");
    EXPECT_THAT(known.find("my card").error().text(), HasSubstr(ownDevicesPath()));
}

TEST_F(OwnDevices, LeaveOutWhatTheDatabaseHasMeanwhile) {
    Machine machine = card();
    machine.id = "h100-sxm5-80gb";
    putFile(m_folder.file("file.json"), devicesToText({machine}));
    ASSERT_TRUE(putOwnDevice(card("Other")).has_value());
    putFile(ownDevicesPath(), devicesToText({machine, card("Other")}));
    const KnownDevices known = KnownDevices::load();
    EXPECT_EQ(known.own.size(), 2U);
    EXPECT_EQ(known.database.machines.size(), HardwareDatabase::builtIn().machines.size() + 1);
    EXPECT_EQ(known.find("h100-sxm5-80gb")->name, "NVIDIA H100 SXM5 80GB");
}

TEST(DeviceFile, KeepsEveryFigureOfEveryRecord) {
    std::vector<Machine> machines = HardwareDatabase::builtIn().machines;
    const auto again = devicesFromText(devicesToText(machines), "the file");
    ASSERT_TRUE(again.has_value()) << again.error().text();
    ASSERT_EQ(again->size(), machines.size());
    for (std::size_t i = 0; i < machines.size(); ++i) expectSameMachine(again->at(i), machines[i]);
}

TEST(DeviceFile, LeavesOutTheMeasurementsOfACalibration) {
    const auto again = devicesFromText(devicesToText({sampleMachine()}), "the file");
    ASSERT_TRUE(again.has_value()) << again.error().text();
    EXPECT_FALSE(again->front().costs.has_value());
    EXPECT_FALSE(again->front().checked.has_value());
}

TEST(DeviceFile, SaysWhichFieldIsWrong) {
    const json original = json::parse(devicesToText({card(), card("Other")}));
    const auto errorAfter = [&](const std::function<void(json&)>& change) {
        json document = original;
        change(document);
        const auto read = devicesFromText(document.dump(), "the file");
        return read.has_value() ? std::string("no error") : read.error().text();
    };
    EXPECT_THAT(errorAfter([](json& d) { d["format"] = "plumbline.snapshot"; }),
                HasSubstr("no list of devices"));
    EXPECT_THAT(errorAfter([](json& d) { d["version"] = 2; }), HasSubstr("newer version"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"] = 5; }), HasSubstr("devices"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["id"] = "my-card"; }), HasSubstr("another device"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["id"] = "../../x"; }), HasSubstr("is no id"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["name"] = "my CARD"; }),
                HasSubstr("already a device"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["name"] = ""; }), HasSubstr("name"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["memory_bytes"] = 5; }),
                HasSubstr("not believable"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["power_w"] = 0; }), HasSubstr("power_w is zero"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["dollars_per_hour"] = -1; }),
                HasSubstr("dollars_per_hour"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][1]["peak_flop_per_s"]["bf16"] = "fast"; }),
                HasSubstr("peak_flop_per_s.bf16"));
    EXPECT_THAT(errorAfter([](json& d) {
                    for (const char* key : {"memory_bytes", "bandwidth_bytes_per_s", "peak_flop_per_s",
                                            "link_bytes_per_s", "power_w", "dollars_per_hour"})
                        d["devices"][1].erase(key);
                }),
                HasSubstr("no figure at all"));
    EXPECT_FALSE(devicesFromText("", "the file").has_value());
    EXPECT_FALSE(devicesFromText("[]", "the file").has_value());
}

TEST(DeviceFile, ReadsOrRefusesAnyBytes) {
    const std::string original = devicesToText({card(), card("Other")});
    std::mt19937 random(4);
    int accepted = 0;
    for (int round = 0; round < 3000; ++round) {
        std::string text = original;
        for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
            const std::size_t place = random() % text.size();
            if (random() % 2 == 0)
                text[place] = static_cast<char>(random());
            else
                text.erase(place, 1 + random() % 12);
            if (text.empty()) break;
        }
        const auto read = devicesFromText(text, "the file");
        if (!read.has_value()) {
            ASSERT_FALSE(read.error().message.empty());
            ASSERT_EQ(read.error().text().find('\n'), std::string::npos);
            continue;
        }
        ++accepted;
        ASSERT_TRUE(devicesFromText(devicesToText(*read), "the file").has_value());
    }
    EXPECT_GT(accepted, 0);
}

TEST(RenamedApart, NumbersNamesThatAreTaken) {
    std::vector<Machine> others{card()};
    Machine again = card();
    again = renamedApart(again, others);
    EXPECT_EQ(again.name, "My card (2)");
    EXPECT_EQ(again.id, "my-card-2");
    others.push_back(again);
    EXPECT_EQ(renamedApart(card(), others).name, "My card (3)");
    Machine nameless;
    nameless.name = "显卡";
    EXPECT_EQ(renamedApart(nameless, others).id, "device");
}

TEST(DeviceFigures, AreSetReadAndTakenAwayOneByOne) {
    for (const DeviceFigure& figure : deviceFigures()) {
        Machine machine;
        EXPECT_EQ(figureOf(machine, figure), std::nullopt) << figure.key;
        const auto value = parseFigure(figure, figure.example);
        ASSERT_TRUE(value.has_value() && value->has_value()) << figure.key;
        setFigure(machine, figure, *value);
        EXPECT_EQ(figureOf(machine, figure), *value) << figure.key;
        for (const DeviceFigure& other : deviceFigures())
            if (other.key != figure.key) {
                EXPECT_EQ(figureOf(machine, other), std::nullopt) << other.key;
            }
        EXPECT_EQ(formatEditable(**value, figure.unit), figure.example);
        setFigure(machine, figure, std::nullopt);
        EXPECT_EQ(figureOf(machine, figure), std::nullopt);
    }
}

TEST(DeviceFigures, RefuseNumbersThatNobodyBelieves) {
    const DeviceFigure& memory = deviceFigures().front();
    EXPECT_THAT(parseFigure(memory, "80").error().text(), HasSubstr("not believable"));
    EXPECT_THAT(parseFigure(memory, "-80 GB").error().text(), HasSubstr("not believable"));
    EXPECT_THAT(parseFigure(memory, "1e40").error().text(), HasSubstr("not believable"));
    EXPECT_THAT(parseFigure(memory, "80 GFLOP").error().text(), HasSubstr("not a number in B"));
    EXPECT_FALSE(parseFigure(memory, "  ").value().has_value());
}

TEST(DeviceFigures, TheBuiltInRecordsAreBelieved) {
    for (const Machine& machine : HardwareDatabase::builtIn().machines)
        EXPECT_TRUE(problemsOf(machine, HardwareDatabase::builtIn().machines).empty()) << machine.id;
}

TEST_F(OwnDevices, AreAddedAllOrNone) {
    ASSERT_TRUE(addOwnDevices({card("One"), card("Two")}).has_value());
    EXPECT_EQ(loadOwnDevices()->size(), 2U);
    for (const auto& [second, says] :
         {std::pair{card("One"), "there is already a device one (One)"},
          std::pair{HardwareDatabase::builtIn().machines.front(), "there is already a device v100-sxm2-16gb"},
          std::pair{Machine{.id = "Four", .name = "Four", .memoryBytes = 80'000'000'000}, "the id 'Four'"},
          std::pair{Machine{.id = "four", .name = "Four"}, "no figure at all"},
          std::pair{Machine{.id = "four", .name = "Four", .memoryBytes = 5}, "Memory is not believable"},
          std::pair{Machine{.id = "four", .name = "one", .memoryBytes = 80'000'000'000},
                    "already a device called 'One'"}}) {
        const auto done = addOwnDevices({card("Three"), second});
        ASSERT_FALSE(done.has_value());
        EXPECT_THAT(done.error().text(), HasSubstr(says));
        EXPECT_EQ(loadOwnDevices()->size(), 2U) << "Three is not there either";
    }
    const auto twice = addOwnDevices({card("Three"), card("Three")});
    EXPECT_FALSE(twice.has_value());
}

TEST(DeviceSheets, AreReadAloneOrInAList) {
    const auto alone = sheetsFromText(
        R"({"name": "Mine", "memory_bytes": 80e9, "bandwidth_bytes_per_s": 2e12, "power_w": 400,
            "peak_flop_per_s": {"bf16": 3e14, "fp8": 6e14}})",
        "mine.json");
    ASSERT_TRUE(alone.has_value()) << alone.error().text();
    ASSERT_EQ(alone->size(), 1U);
    EXPECT_EQ(alone->front().id, "mine");
    EXPECT_EQ(alone->front().memoryBytes, 80'000'000'000);
    EXPECT_EQ(alone->front().peak(Dtype::Fp8E4M3), 6e14);
    EXPECT_EQ(alone->front().source, "entered by hand");
    const auto list = sheetsFromText(devicesToText({card("One"), card("Two")}), "list.json");
    ASSERT_TRUE(list.has_value()) << list.error().text();
    EXPECT_EQ(list->size(), 2U);
}

TEST(DeviceSheets, NameWhatCannotBeUsed) {
    const auto refusal = [](const std::string& text) {
        const auto read = sheetsFromText(text, "mine.json");
        EXPECT_FALSE(read.has_value()) << text;
        return read.has_value() ? std::string() : read.error().text();
    };
    EXPECT_THAT(refusal(R"({"name": "x", "memory_byte": 80e9})"),
                HasSubstr("(memory_byte): did you mean memory_bytes?"));
    EXPECT_THAT(refusal(R"({"name": "x", "peak_flop_per_s": {"bf61": 1e14}})"),
                HasSubstr("(bf61): did you mean bf16?"));
    EXPECT_THAT(refusal(R"({"name": "x", "memory_bytes": 80.5})"), HasSubstr("memory_bytes"));
    EXPECT_THAT(refusal(R"({"name": "x", "memory_bytes": 80})"), HasSubstr("Memory is not believable"));
    EXPECT_THAT(refusal(R"({"name": "x", "power_w": -3})"), HasSubstr("power_w"));
    EXPECT_THAT(refusal(R"({"memory_bytes": 80e9})"), HasSubstr("name"));
    EXPECT_THAT(refusal(R"({"name": "x"})"), HasSubstr("no figure at all"));
    EXPECT_THAT(refusal("[]"), HasSubstr("mine.json"));
    EXPECT_THAT(refusal("{"), HasSubstr("mine.json"));
}

}  // namespace
}  // namespace plumb
