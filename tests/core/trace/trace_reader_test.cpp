// SPDX-License-Identifier: Apache-2.0
#include "core/trace/trace_reader.h"

#include "tests/core/trace/trace_files.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace plumb::trace {
namespace {

using namespace test;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> namesOf(const Trace& trace) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < trace.slices.size(); ++i) names.emplace_back(trace.name(i));
    return names;
}

const std::vector<std::string> kThree{
    onHost("cpu_op", "aten::mm", 0, 10, R"("Sequence number": 3, "Fwd thread id": 0)"), launch(2, 3, 41),
    kernel("gemm", 8.5, 4.25, 7, 41)};

TEST(TraceReader, ReadsObjectsArraysAndGzip) {
    const std::string object = document(kThree);
    const std::string array = "[" + kThree[0] + "," + kThree[1] + ",\n" + kThree[2] + "]";
    const TemporaryFolder folder;
    const std::string path = folder.file("trace");
    for (const std::string& text : {object, array, "\xEF\xBB\xBF" + object, packed(object),
                                    packed(object) + packed("\n"), packed(object) + std::string(100, '\0')}) {
        putFile(path, text);
        const auto read = readTrace(path);
        ASSERT_TRUE(read.has_value()) << read.error().text();
        EXPECT_EQ(read->events, 3);
        EXPECT_THAT(namesOf(*read), ElementsAre("gemm", "aten::mm", "cudaLaunchKernel"));
        EXPECT_THAT(read->losses.sentences(), ElementsAre());
        EXPECT_EQ(read->slices.begin[0], 8500);
        EXPECT_EQ(read->slices.duration[0], 4250);
        EXPECT_EQ(read->slices.link[0], 41);
        EXPECT_EQ(read->tracks[0].device, 0);
        EXPECT_EQ(read->tracks[0].stream, 7);
        EXPECT_EQ(read->fileBytes, text.size());
    }
}

TEST(TraceReader, KernelsThatCommunicateSayWhichCollectiveTheyAre) {
    const auto collective = [](std::string_view args, double at) {
        return test::slice("kernel", "ncclDevKernel_AllReduce", R"("pid": 0, "tid": 20)", test::times(at, 5),
                           args);
    };
    const auto read = readText(document(
        {kThree[2],
         collective(R"("device": 0, "stream": 20, "Collective name": "allreduce", "In msg nelems": 1024,
                       "Out msg nelems": 1024, "Group size": 8, "dtype": "BFloat16", "Seq": 7,
                       "Process Group Name": "0", "Process Group Description": "default_pg",
                       "Process Group Ranks": "[0, 1, 2, 3]")",
                    20),
         collective(R"("Process Group Ranks": "[0, 1, 2, 3]", "Process Group Name": "0", "Group size": 8,
                       "Process Group Description": "default_pg", "Collective name": "_allgather_base",
                       "In msg nelems": -3, "device": 0, "stream": 20)",
                    30),
         collective(R"("Process Group Name": "1", "Seq": 2, "device": 0, "stream": 20)", 40)}));
    ASSERT_TRUE(read.has_value());
    const Trace& trace = *read;
    ASSERT_EQ(trace.collectives.size(), 3U) << "none's, and those of two kernels";
    EXPECT_THAT((std::vector{trace.collectiveOf(0), trace.collectiveOf(1), trace.collectiveOf(2),
                             trace.collectiveOf(3)}),
                ElementsAre(0U, 1U, 2U, 0U));
    const Collectives& all = trace.collectives;
    EXPECT_EQ(trace.names.at(all.name[1]), "allreduce");
    EXPECT_EQ(trace.names.at(all.elementType[1]), "BFloat16");
    EXPECT_THAT(all.sequence, ElementsAre(-1, 7, -1));
    EXPECT_THAT(all.elementsIn, ElementsAre(-1, 1024, -1));
    EXPECT_THAT(all.elementsOut, ElementsAre(-1, 1024, -1));
    ASSERT_EQ(trace.groups.size(), 1U);
    EXPECT_EQ(trace.names.at(trace.groups[0].description), "default_pg");
    EXPECT_EQ(trace.names.at(trace.groups[0].ranks), "[0, 1, 2, 3]");
    EXPECT_EQ(trace.groups[0].size, 8);
}

TEST(TraceReader, TracesWithoutCollectivesTakeNoMemoryForThem) {
    const auto read = readText(document(kThree));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->collectives.name.capacity(), 0U);
    EXPECT_EQ(read->groups.capacity(), 0U);
}

TEST(TraceReader, ReadsTheSameInPiecesOfAnySize) {
    const std::string text = document(kThree);
    for (const std::size_t piece : {1, 2, 3, 7, 50, 1000}) {
        const auto read = readText(text, piece);
        ASSERT_TRUE(read.has_value()) << piece;
        EXPECT_EQ(read->events, 3);
        EXPECT_EQ(read->losses, Losses{}) << piece;
    }
}

