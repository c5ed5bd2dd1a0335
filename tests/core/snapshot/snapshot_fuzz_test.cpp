// SPDX-License-Identifier: Apache-2.0
#include "core/export/tables.h"
#include "core/io/json_fields.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace plumb {
namespace {

using nlohmann::json;

/// Every value of a document, with the document's own root last.
void collect(json& value, std::vector<json*>& all) {
    if (value.is_structured())
        for (json& child : value) collect(child, all);
    all.push_back(&value);
}

TEST(SnapshotFuzz, AnyValueInAnyPlaceIsReadOrRefused) {
    const std::vector<json> values{nullptr,
                                   true,
                                   0,
                                   -1,
                                   1,
                                   1e308,
                                   -0.0,
                                   INT64_MAX,
                                   UINT64_MAX,
                                   json::object(),
                                   json::array(),
                                   "",
                                   "forward",
                                   "1",
                                   "all",
                                   2.5,
                                   "\xc3\x28",
                                   json::array({nullptr, "x"})};
    const json original = toJson(sampleSnapshot());
    std::mt19937 random(1);
    int accepted = 0;
    for (int round = 0; round < 2000; ++round) {
        json document = original;
        std::vector<json*> all;
        collect(document, all);
        *all[random() % all.size()] = values[random() % values.size()];
        const auto read = snapshotFromJson(document);
        if (!read.has_value()) {
            ASSERT_FALSE(read.error().message.empty());
            continue;
        }
        // What was accepted can be used: written again, it is accepted again.
        ++accepted;
        ASSERT_TRUE(snapshotFromJson(toJson(*read)).has_value());
        ASSERT_FALSE(toCsv(opsTable(exportedStep(*read))).empty());
    }
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, 2000);
}

TEST(SnapshotFuzz, AnyBytesAreReadOrRefused) {
    Snapshot small = sampleSnapshot();
    small.measured.reset();
    const std::string original = dumpJson(toJson(small));
    std::mt19937 random(2);
    for (int round = 0; round < 1000; ++round) {
        std::string text = original;
        for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
            const std::size_t place = random() % text.size();
            switch (random() % 4) {
            case 0:
                text[place] = static_cast<char>(random());
                break;
            case 1:
                text.erase(place, 1 + random() % 20);
                break;
            case 2:
                text.insert(place, text.substr(random() % text.size(), random() % 50));
                break;
            default:
                text[place] = "{}[]\",:0-e.n"[random() % 12];
                break;
            }
        }
        const auto parsed = parseJson(text, "it");
        if (parsed.has_value()) (void)snapshotFromJson(*parsed).has_value();
    }
}

}  // namespace
}  // namespace plumb
