// SPDX-License-Identifier: Apache-2.0
#include "core/machine/copy_rates.h"

#include "core/machine/machine.h"
#include "core/machine/machine_json.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(CopyRates, AreShownWithUnitSourceAndWhatIsMissing) {
    const Machine machine = sampleMachine();
    std::vector<std::string> lines;
    for (const CopyLine& line : copyLines(machine)) lines.push_back(line.label + ": " + line.value);
    EXPECT_THAT(lines, testing::ElementsAre(
                           "host to device, pinned memory: 55.0 GB/s",
                           "device to host, pageable memory: not measured: no memory",
                           "card 0 to card 1: 25.0 GB/s over PCIe, without peer access: none is offered",
                           "card to card: not measured: one card is visible"));
    EXPECT_EQ(copySource(*machine.copies), "median of 7 copies of 268 MB each, timed by device events");
}

TEST(CopyRates, OfAnOlderCalibrationAreMissingWithTheReason) {
    json document = toJson(sampleMachine());
    document.erase("copies");
    document["backend"] = "cuda";
    auto older = fromJson<Machine>(document);
    ASSERT_TRUE(older.has_value()) << older.error().text();
    EXPECT_FALSE(older->copies.has_value());
    ASSERT_THAT(copyLines(*older), SizeIs(1));
    EXPECT_EQ(copyLines(*older)[0].value, "not measured: the calibration is older than that; run "
                                          "plumbline-cli calibrate --backend cuda --replace");
    older->costs.reset();
    EXPECT_EQ(copyLines(*older)[0].value, "not measured: run plumbline-cli calibrate --backend cuda");
    older->index.reset();
    EXPECT_THAT(copyLines(*older), IsEmpty()) << "a data sheet and a processor copy nothing";
}

TEST(CopyRates, AreRefusedWhereTheyMakeNoSense) {
    const std::pair<std::function<void(json & copies)>, const char*> mistakes[]{
        {[](json& copies) { copies["bytes"] = 0; }, "copies.bytes"},
        {[](json& copies) { copies["copies"] = "many"; }, "copies.copies"},
        {[](json& copies) { copies["rates"][0]["path"] = "sideways"; }, "copies.rates[0].path"},
        {[](json& copies) { copies["rates"][0]["bytes_per_s"] = 0; }, "copies.rates[0].bytes_per_s"},
        {[](json& copies) { copies["rates"][2]["to_card"] = -1; }, "copies.rates[2].to_card"},
        {[](json& copies) { copies["rates"] = std::vector<json>(5000, copies["rates"][0]); },
         "5000 entries"}};
    for (const auto& [mistake, says] : mistakes) {
        json document = toJson(sampleMachine());
        mistake(document["copies"]);
        const auto machine = fromJson<Machine>(document);
        ASSERT_FALSE(machine.has_value()) << says;
        EXPECT_THAT(machine.error().message, HasSubstr(says));
    }
}

}  // namespace
}  // namespace plumb
