// SPDX-License-Identifier: Apache-2.0
#include "core/machine/hardware_database.h"

#include "core/machine/machine.h"
#include "core/machine/published_sheet.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <set>

namespace plumb {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

const json& hardwareFile() {
    static const json document = json::parse(getFile(PLUMB_RESOURCES "/hardware.json"));
    return document;
}

std::string errorAfter(const std::function<void(json& document)>& change) {
    json document = hardwareFile();
    change(document);
    const auto parsed = HardwareDatabase::parse(document.dump());
    return parsed.has_value() ? "no error" : parsed.error().text();
}

std::string idOf(std::string_view part) {
    const auto found = HardwareDatabase::builtIn().find(part);
    return found.has_value() ? found->id : "error: " + found.error().text();
}

/// The figures of a device by path: whatever a status stands for.
std::map<std::string, json> figuresOf(const json& device) {
    std::map<std::string, json> figures;
    for (const char* key : {"memory_bytes", "memory_visible_bytes", "bandwidth_bytes_per_s", "tdp_w",
                            "boost_clock_mhz", "l2_bytes", "sm_count", "release_year", "compute_capability"})
        if (device.contains(key)) figures[key] = device[key];
    for (const auto& [key, value] : device["peak_flop_per_s"].items())
        figures["peak_flop_per_s." + key] = value;
    for (const auto& [key, value] : device["measured_matmul_flop_per_s"].items())
        figures["measured_matmul_flop_per_s." + key] = value;
    for (const auto& [key, value] : device["interconnect"].items())
        if (!value.is_string()) figures["interconnect." + key] = value;
    return figures;
}

TEST(HardwareFile, EveryFigureIsPositiveAndSaysWhereItIsFrom) {
    std::set<std::string> sources, ids, names;
    for (const json& source : hardwareFile()["sources"]) {
        EXPECT_TRUE(sources.insert(source["id"]).second) << source["id"];
        EXPECT_THAT(source["url"].get<std::string>(), testing::StartsWith("http")) << source["id"];
    }
    ASSERT_GE(hardwareFile()["devices"].size(), 30U);
    for (const json& device : hardwareFile()["devices"]) {
        const std::string id = device["id"];
        SCOPED_TRACE(id);
        EXPECT_TRUE(ids.insert(id).second);
        EXPECT_TRUE(names.insert(device["name"]).second);
        ASSERT_FALSE(device["sources"].empty());
        for (const json& source : device["sources"]) EXPECT_TRUE(sources.contains(source)) << source;
        for (const auto& [path, value] : figuresOf(device)) {
            SCOPED_TRACE(path);
            ASSERT_TRUE(device["status"].contains(path));
            const std::string status = device["status"][path];
            const bool none = status == "unsupported" || status == "unpublished";
            EXPECT_EQ(value.is_null(), none) << status;
            EXPECT_TRUE(none || status == "memory" || status.starts_with("seen:") ||
                        status.starts_with("derived:"))
                << status;
            if (value.is_number()) {
                EXPECT_GT(value.get<double>(), 0);
            }
        }
        for (const auto& [path, status] : device["status"].items())
            EXPECT_TRUE(figuresOf(device).contains(path)) << "a status of nothing: " << path;
    }
}

TEST(HardwareFile, KeysOfFiguresEndWithTheirUnit) {
    for (const json& device : hardwareFile()["devices"])
        for (const auto& [key, value] : device.items())
            if (value.is_number() && key != "release_year" && key != "sm_count") {
                EXPECT_THAT(key, testing::ContainsRegex("_(bytes|bytes_per_s|w|mhz)$")) << device["id"];
            }
}

TEST(HardwareFile, PeaksAreDenseAndInTheUsualOrder) {
    // A sparse or misplaced figure shows as a lower precision that is slower than a higher one.
    for (const json& device : hardwareFile()["devices"]) {
        const auto peak = [&](const char* key) {
            const json& value = device["peak_flop_per_s"][key];
            return value.is_null() ? 0.0 : value.get<double>();
        };
        SCOPED_TRACE(device["id"].get<std::string>());
        if (peak("bf16") > 0 && peak("tf32") > 0) {
            EXPECT_GE(peak("bf16"), peak("tf32"));
        }
        if (peak("fp8") > 0 && peak("bf16") > 0) {
            EXPECT_GE(peak("fp8"), peak("bf16"));
        }
    }
}

TEST(HardwareDatabase, BuiltInHoldsEveryDeviceOfTheFile) {
    const HardwareDatabase& database = HardwareDatabase::builtIn();
    ASSERT_EQ(database.machines.size(), hardwareFile()["devices"].size());
    const std::vector<std::pair<const char*, Dtype>> peaks{{"fp64", Dtype::Fp64}, {"fp32", Dtype::Fp32},
                                                           {"tf32", Dtype::Tf32}, {"fp16", Dtype::Fp16},
                                                           {"bf16", Dtype::Bf16}, {"fp8", Dtype::Fp8E4M3}};
    for (std::size_t i = 0; i < database.machines.size(); ++i) {
        const Machine& machine = database.machines[i];
        const json& device = hardwareFile()["devices"][i];
        SCOPED_TRACE(machine.id);
        EXPECT_EQ(machine.id, device["id"].get<std::string>());
        EXPECT_EQ(machine.memoryBytes, device["memory_bytes"].get<Bytes>());
        EXPECT_EQ(machine.bandwidthBytesPerSecond, device["bandwidth_bytes_per_s"].get<double>());
        for (const auto& [key, dtype] : peaks) {
            const json& value = device["peak_flop_per_s"][key];
            EXPECT_EQ(machine.peak(dtype),
                      value.is_null() ? std::nullopt : std::optional(value.get<double>()))
                << key;
        }
        EXPECT_EQ(machine.peak(Dtype::Fp8E5M2), std::nullopt) << "no figure is taken over from another dtype";
        EXPECT_EQ(machine.perOpOverhead, std::nullopt);
        EXPECT_EQ(machine.backend == "cuda", device["vendor"] == "NVIDIA");
        EXPECT_THAT(machine.source, testing::StartsWith("data sheet: "));
        EXPECT_THAT(machine.source, HasSubstr(device["sources"][0].get<std::string>()));
    }
}

TEST(HardwareDatabase, KnowsWhatPlanningNeedsBesideTheRoofline) {
    const auto h100 = HardwareDatabase::builtIn().find("H100 SXM");
    ASSERT_TRUE(h100.has_value()) << h100.error().text();
    EXPECT_EQ(h100->linkBytesPerSecond, 450e9);  // one direction of the advertised 900 GB/s
    EXPECT_EQ(h100->linkName, "NVLink 4 (18 links)");
    EXPECT_EQ(h100->powerWatts, 700);
    ASSERT_EQ(h100->measuredMatmulFlopPerSecond.size(), 2U);
    EXPECT_EQ(h100->measuredMatmulFlopPerSecond[0], std::pair(Dtype::Bf16, 794.5e12));

    // No links of its own: through the host, one direction of PCIe 4.0 x16.
    const auto l40s = HardwareDatabase::builtIn().find("L40S");
    ASSERT_TRUE(l40s.has_value()) << l40s.error().text();
    EXPECT_EQ(l40s->linkBytesPerSecond, 32e9);
    EXPECT_EQ(l40s->linkName, "PCIe 4.0 x16");
    EXPECT_TRUE(l40s->measuredMatmulFlopPerSecond.empty());

    const auto apple = HardwareDatabase::builtIn().find("M3 Max");
    ASSERT_TRUE(apple.has_value()) << apple.error().text();
    EXPECT_EQ(apple->linkBytesPerSecond, std::nullopt);
    EXPECT_EQ(apple->linkName, "");
    EXPECT_EQ(apple->powerWatts, std::nullopt);
}

TEST(HardwareDatabase, SaysWhichShownFiguresNobodyVerified) {
    for (const json& device : hardwareFile()["devices"]) {
        const auto machine = HardwareDatabase::builtIn().find(device["id"].get<std::string>());
        ASSERT_TRUE(machine.has_value());
        for (const char* path :
             {"memory_bytes", "bandwidth_bytes_per_s", "peak_flop_per_s.fp32", "peak_flop_per_s.bf16"}) {
            const bool unverified = device["status"].value(path, "") == "memory";
            EXPECT_EQ(machine->source.find(path) != std::string::npos, unverified)
                << machine->id << " " << path;
        }
    }
}

TEST(HardwareDatabase, FindsByAnyUnambiguousPart) {
    // A whole word goes before a part of another name: L4 before L40S, B200 before GB200.
    const std::vector<std::pair<const char*, const char*>> table{{"h200-sxm-141gb", "h200-sxm-141gb"},
                                                                 {"H200", "h200-sxm-141gb"},
                                                                 {"NVIDIA H100 SXM5 80GB", "h100-sxm5-80gb"},
                                                                 {"H100 SXM", "h100-sxm5-80gb"},
                                                                 {"h100 pcie", "h100-pcie-80gb"},
                                                                 {"a100 sxm 80gb", "a100-sxm4-80gb"},
                                                                 {"4090", "rtx4090-24gb"},
                                                                 {"mi300x", "mi300x-192gb"},
                                                                 {"tpu v5p", "tpu-v5p"},
                                                                 {"L4", "l4-24gb"},
                                                                 {"b200", "b200-180gb"},
                                                                 {"GB300", "gb300-288gb"},
                                                                 {"h20", "h20-96gb"},
                                                                 {"mi355x", "mi355x-288gb"},
                                                                 {"ironwood", "tpu-v7-ironwood"},
                                                                 {"trainium2", "trainium2-96gb"},
                                                                 {"5070 ti", "rtx5070ti-16gb"}};
    for (const auto& [part, id] : table) EXPECT_EQ(idOf(part), id);
}

TEST(HardwareDatabase, ListsTheCandidatesOfAnAmbiguousPart) {
    EXPECT_THAT(idOf("h100"),
                AllOf(HasSubstr("fits 4 devices"), HasSubstr("h100-sxm5-80gb"), HasSubstr("h100-pcie-80gb"),
                      HasSubstr("h100-nvl-94gb"), testing::Not(HasSubstr("a100"))));
    EXPECT_THAT(idOf("abacus"), AllOf(HasSubstr("no device is called 'abacus'"), HasSubstr("tpu-v4")));
    EXPECT_THAT(idOf(""), HasSubstr("error"));
    EXPECT_THAT(idOf("-"), HasSubstr("error"));
    const auto missing = HardwareDatabase::builtIn().find("abacus");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::BadInput);
}

