// SPDX-License-Identifier: Apache-2.0
#include "core/base/words.h"
#include "core/memory_snapshot/memory_snapshot.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stop_token>
#include <string>
#include <utility>

namespace plumb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

std::string sample(const std::string& name) { return PLUMB_TEST_DATA "/memory/" + name + ".pickle"; }

Result<MemorySnapshot> readBytes(const std::string& bytes, const MemorySnapshotOptions& options = {}) {
    const TemporaryFolder folder;
    putFile(folder.file("x.pickle"), bytes);
    return readMemorySnapshot(folder.file("x.pickle"), options);
}

std::string refusal(const std::string& bytes, ErrorCode code = ErrorCode::BadInput) {
    const auto read = readBytes(bytes);
    if (read.has_value()) return "no error";
    EXPECT_EQ(read.error().code, code) << read.error().message;
    EXPECT_FALSE(read.error().hint.empty());
    return read.error().message;
}

/// The start of a pickle of protocol 4.
std::string pickled(const std::string& opcodes) { return "\x80\x04" + opcodes; }
std::string text(const std::string& content) {
    return std::string("\x8c") + static_cast<char>(content.size()) + content;
}
/// A snapshot whose only entry has these keys and values.
std::string withEntry(const std::string& items) {
    return pickled("}(" + text("segments") + "]" + text("device_traces") + "]](}(" + items + "ueau.");
}

class Protocols : public testing::TestWithParam<int> {};

TEST_P(Protocols, HoldTheSameSnapshot) {
    const auto snapshot = readMemorySnapshot(sample("step_protocol" + std::to_string(GetParam())));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().text();
    EXPECT_EQ(snapshot->protocol, GetParam());
    EXPECT_EQ(snapshot->entries.count(), 72U);
    ASSERT_EQ(snapshot->traces.size(), 1U);
    EXPECT_EQ(snapshot->segments.size(), 4U);
    EXPECT_EQ(snapshot->blocks.size(), 18U);
    EXPECT_EQ(snapshot->annotations.size(), 2U);
    EXPECT_TRUE(snapshot->annotations.back().isEnd);
    EXPECT_EQ(snapshot->texts[snapshot->annotations.front().name], "Optimizer.step#AdamW.step");
    EXPECT_THAT(snapshot->otherActions, ElementsAre("a_new_one"));
    EXPECT_EQ(snapshot->actionName(snapshot->entries.action[71]), "a_new_one");
    EXPECT_EQ(snapshot->actionName(snapshot->entries.action[1]), "segment_alloc");
    EXPECT_EQ(snapshot->findings[MemoryFinding::UnknownAction], 1);
    EXPECT_EQ(snapshot->findings[MemoryFinding::NotTiled], 0);
    EXPECT_THAT(snapshot->unreadFields, ElementsAre());
    EXPECT_THAT(snapshot->settings,
                testing::Contains(std::pair<std::string, std::string>("max_split_size", "-1")));
    EXPECT_THAT(snapshot->settings,
                testing::Contains(std::pair<std::string, std::string>("roundup_power2_divisions.2", "0")));
}

INSTANTIATE_TEST_SUITE_P(Two, Protocols, testing::Values(2, 3, 4, 5));

TEST(MemorySnapshot, SharesFramesAndStacks) {
    const auto snapshot = readMemorySnapshot(sample("step_protocol4"));
    ASSERT_TRUE(snapshot.has_value());
    EXPECT_LE(snapshot->stacks.size(), 12U);
    const auto stack = snapshot->stacks[snapshot->entries.stack[0]];
    ASSERT_FALSE(stack.empty());
    const MemoryFrame outermost = snapshot->frames[stack.back()];
    EXPECT_EQ(snapshot->texts[outermost.name], "<module>");
    EXPECT_EQ(snapshot->texts[outermost.file], "/home/a/train.py");
    EXPECT_EQ(outermost.line, 81);
}

TEST(MemorySnapshot, ReadsFieldsOfNewerVersions) {
    const auto snapshot = readMemorySnapshot(sample("two_devices"));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().text();
    EXPECT_THAT(snapshot->unreadFields,
                testing::UnorderedElementsAre("pool_id", "compile_context", "internal_metadata",
                                              "host_segments", "host_traces"));
    EXPECT_EQ(snapshot->texts[snapshot->entries.note[1]], "phase=forward, module=blocks.1");
    // An address above 2^63 has nine bytes in the file.
    EXPECT_EQ(static_cast<std::uint64_t>(snapshot->segments.back().address) >> 48U, 0xFFFFU);
    EXPECT_TRUE(snapshot->segments.back().isExpandable);
    EXPECT_EQ(snapshot->texts[snapshot->segments.front().type], "large");
}