TEST(TraceReader, ReadsWhatStandsAroundTheEvents) {
    const auto read = readText(
        R"({"deviceProperties": [{"id": 1, "name": "H200", "totalGlobalMem": 150, "numSms": 132}, 3],
            "distributedInfo": {"backend": "nccl", "rank": 5, "world_size": 8, "nccl_version": "2.27.5"},
            "traceEvents": [)" +
        kThree[0] + R"(], "baseTimeNanoseconds": 1711964646000000000})");
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->baseNanoseconds, 1711964646000000000);
    EXPECT_EQ(read->rank, 5);
    EXPECT_EQ(read->worldSize, 8);
    EXPECT_EQ(read->backend, "nccl");
    EXPECT_EQ(read->ncclVersion, "2.27.5");
    EXPECT_THAT(read->devices, ElementsAre(Device{1, "H200", 150, 132}));
}

TEST(TraceReader, GoesOnBehindABrokenEvent) {
    for (const char* broken :
         {R"(  {"ph": "X", "cat": "cpu_op", "name": "say "hi"", "ts": 1, "dur": 2})",
          "  {\"ph\": \"X\", \"name\": \"a\nb\", \"ts\": 1, \"dur\": 2}", R"(  {"ph": "X", "name": )",
          R"(  {"ph": "X", "args": {"a": "C:\dir\"}})", R"(  {"name": "no phase"})", R"(  nonsense)",
          R"(  {"ph": "X", "args": {"a": [1, 2}})"}) {
        std::vector<std::string> events = kThree;
        events.insert(events.begin() + 1, broken);
        for (const std::size_t piece : {std::size_t{5}, SIZE_MAX}) {
            const auto read = readText(document(events), piece);
            ASSERT_TRUE(read.has_value()) << broken;
            EXPECT_EQ(read->slices.size(), 3U) << broken;
            EXPECT_EQ(read->losses.events(), 1) << broken;
            EXPECT_EQ(read->events, 4) << broken;
            EXPECT_FALSE(read->losses.cut) << broken;
        }
        // As the last one, and all in one line.
        events = {kThree[0], kThree[1], kThree[2], broken};
        const auto last = readText(document(events));
        ASSERT_TRUE(last.has_value());
        EXPECT_EQ(last->slices.size(), 3U) << broken;
        EXPECT_EQ(last->losses.broken, 1) << broken;
        const auto line = readText("[" + kThree[0] + ", " + broken + ", " + kThree[1] + "]");
        ASSERT_TRUE(line.has_value());
        EXPECT_EQ(line->slices.size(), 2U) << broken;
    }
}

TEST(TraceReader, ReadsTheEventsBehindABrokenField) {
    for (const char* broken :
         {"\"user\": \"a \"quoted\" word\",", "\"user\": \"two\nlines\",", "\"user\": {\"a\": [},", "oops"}) {
        const auto read =
            readText("{\n\"schemaVersion\": 1,\n" + std::string(broken) + "\n\"traceEvents\": [\n" +
                     kThree[0] + "\n],\n\"baseTimeNanoseconds\": 7\n}");
        ASSERT_TRUE(read.has_value()) << broken;
        EXPECT_EQ(read->events, 1) << broken;
        EXPECT_EQ(read->baseNanoseconds, 7) << broken;
        EXPECT_GE(read->losses.brokenFields, 1) << broken;
        EXPECT_EQ(read->losses.events(), 0) << broken;
    }
}

TEST(TraceReader, KeepsAllWholeEventsOfAFileThatIsCut) {
    std::vector<std::string> events;
    for (int i = 0; i < 50; ++i) events.push_back(kernel("k", i * 10, 5, 7, i + 1));
    const std::string text = document(events);
    const std::string whole = packed(text);
    const TemporaryFolder folder;
    for (std::size_t size = text.find('['); size < text.size(); size += 97) {
        const std::string part = text.substr(0, size);
        const auto read = readText(part);
        const auto count =
            static_cast<std::size_t>(std::count(part.begin(), part.end(), 'k')) / 2;  // "kernel", "k"
        if (!read.has_value()) {
            EXPECT_LE(count, 1U);
            continue;
        }
        EXPECT_TRUE(read->losses.cut) << size;
        EXPECT_EQ(static_cast<std::int64_t>(read->slices.size()) + read->losses.broken, read->events);
        EXPECT_GE(read->slices.size() + 1, count) << size;
    }
    putFile(folder.file("cut.gz"), whole.substr(0, whole.size() * 2 / 3));
    const auto read = readTrace(folder.file("cut.gz"));
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_GT(read->slices.size(), 10U);
    EXPECT_TRUE(read->losses.cut);
}