TEST(HardwareDatabase, EveryIdAndNameFindsItself) {
    for (const Machine& machine : HardwareDatabase::builtIn().machines) {
        EXPECT_EQ(idOf(machine.id), machine.id);
        EXPECT_EQ(idOf(machine.name), machine.id);
    }
}

TEST(HardwareDatabase, NamesTheDeviceAndTheFieldThatIsWrong) {
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["bandwidth_bytes_per_s"] = -1; }),
                AllOf(HasSubstr("a10-24gb"), HasSubstr("bandwidth_bytes_per_s")));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3].erase("memory_bytes"); }),
                HasSubstr("memory_bytes is missing"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["peak_flop_per_s"]["fp8"] = 1e15; }),
                AllOf(HasSubstr("peak_flop_per_s.fp8"), HasSubstr("unsupported")));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["peak_flop_per_s"]["bf16"] = nullptr; }),
                HasSubstr("is null"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["status"].erase("peak_flop_per_s.fp32"); }),
                HasSubstr("has no status"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["status"]["memory_bytes"] = "rumour"; }),
                HasSubstr("rumour"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["status"]["memory_bytes"] = "seen:nobody"; }),
                HasSubstr("nobody"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["sources"] = json::array(); }),
                HasSubstr("sources"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["sources"][0] = "nobody"; }), HasSubstr("sources"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["id"] = d["devices"][4]["id"]; }),
                HasSubstr("twice"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3]["name"] = 5; }), HasSubstr("name"));
    EXPECT_THAT(errorAfter([](json& d) { d["devices"][3] = 5; }), HasSubstr("not an object"));
    EXPECT_THAT(errorAfter([](json& d) { d.erase("sources"); }), HasSubstr("lists"));
    EXPECT_FALSE(HardwareDatabase::parse("not json").has_value());
    EXPECT_FALSE(HardwareDatabase::parse("[]").has_value());
}