TEST(MemorySnapshot, ReadsWhatVersionsBefore21Wrote) {
    const auto snapshot = readMemorySnapshot(sample("before_2.1"));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().text();
    EXPECT_EQ(snapshot->findings[MemoryFinding::NotTiled], 0) << "addresses follow from the sizes";
    const auto alone = readMemorySnapshot(sample("segments_alone"));
    ASSERT_TRUE(alone.has_value()) << alone.error().text();
    EXPECT_EQ(alone->segments.size(), 4U);
}

TEST(MemorySnapshot, RefusesCodeByItsName) {
    EXPECT_THAT(refusal(pickled("cposix\nsystem\n" + text("touch /tmp/x") + "\x85R.")),
                AllOf(HasSubstr("byte 2 of"), HasSubstr("the opcode GLOBAL (posix.system)"),
                      HasSubstr("not executed")));
    EXPECT_THAT(refusal(pickled(text("builtins") + text("eval") + "\x93" + text("1") + "\x85R.")),
                HasSubstr("the opcode STACK_GLOBAL (builtins.eval)"));
    const std::pair<const char*, const char*> others[] = {
        {"R", "REDUCE"},      {"b", "BUILD"},      {"(i", "INST"},     {"(o", "OBJ"},
        {"P", "PERSID"},      {"Q", "BINPERSID"},  {"\x81", "NEWOBJ"}, {"\x92", "NEWOBJ_EX"},
        {"\x82\x01", "EXT1"}, {"\x83", "EXT2"},    {"\x84", "EXT4"},   {"\x97", "NEXT_BUFFER"},
        {"2", "DUP"},         {"S'a'\n", "STRING"}};
    for (const auto& [opcodes, name] : others)
        EXPECT_THAT(refusal(pickled(std::string("}") + opcodes + "...........")),
                    HasSubstr(std::string("the opcode ") + name));
    EXPECT_THAT(refusal(pickled("}\xff.")), HasSubstr("byte 3 of"));
}

TEST(MemorySnapshot, RefusesWhatIsNoPickle) {
    EXPECT_THAT(refusal(""), HasSubstr("is no pickle"));
    EXPECT_THAT(refusal("{\"traceEvents\": []}"), HasSubstr("is no pickle"));
    EXPECT_THAT(refusal("\x80\x07}."), HasSubstr("a pickle of protocol 7"));
    EXPECT_THAT(refusal(pickled("}.")), HasSubstr("neither segments nor device_traces"));
    EXPECT_THAT(refusal(pickled("K\x05.")), HasSubstr("neither a dict nor a list"));
    // What is said of a file stands behind its name, so that the rest is told in another language too.
    EXPECT_THAT(refusal(pickled("}.")), HasSubstr("x.pickle is no memory snapshot: it has neither"));
    setWordsLanguage("zh_CN");
    EXPECT_THAT(inWords(readBytes(pickled("}.")).error().text()),
                HasSubstr("x.pickle 不是显存快照：它既没有 segments 也没有 device_traces：请"));
    setWordsLanguage("");
    EXPECT_TRUE(isPickle(pickled("}.")));
    EXPECT_FALSE(isPickle("\x80\x06"));
    EXPECT_FALSE(isPickle("\x80"));
}