TEST(TraceReader, MendsTimesAndSaysSo) {
    const auto read = readText(
        document({kernel("back", 10, -3, 7, 1), R"({"ph": "X", "name": "never", "ts": nan, "dur": 1})",
                  R"({"ph": "X", "name": "late", "ts": 1e30, "dur": 1})",
                  R"({"ph": "X", "name": "long", "ts": 1, "dur": inf})", R"({"ph": "X", "name": "none"})"}));
    ASSERT_TRUE(read.has_value());
    EXPECT_THAT(namesOf(*read), ElementsAre("back"));
    EXPECT_EQ(read->slices.duration[0], 0);
    EXPECT_EQ(read->losses.negativeDurations, 1);
    EXPECT_EQ(read->losses.withoutTime, 4);
    EXPECT_EQ(read->losses.events(), 4);
    EXPECT_THAT(read->losses.sentences(), ElementsAre(HasSubstr("4 slices have no usable time"),
                                                      HasSubstr("1 slice ended before it began")));
}

TEST(TraceReader, JoinsBeginningsWithEnds) {
    const auto at = [](char phase, int time, const char* name) {
        return R"({"ph": ")" + std::string(1, phase) + R"(", "name": ")" + name +
               R"(", "pid": 1, "tid": "main", "ts": )" + std::to_string(time) + "}";
    };
    const auto read =
        readText(document({at('B', 0, "outer"), at('B', 2, "inner"), at('E', 5, ""), at('E', 9, ""),
                           at('E', 9, ""), at('B', 10, "open"), kernel("k", 10, 20, 7, 1)}));
    ASSERT_TRUE(read.has_value());
    EXPECT_THAT(namesOf(*read), ElementsAre("k", "outer", "inner", "open"));
    EXPECT_THAT(read->slices.duration, ElementsAre(20'000, 9'000, 3'000, 20'000));
    EXPECT_EQ(read->losses.unbegunEnds, 1);
    EXPECT_EQ(read->losses.unendedSlices, 1);
}

TEST(TraceReader, KeepsMemoryCountersLabelsAndTallies) {
    const auto read = readText(document({
        R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "ts": 5,
             "args": {"Bytes": -512, "Total Allocated": 1024, "Total Reserved": 2048, "Device Type": 1, "Device Id": 0}})",
        R"({"ph": "C", "name": "power", "pid": "GPU 0 Counters", "ts": 6, "args": {"watts": 412.5}})",
        R"({"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": "python"}})",
        R"({"ph": "M", "name": "thread_name", "pid": 1, "tid": 2, "ts": 0, "args": {"name": "pt_autograd_0"}})",
        R"({"ph": "s", "id": 1, "pid": 1, "tid": 2, "ts": 1})",
        R"({"ph": "i", "name": "Iteration Start", "ts": 1})",
        R"({"ph": "X", "cat": "of_tomorrow", "name": "a", "pid": 1, "tid": 2, "ts": 1, "dur": 1})"}));
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->memory.size(), 1U);
    EXPECT_EQ(read->memory[0].bytes, -512);
    EXPECT_EQ(read->memory[0].reserved, 2048);
    ASSERT_EQ(read->counters.size(), 1U);
    EXPECT_EQ(read->counters[0].value, 412.5);
    EXPECT_EQ(read->flows, 1);
    EXPECT_EQ(read->instants, 1);
    EXPECT_EQ(read->names.at(read->tracks[0].processLabel), "python");
    EXPECT_EQ(read->names.at(read->tracks[0].threadLabel), "pt_autograd_0");
    EXPECT_EQ(read->names.at(read->categories.back().name), "of_tomorrow");
    EXPECT_EQ(read->slices.category[0], Category::Other);
}

TEST(TraceReader, RefusesWhatIsNoTrace) {
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), std::string("[1, 2, 3]"),
          std::string("{\"traceEvents\": []}"), std::string("hello"), std::string(1000, '\0'),
          std::string("[{\"a\": 1}]"), std::string("{\"traceEvents\": {}}")}) {
        const auto read = readText(text);
        ASSERT_FALSE(read.has_value()) << text;
        EXPECT_THAT(read.error().text(), HasSubstr("made.json holds no event of a trace"));
    }
    EXPECT_FALSE(readText(std::string(10'000'000, '[')).has_value());
    EXPECT_FALSE(readText("{\"traceEvents\": [" + std::string(10'000'000, '{')).has_value());
    EXPECT_FALSE(readText("{\"a\": " + std::string(40'000'000, '[')).has_value());
}

