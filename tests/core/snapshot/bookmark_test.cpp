// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/bookmark.h"

#include "core/io/json_fields.h"
#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>

namespace plumb {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Snapshot markedSnapshot() {
    Snapshot snapshot = sampleSnapshot();
    snapshot.note = "why so slow?\n\n\u2013 the casts";
    snapshot.bookmarks = {{"the peak", "memory", "layer1.matmul", "", std::nullopt},
                          {"\u91cd\u8ba1\u7b97", "timeline", "a", "b", MarkedTime{0.001, 0.0025}},
                          {"", "overview", "", "", std::nullopt}};
    return snapshot;
}

Result<Snapshot> readBack(const Snapshot& snapshot) { return parseSnapshot(snapshotText(snapshot), "it"); }

/// What is said of a good snapshot with another value at `path`.
std::string errorWith(const char* path, const json& value) {
    json document = toJson(markedSnapshot());
    document[json::json_pointer(path)] = value;
    const Result<Snapshot> read = snapshotFromJson(document);
    return read.has_value() ? "no error" : read.error().text();
}

/// Text of any characters that UTF-8 can write, up to `most` of them.
std::string randomText(std::mt19937& random, std::size_t most) {
    constexpr const char* kCharacters[]{"a",      " ",      "\n",         "\t",     "\"",   "\\",
                                        "\u00e4", "\u6d4b", "\U0001f4cd", "\u202e", "\x01", "/"};
    std::string text;
    for (std::size_t left = random() % (most + 1); left > 0; --left)
        text += kCharacters[random() % std::size(kCharacters)];
    return text;
}

TEST(Bookmarks, ComeBackAsTheyWere) {
    const Snapshot written = markedSnapshot();
    const Result<Snapshot> read = readBack(written);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->note, written.note);
    EXPECT_EQ(read->bookmarks, written.bookmarks);
}

TEST(Bookmarks, OfAnyTextComeBackAsTheyWere) {
    std::mt19937 random(15);
    for (int round = 0; round < 60; ++round) {
        Snapshot written = markedSnapshot();
        written.note = randomText(random, round % 4 == 0 ? 16'000 : 40);
        written.bookmarks.clear();
        for (std::uint32_t i = random() % 5; i > 0; --i) {
            Bookmark each{randomText(random, 200), randomText(random, 10), randomText(random, 60), "", {}};
            if (!each.op.empty()) each.lastOp = randomText(random, 60);
            if (random() % 2 == 0) each.time = MarkedTime{0.25 * i, i + std::ldexp(1.0, -int(random() % 60))};
            written.bookmarks.push_back(each);
        }
        const Result<Snapshot> read = readBack(written);
        ASSERT_TRUE(read.has_value()) << read.error().text() << " " << round;
        ASSERT_EQ(read->note, written.note) << round;
        ASSERT_EQ(read->bookmarks, written.bookmarks) << round;
    }
}

TEST(Bookmarks, OfTheGreatestLengthAreRead) {
    Snapshot written = markedSnapshot();
    written.note = std::string(kMostNoteBytes, 'n');
    written.bookmarks.assign(kMostBookmarks, {std::string(kMostTitleBytes, 't'), "memory",
                                              std::string(50, 'o'), "", std::nullopt});
    const Result<Snapshot> read = readBack(written);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->bookmarks, written.bookmarks);
}

TEST(Bookmarks, LeaveAFileWithoutThemAsItWas) {
    const json document = toJson(sampleSnapshot());
    EXPECT_FALSE(document.contains("note"));
    EXPECT_FALSE(document.contains("bookmarks"));
    const Result<Snapshot> read = snapshotFromJson(document);
    ASSERT_TRUE(read.has_value());
    EXPECT_TRUE(read->note.empty() && read->bookmarks.empty());
}

TEST(Bookmarks, DoNotMakeAFileOfANewerVersion) {
    EXPECT_EQ(toJson(markedSnapshot())["version"], toJson(sampleSnapshot())["version"]);
}

TEST(Bookmarks, ThatMakeNoSenseAreRefusedByTheirField) {
    EXPECT_THAT(errorWith("/note", 5), HasSubstr("note is not a text"));
    EXPECT_THAT(errorWith("/note", std::string(kMostNoteBytes + 1, 'n')), HasSubstr("note is a text of"));
    EXPECT_THAT(errorWith("/bookmarks", json::object()), HasSubstr("bookmarks"));
    EXPECT_THAT(errorWith("/bookmarks/0", "memory"), HasSubstr("bookmarks[0]"));
    EXPECT_THAT(errorWith("/bookmarks/0/title", nullptr), HasSubstr("bookmarks[0].title"));
    EXPECT_THAT(errorWith("/bookmarks/0/title", std::string(kMostTitleBytes + 1, 't')),
                HasSubstr("bookmarks[0].title is a text of 1001 bytes"));
    EXPECT_THAT(errorWith("/bookmarks/2/view", std::string(kMostViewBytes + 1, 'v')),
                HasSubstr("bookmarks[2].view"));
    EXPECT_THAT(errorWith("/bookmarks/0/op", std::string(kMostOpIdBytes + 1, 'o')),
                HasSubstr("bookmarks[0].op"));
    EXPECT_THAT(errorWith("/bookmarks/2/last_op", "b"), HasSubstr("last_op has no op before it"));
    EXPECT_THAT(errorWith("/bookmarks/1/time/to", 0.0005), HasSubstr("time.to is before from"));
    EXPECT_THAT(errorWith("/bookmarks/1/time/from", -1), HasSubstr("time.from"));
    EXPECT_THAT(errorWith("/bookmarks",
                          json(std::vector<json>(kMostBookmarks + 1, {{"title", ""}, {"view", "memory"}}))),
                HasSubstr("has 1001 entries"));
}

TEST(Bookmarks, SayWhereTheyAre) {
    const std::vector<Bookmark> marks = markedSnapshot().bookmarks;
    EXPECT_EQ(placeText(marks[0]), "layer1.matmul");
    EXPECT_EQ(placeText(marks[1]), "a to b, 1.00 ms to 2.50 ms");
    EXPECT_EQ(placeText(marks[2]), "");
}

}  // namespace
}  // namespace plumb