TEST(PublishedSheet, HasEveryFigureOfTheFileWithItsSource) {
    for (const json& device : hardwareFile()["devices"]) {
        const auto sheet = publishedSheet(device["id"].get<std::string>());
        SCOPED_TRACE(device["id"].get<std::string>());
        ASSERT_TRUE(sheet.has_value());
        EXPECT_EQ(sheet->name, device["name"].get<std::string>());
        const auto figures = figuresOf(device);
        ASSERT_EQ(sheet->figures.size(), figures.size());
        for (const SheetFigure& figure : sheet->figures) {
            const json& value = figures.at(figure.path);
            EXPECT_EQ(figure.value.has_value(), value.is_number()) << figure.path;
            if (figure.value) {
                EXPECT_EQ(*figure.value, value.get<double>()) << figure.path;
            }
            EXPECT_EQ(figure.text, value.is_string() ? value.get<std::string>() : "") << figure.path;
            EXPECT_EQ(figure.status, device["status"][figure.path].get<std::string>());
        }
        EXPECT_EQ(sheet->sources.size(), device["sources"].size());
        EXPECT_EQ(sheet->notes.size(), device["notes"].size());
    }
    EXPECT_FALSE(publishedSheet("abacus").has_value());
    EXPECT_FALSE(publishedSheet("").has_value());
}

}  // namespace
}  // namespace plumb