TEST(TraceReader, RefusesGzipThatGrowsTooMuch) {
    const TemporaryFolder folder;
    std::string bomb = packed("{\"traceEvents\": [" + kThree[0] + ",");
    const std::string blanks = packed(std::string(std::size_t{64} << 20U, ' '));
    for (int i = 0; i < 8; ++i) bomb += blanks;
    putFile(folder.file("bomb.json.gz"), bomb);
    const auto read = readTrace(folder.file("bomb.json.gz"));
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_THAT(read.error().text(), HasSubstr("unpacks to more than 200 times its size"));
}

TEST(TraceReader, AFileThatGrowsIsReadAsItStoodWhenItWasOpened) {
    const TemporaryFolder folder;
    std::string text = "[", more;
    while (text.size() < (std::size_t{3} << 20U)) text += kThree[0] + ",\n";
    while (more.size() < (std::size_t{1} << 20U)) more += kThree[0] + ",\n";
    putFile(folder.file("plain.json"), text);
    putFile(folder.file("packed.json.gz"), packed(text));
    for (const char* name : {"plain.json", "packed.json.gz"}) {
        const auto before = readTrace(folder.file(name));
        ASSERT_TRUE(before.has_value()) << before.error().text();
        EXPECT_EQ(before->losses.grownBytes, 0);
        const std::string piece = std::string(name) == "plain.json" ? more : packed(more);
        std::size_t added = 0;
        const auto grow = [&](double) {
            // Whenever progress is told: who reads to the end of the file would find more each time.
            if (added > (std::size_t{40} << 20U)) return;
            std::ofstream(folder.file(name), std::ios::app | std::ios::binary) << piece;
            added += piece.size();
        };
        const auto grown = readTrace(folder.file(name), {.progress = grow});
        ASSERT_TRUE(grown.has_value()) << grown.error().text();
        EXPECT_EQ(grown->slices.size(), before->slices.size());
        EXPECT_GT(grown->losses.grownBytes, 0);
        EXPECT_LE(grown->losses.grownBytes, static_cast<std::int64_t>(added));
        EXPECT_THAT(grown->losses.sentences(),
                    testing::Contains(HasSubstr("added to the file while it was read")));
    }
}

TEST(TraceReader, RefusesTooManySlices) {
    test::TextPieces source(document(kThree));
    const auto read = readTrace(source, "made.json", {.mostSlices = 2});
    ASSERT_FALSE(read.has_value());
    EXPECT_THAT(read.error().text(), HasSubstr("more than 2 slices"));
}

TEST(TraceReader, StopsWhenItIsTold) {
    std::stop_source stop;
    std::vector<double> shares;
    std::string text = "[";
    while (text.size() < (std::size_t{5} << 20U)) text += kThree[0] + ",\n";
    test::TextPieces source(text);
    const auto read =
        readTrace(source, "made.json", {.stop = stop.get_token(), .progress = [&](double share) {
                                            shares.push_back(share);
                                            if (shares.size() == 2) stop.request_stop();
                                        }});
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::RunFailed);
    EXPECT_EQ(shares.size(), 2U);
}

// One endless text full of beginnings of events must not be scanned from each of them to its end.
TEST(TraceReader, TakesLinearTimeForTextThatBreaksLate) {
    std::string text = "[" + kThree[0] + ", {\"ph\": \"";
    while (text.size() < (std::size_t{12} << 20U)) text += R"(,{'ph': \"x\", {\")";
    text += "\n, {\"ph\": [";
    for (int i = 0; i < 300'000; ++i) text += R"({"ph": [)";
    const auto read = readText(text + "\n," + kThree[1]);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->slices.size(), 2U);
}

TEST(TraceReader, SurvivesWhateverIsChanged) {
    std::vector<std::string> events = kThree;
    for (int i = 0; i < 5; ++i)
        events.push_back(kernel("k" + std::to_string(i), 20 + i, 3, 7 + i % 2, 50 + i));
    const std::string text = document(events);
    test::Draws draw(11);
    for (int i = 0; i < 4000; ++i) {
        std::string changed = text;
        const int changes = 1 + draw.below(3);
        for (int k = 0; k < changes; ++k) {
            const std::size_t at = static_cast<std::size_t>(draw.below(static_cast<int>(changed.size())));
            switch (draw.below(3)) {
            case 0:
                changed[at] = static_cast<char>(draw.below(256));
                break;
            case 1:
                changed.erase(at, static_cast<std::size_t>(draw.below(40)));
                break;
            default:
                changed.insert(at, 1, "{}[]\",:\\\n0"[draw.below(10)]);
            }
        }
        const auto read =
            readText(changed, draw.below(2) == 0 ? SIZE_MAX : 1 + static_cast<std::size_t>(draw.below(50)));
        if (!read.has_value()) continue;
        EXPECT_LE(read->slices.size(), events.size() + 1);
        EXPECT_GE(read->slices.size() + 2 * static_cast<std::size_t>(changes), events.size()) << changed;
    }
}

}  // namespace
}  // namespace plumb::trace
