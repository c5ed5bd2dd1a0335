// SPDX-License-Identifier: Apache-2.0
// Files that fuzzing found (tests/data/hostile), and messages like them: each is refused with a sentence, or
// read and then good for everything that is done with a snapshot.
#include "core/engine/protocol.h"
#include "core/export/formats.h"
#include "core/io/json_fields.h"
#include "core/machine/machine_json.h"
#include "core/measure/memory_shares.h"
#include "core/measure/reading.h"
#include "core/plan/traits_json.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

std::string hostile(const std::string& name) { return PLUMB_TEST_DATA "/hostile/" + name + ".plumb"; }

template <class T>
std::string errorOf(const Result<T>& result) {
    return result.has_value() ? "no error" : result.error().text();
}

/// What the commands and the window do with a file.
void useAll(const Snapshot& snapshot) {
    if (const auto plan = planStep(snapshot.config, snapshot.target.traits); plan.has_value()) {
        const std::vector<CategoryBytes> curve = memoryCurve(*plan);
        for (const CategoryBytes& at : curve)
            for (const Bytes bytes : at) ASSERT_GE(bytes, 0);
        ASSERT_GE(summariseCurve(curve).peakBytes, 0);
        (void)predictedReading(*plan, snapshot.target.machine);
        (void)largestBatchThatFits(snapshot.config, snapshot.target.traits, Bytes{80} << 30);
    }
    const ExportedStep step = exportedStep(snapshot);
    for (const ExportFormat& format : exportFormats()) {
        const auto content = exported(step, format);
        if (content.has_value() && format.ending() == "json") {
            EXPECT_FALSE(json::parse(*content, nullptr, false).is_discarded()) << format.id;
        }
    }
    EXPECT_TRUE(snapshotFromJson(toJson(snapshot)).has_value());
}

TEST(HostileFiles, ContradictingTraitsAreRefused) {
    for (const char* name : {"casts_fp8_results", "transposes_fp8"})
        EXPECT_THAT(errorOf(readSnapshot(hostile(name))), HasSubstr("traits are impossible")) << name;
}

TEST(HostileFiles, ContradictingTraitsOfAnEngineAreRefused) {
    for (const char* name : {"casts_fp8_results", "transposes_fp8"}) {
        json message = json::parse(protocol::encode(protocol::Event{
            1, protocol::DeviceList{{protocol::DeviceEntry{{sampleMachine(), cpuTraits()}, true, "", {}}}}}));
        message["devices"][0]["traits"][name] = true;
        EXPECT_THAT(errorOf(protocol::parseEvent(message.dump())), HasSubstr("traits are impossible"))
            << name;
    }
}

TEST(HostileFiles, AreRefusedOrCanBeUsed) {
    for (const char* name :
         {"adafactor_rows", "head_parts", "share_1e308", "trace_inf", "negative_share", "escapes"}) {
        const auto read = readSnapshot(hostile(name));
        if (read.has_value())
            useAll(*read);
        else
            EXPECT_FALSE(read.error().message.empty()) << name;
    }
}

TEST(HostileFiles, ASharewithMoreBytesThanThereAreIsRefused) {
    EXPECT_THAT(errorOf(readSnapshot(hostile("share_1e308"))), HasSubstr("is not a whole number"));
}

TEST(HostileFiles, AnyTraitsAreRefusedOrGoodForAPlan) {
    // Every combination of the flags with sizes at both ends.
    const json original = toJson(*cudaTraits(90));
    const char* const flags[] = {"casts_products", "relu_masks", "casts_fp8_results", "transposes_fp8",
                                 "records_steps"};
    const std::int64_t sizes[] = {0, 1, 64, 65536, std::int64_t{1} << 40, INT64_MAX};
    Snapshot snapshot = sampleSnapshot();
    snapshot.config.dim = 32;
    snapshot.config.batch = 64;
    snapshot.config.microBatch = 16;
    snapshot.predicted.reset();  // they are of another batch
    snapshot.measured.reset();
    for (const Precision precision : {Precision::Bf16, Precision::Fp8})
        for (unsigned mask = 0; mask < 32; ++mask)
            for (const std::int64_t size : sizes) {
                json traits = original;
                for (unsigned bit = 0; bit < 5; ++bit) traits[flags[bit]] = (mask >> bit & 1U) != 0;
                for (const char* name : {"head_parts", "adafactor_rows", "shared_scratch_bytes",
                                         "library_scratch_bytes", "library_scratch_base_bytes"})
                    traits[name] = size;
                const auto read = fromJson<BackendTraits>(traits);
                if (!read.has_value()) continue;
                snapshot.target.traits = *read;
                snapshot.config.precision = precision;
                snapshot.config.optimizer = Optimizer::Adafactor;
                snapshot.config.settings = {};
                useAll(snapshot);
            }
}

TEST(OwnFiles, AShareThatOthersGaveBackIsReadAgain) {
    Snapshot snapshot = sampleSnapshot();
    DeviceMemoryCounts counts{.usedByOthers = 600'000'000,
                              .usedWithContext = 1'000'000'000,
                              .tensors = 100,
                              .poolUsed = 200,
                              .poolReserved = 300};
    counts.usedNow = 500'000'300;  // another program has ended since the context was made
    snapshot.measured->memory->device = memoryShares(counts);
    ASSERT_LT(snapshot.measured->memory->device.back().bytes, 0);
    const TemporaryFolder folder;
    ASSERT_TRUE(writeSnapshot(folder.file("own.plumb"), snapshot).has_value());
    const auto read = readSnapshot(folder.file("own.plumb"));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->measured->memory->device, snapshot.measured->memory->device);
    EXPECT_TRUE(readSnapshot(hostile("negative_share")).has_value());
    const auto event = protocol::parseEvent(
        protocol::encode(protocol::Event{1, protocol::ReadingEvent{*snapshot.measured}}));
    EXPECT_EQ(errorOf(event), "no error");
}

TEST(ParseJson, RefusesTextBehindAZero) {
    const std::string text = std::string(R"({"a": 1})") + '\0' + "and more";
    EXPECT_THAT(errorOf(parseJson(text, "it")), HasSubstr("not JSON (a zero at byte 9)"));
}

TEST(ParseJson, BuildsNothingThatWouldFillTheMemory) {
    // In memory an empty list takes 20 times its text, an object 30 times.
    for (const std::string item : {"[],", "{},", "\"\",", R"({"a":0},)", "0,"}) {
        std::string text = R"({"id": 1, "type": "quit", "x": [)";
        for (text.reserve(63'000'100); text.size() < 63'000'000;) text += item;
        text += "0]}";
        EXPECT_THAT(errorOf(protocol::parseEvent(text)), HasSubstr("of memory that such a document may"))
            << item;
    }
}

TEST(ParseJson, RefusesATextOfAHundredKilobytes) {
    const json machine{{"name", std::string(100'000, 'A')}, {"peak_flop_per_s", json::object()}};
    EXPECT_THAT(errorOf(fromJson<Machine>(machine)), HasSubstr("name is a text of 100000 bytes"));
}

}  // namespace
}  // namespace plumb