TEST(MemorySnapshot, SaysWhereAFileEnds) {
    const std::string whole = getFile(sample("step_protocol4"));
    for (const std::size_t end : {std::size_t{2}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
        const std::string what = refusal(whole.substr(0, end));
        EXPECT_TRUE(what.find("ends early") != std::string::npos ||
                    what.find("are left") != std::string::npos)
            << what;
    }
    const auto longer = readBytes(whole + "\0\0"s);
    ASSERT_TRUE(longer.has_value());
    EXPECT_EQ(longer->findings[MemoryFinding::BytesBehindEnd], 2);
}

TEST(MemorySnapshot, RefusesLengthsThatTheFileDoesNotHave) {
    EXPECT_THAT(refusal(pickled("\x8d\xff\xff\xff\xff\xff\xff\xff\x7f")),
                HasSubstr("declares a text of 9223372036854775807"));
    EXPECT_THAT(refusal(pickled("X\xff\xff\xff\xff.....")),
                HasSubstr("declares a text of 4294967295 bytes, but 5"));
    EXPECT_THAT(refusal(pickled("\x95\xff\xff\xff\xff\x00\x00\x00\x00}."s)),
                HasSubstr("declares a frame of"));
    EXPECT_THAT(refusal(pickled("\x8a\x0a..........")), HasSubstr("a whole number of 10 bytes"));
    EXPECT_THAT(refusal(pickled("\x8b\xff\xff\xff\x7f")), HasSubstr("a whole number of 2147483647 bytes"));
}

TEST(MemorySnapshot, RefusesNestingAndReferencesBeyondWhatIsThere) {
    std::string deep;
    for (int i = 0; i < 200; ++i) deep += "](";
    EXPECT_THAT(refusal(pickled(deep)), HasSubstr("nests deeper than 100 marks"));
    EXPECT_THAT(refusal(pickled("]r\xff\xff\xff\xff.")),
                HasSubstr("notes a value as number 4294967295, but only 0"));
    EXPECT_THAT(refusal(pickled("]\x94h\x07.")), HasSubstr("refers to value 7, but only 1"));
    EXPECT_THAT(refusal(pickled("u.")), HasSubstr("ends a stretch that has no beginning"));
    EXPECT_THAT(refusal(pickled("(u.")), HasSubstr("takes a value where there is none"));
    EXPECT_THAT(refusal(pickled("}(Nu.")), HasSubstr("a key without a value"));
    EXPECT_THAT(refusal(pickled("](NNu.")), HasSubstr("what is no dict"));
    EXPECT_THAT(refusal(pickled("}Na.")), HasSubstr("what is no list"));
    EXPECT_THAT(refusal(pickled("]N.")), HasSubstr("values are left over"));
}

TEST(MemorySnapshot, BoundsItsMemory) {
    MemorySnapshotOptions options;
    options.mostBytes = std::size_t{64} << 20U;
    // 16 bytes of memory for each byte of the file.
    const auto bomb = readBytes(pickled(std::string(std::size_t{16} << 20U, ']')), options);
    ASSERT_FALSE(bomb.has_value());
    EXPECT_EQ(bomb.error().code, ErrorCode::OutOfMemory);
    EXPECT_THAT(bomb.error().message, HasSubstr("more than the 67.1 MB"));

    // A list of frames that grows frame by frame is another stack each time.
    std::string growing = pickled("}\x94(" + text("filename") + text("a.py") + "u]\x94");
    for (int i = 0; i < 100'000; ++i) growing += "h" + std::string(1, '\0') + "a";
    const auto slow = readBytes(growing, options);
    ASSERT_FALSE(slow.has_value());
    EXPECT_EQ(slow.error().code, ErrorCode::OutOfMemory);
}

TEST(MemorySnapshot, RefusesTracesThatNameEntriesAgainAndAgain) {
    std::string bytes = pickled("}(" + text("device_traces") + "](](");
    for (int i = 0; i < 3; ++i) bytes += "}(" + text("action") + text("alloc") + "u";
    bytes += "e\x94";
    for (int i = 0; i < 100; ++i) bytes += "h" + std::string(1, '\0');
    EXPECT_THAT(refusal(bytes + "eu."), HasSubstr("name the same entries more than once"));
}

TEST(MemorySnapshot, RepairsFieldsAndCountsThem) {
    const auto wrong = readBytes(withEntry(text("action") + text("alloc") + text("size") + text("big") +
                                           text("addr") + "N" + text("frames") + "K\x01"));
    ASSERT_TRUE(wrong.has_value()) << wrong.error().text();
    EXPECT_EQ(wrong->findings[MemoryFinding::WrongType], 2);
    const auto negative =
        readBytes(withEntry(text("action") + text("alloc") + text("size") + "J\xff\xff\xff\xff"));
    ASSERT_TRUE(negative.has_value());
    EXPECT_EQ(negative->findings[MemoryFinding::NegativeSize], 1);
    EXPECT_EQ(negative->entries.size[0], 0);
    const auto large = readBytes(withEntry(text("size") + "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f" +
                                           text("action") + text("alloc")));
    ASSERT_TRUE(large.has_value());
    EXPECT_EQ(large->findings[MemoryFinding::SizeOutOfRange], 1);
}

TEST(MemorySnapshot, CountsMemoryOnceThatTwoBlocksName) {
    // A segment of 1024 bytes at 4096, and blocks in use of 512 each at the addresses.
    const auto number = [](std::int64_t value) {
        return "M"s + static_cast<char>(value & 0xFF) + static_cast<char>(value >> 8);
    };
    const auto block = [&](std::int64_t address) {
        return "}(" + text("address") + number(address) + text("size") + number(512) +
               text("requested_size") + number(500) + text("state") + text("active_allocated") + "u";
    };
    const auto segment = [&](const std::string& blocks) {
        return "}(" + text("device") + "K"s + '\0' + text("address") + number(4096) + text("total_size") +
               number(1024) + text("blocks") + "](" + blocks + "eu";
    };
    const auto snapshot = [&](const std::string& segments) {
        return readBytes(
            pickled("}(" + text("segments") + "](" + segments + "e" + text("device_traces") + "]u."));
    };
    const auto requested = [](const MemorySnapshot& read) {
        Bytes sum = 0;
        for (const MemoryBlock& each : read.blocks)
            if (each.state != BlockState::Inactive) sum += each.requested;
        return sum;
    };
    const auto good = snapshot(segment(block(4096) + block(4608)));
    ASSERT_TRUE(good.has_value()) << good.error().text();
    EXPECT_EQ(good->findings[MemoryFinding::RepeatedAddress], 0);
    EXPECT_EQ(good->findings[MemoryFinding::NotTiled], 0);
    EXPECT_EQ(requested(*good), 1000);
    const auto twice = snapshot(segment(block(4096) + block(4096)));
    ASSERT_TRUE(twice.has_value()) << twice.error().text();
    EXPECT_EQ(twice->findings[MemoryFinding::RepeatedAddress], 1);
    EXPECT_EQ(requested(*twice), 500) << "the first one keeps the address";
    EXPECT_EQ(twice->blocks.front().requested, 500);
    const auto segments = snapshot(segment(block(4096) + block(4608)) + segment(block(4096) + block(4608)));
    ASSERT_TRUE(segments.has_value()) << segments.error().text();
    EXPECT_EQ(segments->findings[MemoryFinding::RepeatedAddress], 3) << "a segment and two blocks";
    EXPECT_EQ(requested(*segments), 1000);
    EXPECT_EQ(segments->segments.back().bytes, 0);
}

TEST(MemorySnapshot, AFileThatGrowsIsReadAsItStoodWhenItWasOpened) {
    const TemporaryFolder folder;
    const std::string path = folder.file("x.pickle");
    std::filesystem::copy_file(sample("step_protocol4"), path);
    std::ofstream(path, std::ios::app | std::ios::binary) << std::string(3 << 20, '\0');
    const auto whole = readMemorySnapshot(path);
    ASSERT_TRUE(whole.has_value()) << whole.error().text();
    EXPECT_EQ(whole->findings[MemoryFinding::GrownBytes], 0);
    MemorySnapshotOptions options;
    bool isFirst = true;
    options.onProgress = [&](std::uint64_t, std::uint64_t) {
        if (std::exchange(isFirst, false))
            std::ofstream(path, std::ios::app | std::ios::binary) << std::string(1 << 20, 'x');
    };
    const auto grown = readMemorySnapshot(path, options);
    ASSERT_TRUE(grown.has_value()) << grown.error().text();
    EXPECT_FALSE(isFirst);
    EXPECT_EQ(grown->findings[MemoryFinding::GrownBytes], 1 << 20);
    EXPECT_EQ(grown->entries.count(), whole->entries.count());
}

TEST(MemorySnapshot, TakesKeysOneByOneAndInAnyOrder) {
    const auto snapshot =
        readBytes(pickled("}" + text("device_traces") + "]]}" + text("size") + "K\x07s" + text("action") +
                          text("free_requested") + "s" + text("addr") + "K\x09saas."));
    ASSERT_TRUE(snapshot.has_value()) << snapshot.error().text();
    ASSERT_EQ(snapshot->entries.count(), 1U);
    EXPECT_EQ(snapshot->entries.size[0], 7);
    EXPECT_EQ(snapshot->entries.address[0], 9);
    EXPECT_EQ(snapshot->entries.action[0], static_cast<std::uint8_t>(MemoryAction::FreeRequested));
    ASSERT_EQ(snapshot->traces.size(), 1U);
    ASSERT_EQ(snapshot->traces[0].size(), 1U);
}

TEST(MemorySnapshot, TellsItsProgressAndCanBeCancelled) {
    MemorySnapshotOptions options;
    std::uint64_t last = 0;
    std::uint64_t all = 0;
    options.onProgress = [&](std::uint64_t read, std::uint64_t total) {
        last = read;
        all = total;
    };
    ASSERT_TRUE(readMemorySnapshot(sample("step_protocol4"), options).has_value());
    EXPECT_EQ(last, all);
    EXPECT_EQ(all, std::filesystem::file_size(sample("step_protocol4")));
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    const auto cancelled = readMemorySnapshot(sample("step_protocol4"), options);
    ASSERT_FALSE(cancelled.has_value());
    EXPECT_EQ(cancelled.error().code, ErrorCode::RunFailed);
}

}  // namespace
}  // namespace plumb
