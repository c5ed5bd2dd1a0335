// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors.h"

#include "core/io/file.h"
#include "core/io/system_error.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <climits>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>

#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <unistd.h>

namespace plumb {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

std::span<const std::byte> bytesOf(const std::string& text) { return std::as_bytes(std::span(text)); }

/// A file of this header and `dataBytes` zeros; the length is the header's unless another is given.
std::string fileOf(const std::string& header, std::size_t dataBytes,
                   std::uint64_t length = std::numeric_limits<std::uint64_t>::max()) {
    if (length == std::numeric_limits<std::uint64_t>::max()) length = header.size();
    std::string file(8, '\0');
    std::memcpy(file.data(), &length, 8);
    return file + header + std::string(dataBytes, '\0');
}

std::string headerError(const std::string& file) {
    const auto header = parseSafetensorsHeader(bytesOf(file), "x.safetensors");
    if (header.has_value()) return "no error";
    EXPECT_EQ(header.error().code, ErrorCode::BadInput);
    EXPECT_THAT(header.error().message, HasSubstr("x.safetensors"));
    EXPECT_FALSE(header.error().hint.empty());
    return header.error().text();
}

std::string tensor(const std::string& name, const std::string& rest) {
    return "\"" + name + "\":{" + rest + "}";
}

std::vector<std::byte> someBytes(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
    return bytes;
}

std::vector<std::string> namesIn(const TemporaryFolder& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        names.push_back(entry.path().filename().string());
    return names;
}

TEST(Safetensors, ReadsWhatTheReferenceLibraryWrote) {
    const auto file = SafetensorsFile::open(PLUMB_TEST_DATA "/safetensors/reference.safetensors");
    ASSERT_TRUE(file.has_value()) << file.error().text();
    EXPECT_EQ(file->metadata().at("format"), "pt");
    EXPECT_EQ(file->metadata().at("text"), "quotes \" and ümläuts");
    ASSERT_EQ(file->tensors().size(), 10U);
    const auto entry = [&](const char* name) { return *file->find(name); };
    EXPECT_EQ(entry("double").dtype, "F64");
    EXPECT_THAT(entry("double").shape, ElementsAre(2, 3));
    EXPECT_THAT(entry("bfloat").shape, ElementsAre(2, 2, 2));
    EXPECT_EQ(entry("e4m3").dtype, "F8_E4M3");
    EXPECT_EQ(entry("e5m2").dtype, "F8_E5M2");
    EXPECT_EQ(entry("flags").dtype, "BOOL");
    EXPECT_TRUE(entry("scalar").shape.empty());
    EXPECT_TRUE(file->bytes(entry("empty"))->empty());
    EXPECT_EQ(file->find("no such tensor"), nullptr);

    std::array<float, 6> single{};
    ASSERT_EQ(file->bytes(entry("single"))->size(), sizeof single);
    std::memcpy(single.data(), file->bytes(entry("single"))->data(), sizeof single);
    EXPECT_THAT(single, ElementsAre(-1.0F, -0.75F, -0.5F, -0.25F, 0.0F, 0.25F));
    std::array<std::uint16_t, 8> bfloat{};
    ASSERT_EQ(file->bytes(entry("bfloat"))->size(), sizeof bfloat);
    std::memcpy(bfloat.data(), file->bytes(entry("bfloat"))->data(), sizeof bfloat);
    for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(floatFromBf16(bfloat[i]), static_cast<float>(i) / 4 - 1);
}

TEST(Safetensors, WritesTheReferenceLibrarysFileByteForByte) {
    // Without the integers and booleans, which no tensor of a training has.
    const std::string path = PLUMB_TEST_DATA "/safetensors/reference.safetensors";
    const auto reference = SafetensorsFile::open(path);
    ASSERT_TRUE(reference.has_value());
    std::vector<SafetensorsTensor> tensors;
    std::vector<std::vector<std::byte>> content;
    content.reserve(reference->tensors().size());
    std::string data;
    for (const SafetensorsEntry& entry : reference->tensors()) {
        if (entry.dtype == "I64" || entry.dtype == "BOOL") continue;
        Dtype dtype = Dtype::Fp64;
        for (const Dtype candidate : kAllDtypes)
            if (safetensorsDtype(candidate) == entry.dtype) dtype = candidate;
        content.push_back(*reference->bytes(entry));
        tensors.push_back({entry.name, dtype, entry.shape, content.back()});
        data.append(reinterpret_cast<const char*>(tensors.back().bytes.data()), tensors.back().bytes.size());
    }
    const TemporaryFolder folder;
    ASSERT_TRUE(writeSafetensors(folder.file("x"), tensors, reference->metadata()).has_value());
    const std::string ours = getFile(folder.file("x")), theirs = getFile(path);
    // The same text up to the offsets, which differ by what was left out, and the same data.
    const std::string begin = R"({"__metadata__":{"format":"pt","text":"quotes \" and ümläuts"},)";
    EXPECT_EQ(theirs.substr(8, begin.size()), begin);
    EXPECT_EQ(ours.substr(8, begin.size()), begin);
    EXPECT_EQ(ours.substr(ours.size() - data.size()), data);
    EXPECT_EQ((ours.size() - data.size()) % 8, 0U);
}

TEST(Safetensors, ComesBackAsItWasWritten) {
    std::mt19937 random(7);
    const TemporaryFolder folder;
    for (unsigned round = 0; round < 50; ++round) {
        std::vector<std::vector<std::byte>> data;
        std::vector<SafetensorsTensor> tensors;
        std::map<std::string, std::string> metadata;
        const std::uint64_t count = random() % 12;
        data.reserve(count);
        for (unsigned i = 0; i < count; ++i) {
            Dtype dtype = kAllDtypes[random() % kAllDtypes.size()];
            std::vector<std::int64_t> shape(random() % 4);
            std::size_t elements = 1;
            for (std::int64_t& size : shape) elements *= static_cast<std::size_t>(size = random() % 5);
            if (elements % 2 != 0 && dtype == Dtype::Fp4E2M1) dtype = Dtype::Fp16;  // no half byte in a file
            data.push_back(someBytes(elements * static_cast<std::size_t>(dtypeBits(dtype)) / 8,
                                     static_cast<unsigned>(random())));
            tensors.push_back({"täns\"or\n" + std::to_string(i), dtype, shape, data.back()});
            metadata["key " + std::to_string(i)] = "\\value\t" + std::to_string(random());
        }
        ASSERT_TRUE(writeSafetensors(folder.file("x"), tensors, metadata).has_value());
        const auto file = SafetensorsFile::open(folder.file("x"));
        ASSERT_TRUE(file.has_value()) << file.error().text();
        EXPECT_EQ(file->metadata(), metadata);
        ASSERT_EQ(file->tensors().size(), tensors.size());
        for (const SafetensorsTensor& written : tensors) {
            const SafetensorsEntry* const entry = file->find(written.name);
            ASSERT_NE(entry, nullptr);
            EXPECT_EQ(entry->dtype, safetensorsDtype(written.dtype));
            EXPECT_EQ(entry->shape, written.shape);
            EXPECT_TRUE(std::ranges::equal(*file->bytes(*entry), written.bytes));
            EXPECT_EQ(entry->begin % static_cast<std::uint64_t>(dtypeSize(written.dtype)), 0U)
                << "not aligned";
        }
    }
}

TEST(Safetensors, RefusesToWriteWhatItCouldNotReadBack) {
    const TemporaryFolder folder;
    const auto four = someBytes(4, 1);
    EXPECT_FALSE(
        writeSafetensors(folder.file("x"), {{"a", Dtype::Fp32, {1}, four}, {"a", Dtype::Fp32, {1}, four}}, {})
            .has_value());
    EXPECT_FALSE(
        writeSafetensors(folder.file("x"), {{"__metadata__", Dtype::Fp32, {1}, four}}, {}).has_value());
    EXPECT_FALSE(writeSafetensors(folder.file("x"), {{"a", Dtype::Fp32, {2}, four}}, {}).has_value());
    EXPECT_EQ(folder.entries(), 0U);
}

TEST(Safetensors, AFailedWriteLeavesTheOldFileAndNothingElse) {
    const TemporaryFolder folder;
    const auto four = someBytes(4, 1);
    ASSERT_TRUE(writeSafetensors(folder.file("x"), {{"a", Dtype::Fp32, {1}, four}}, {}).has_value());
    const std::string before = getFile(folder.file("x"));
    const auto failed = writeSafetensors("/dev/full", {{"a", Dtype::Fp32, {1}, four}}, {});
    ASSERT_FALSE(failed.has_value());
    EXPECT_THAT(failed.error().message, HasSubstr("No space left"));
    {
        auto file = AtomicFile::create(folder.file("x"));
        ASSERT_TRUE(file.has_value());
        ASSERT_TRUE(file->write(four).has_value());
        // It has no name yet, or a temporary one where the file system cannot do without.
        for (const std::string& name : namesIn(folder))
            EXPECT_TRUE(name == "x" || AtomicFile::isTemporaryName(name, "x")) << name;
    }
    EXPECT_EQ(folder.entries(), 1U);
    EXPECT_EQ(getFile(folder.file("x")), before);
}

TEST(Safetensors, KnowsTheTemporaryNamesOfAFileAndNoOthers) {
    const TemporaryFolder folder;
    const Descriptor watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    ASSERT_GE(::inotify_add_watch(watch.get(), folder.path().c_str(), IN_CREATE), 0);
    auto file = AtomicFile::create(folder.file("a.safetensors"));
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->commit().has_value());
    // The name may be there for a moment only.
    alignas(inotify_event) std::array<char, sizeof(inotify_event) + NAME_MAX + 1> event{};
    ASSERT_GT(::read(watch.get(), event.data(), event.size()), static_cast<ssize_t>(sizeof(inotify_event)));
    const std::string name = event.data() + sizeof(inotify_event);
    EXPECT_TRUE(AtomicFile::isTemporaryName(name, "a.safetensors"));
    EXPECT_FALSE(AtomicFile::isTemporaryName(name, "b.safetensors"));
    EXPECT_FALSE(AtomicFile::isTemporaryName("a.safetensors", "a.safetensors"));
    EXPECT_FALSE(AtomicFile::isTemporaryName(".a.safetensors.tmp", "a.safetensors"));
    EXPECT_FALSE(AtomicFile::isTemporaryName(".a.safetensors.12x.tmp", "a.safetensors"));
    EXPECT_FALSE(AtomicFile::isTemporaryName(".a.safetensors..tmp", "a.safetensors"));
}

TEST(Safetensors, TellsOtherFilesFromTruncatedOnes) {
    EXPECT_THAT(headerError(""), HasSubstr("is empty"));
    EXPECT_THAT(headerError("{}"), HasSubstr("is truncated"));
    EXPECT_THAT(headerError(std::string("PK\x03\x04 some zip archive")),
                HasSubstr("is not a .safetensors file"));
    EXPECT_THAT(headerError(fileOf("[1, 2]", 0)), HasSubstr("is not a .safetensors file"));
    EXPECT_THAT(headerError(fileOf("{}", 0, 100'000'001)), HasSubstr("at most 100000000"));
    EXPECT_THAT(headerError(fileOf("{}", 0, std::uint64_t{1} << 63U)), HasSubstr("9223372036854775808"));
    EXPECT_THAT(headerError(fileOf("{}", 0, 3)),
                AllOf(HasSubstr("truncated"), HasSubstr("3 bytes and 2 are there")));
    EXPECT_THAT(headerError(fileOf("", 0, 0)), HasSubstr("x.safetensors"));
}

TEST(Safetensors, EveryTruncationIsRefusedAndTheWholeFileIsNot) {
    const std::string whole = getFile(PLUMB_TEST_DATA "/safetensors/reference.safetensors");
    ASSERT_GT(whole.size(), 800U);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(headerError(whole.substr(0, size)), "no error") << size;
    EXPECT_EQ(headerError(whole), "no error");
    EXPECT_THAT(headerError(whole + "x"), HasSubstr("1 bytes of data that belong to no tensor"));
}

TEST(Safetensors, AcceptsWhatTheFormatAllows) {
    EXPECT_EQ(headerError(fileOf("{}", 0)), "no error");
    EXPECT_EQ(headerError(fileOf("{}     ", 0)), "no error");  // 7 bytes: not aligned, as old writers left it
    EXPECT_EQ(headerError(fileOf("{\"__metadata__\":{}}", 0)), "no error");
    EXPECT_EQ(
        headerError(fileOf("{" + tensor("a", R"("data_offsets":[0,3],"shape":[3],"dtype":"U8")") + "}", 3)),
        "no error");
    // Order in the header is free.
    EXPECT_EQ(headerError(fileOf("{" + tensor("a", R"("dtype":"U8","shape":[2],"data_offsets":[1,3])") + "," +
                                     tensor("b", R"("dtype":"U8","shape":[1],"data_offsets":[0,1])") + "}",
                                 3)),
              "no error");
    EXPECT_EQ(
        headerError(fileOf("{" + tensor("a", R"("dtype":"F4","shape":[2],"data_offsets":[0,1])") + "}", 1)),
        "no error");
}

struct Hostile {
    std::string header;
    std::size_t dataBytes;
    std::string says;
};

TEST(Safetensors, RefusesAHostileHeaderAndSaysWhatIsWrong) {
    const std::string ok = R"("dtype":"U8","shape":[1],"data_offsets":[0,1])";
    const std::vector<Hostile> files{
        {"{" + tensor("a", R"("dtype":"F32","shape":[1],"data_offsets":[0,8])") + "}", 8, "ask for 4"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[1,0])") + "}", 1, "bytes 1 to 0"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[9],"data_offsets":[0,9])") + "}", 1, "and there are 1"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615])") + "}", 1,
         "18446744073709551615"},
        {"{" + tensor("a", R"("dtype":"F64","shape":[4611686018427387904,4],"data_offsets":[0,0])") + "}", 0,
         "63 bits"},
        {"{" + tensor("a", R"("dtype":"F64","shape":[2305843009213693952,0],"data_offsets":[0,0])") + "}", 0,
         "63 bits"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1])") + "}", 1,
         "63 bits"},
        {"{" + tensor("a", R"("dtype":"F4","shape":[3],"data_offsets":[0,1])") + "}", 1, "broken bytes"},
        {"{" + tensor("a", R"("dtype":"F99","shape":[1],"data_offsets":[0,1])") + "}", 1, "dtype \"F99\""},
        {"{" + tensor("a", ok) + "," + tensor("b", ok) + "}", 1, "overlapping"},
        {"{" + tensor("a", ok) + "," + tensor("b", R"("dtype":"U8","shape":[1],"data_offsets":[2,3])") + "}",
         3, "a hole"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[1,2])") + "}", 2, "a hole"},
        {"{" + tensor("a", ok) + "}", 2, "belong to no tensor"},
        {"{" + tensor("a", ok) + "," + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[1,2])") + "}",
         2, "two tensors of the name \"a\""},
        {R"({"__metadata__":{"a":"b","a":"c"}})", 0, "metadata \"a\" twice"},
        {R"({"__metadata__":{},"__metadata__":{}})", 0, "__metadata__ twice"},
        {R"({"__metadata__":{"a":1}})", 0, "__metadata__"},
        {R"({"__metadata__":[]})", 0, "does not belong"},
        {"{" + tensor("a", ok + R"(,"dtype":"U8")") + "}", 1, "dtype twice"},
        {"{" + tensor("a", ok + R"(,"more":"U8")") + "}", 1, "unknown field \"more\""},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1])") + "}", 1, "lacks"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[0])") + "}", 1, "fewer than two"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1],"data_offsets":[0,1,2])") + "}", 1, "more than two"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[-1],"data_offsets":[0,1])") + "}", 1, "negative"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[1.0],"data_offsets":[0,1])") + "}", 1, "does not belong"},
        {"{" + tensor("a", R"("dtype":"U8","shape":[[1]],"data_offsets":[0,1])") + "}", 1, "does not belong"},
        {"{" + tensor("a", R"("dtype":["U8"],"shape":[1],"data_offsets":[0,1])") + "}", 1, "does not belong"},
        {"{" + tensor("a", R"("dtype":"U8","shape":"1","data_offsets":[0,1])") + "}", 1, "does not belong"},
        {"{" + tensor("a", R"("dtype":"U8","shape":null,"data_offsets":[0,1])") + "}", 1, "does not belong"},
        {R"({"a":1})", 1, "does not belong"},
        {R"({"a":null})", 1, "does not belong"},
        {"{\"\xc3\x28\":1}", 1, "is not JSON"},
        {"{\"a\":1e999}", 1, "out of range"},
        {"{} {}", 0, "is not JSON"},
        {std::string("{}\0\0\0", 5), 0, "is not JSON"},
        {"{" + tensor("\\u001b[31m\xc2\x9b", R"("dtype":"U9","shape":[1],"data_offsets":[0,1])") + "}", 1,
         R"("\u001b[31m\u009b")"},
    };
    for (const Hostile& file : files)
        EXPECT_THAT(headerError(fileOf(file.header, file.dataBytes)), HasSubstr(file.says)) << file.header;
    // Nesting and length are bounded as well.
    EXPECT_NE(headerError(fileOf("{\"a\":" + std::string(1'000'000, '[') + "}", 0)), "no error");
    std::string ones = "1";
    for (int i = 0; i < 64; ++i) ones += ",1";
    EXPECT_THAT(
        headerError(fileOf(
            "{" + tensor("a", R"("dtype":"U8","data_offsets":[0,1],"shape":[)" + ones + "]") + "}", 1)),
        HasSubstr("64 dimensions"));
}

TEST(SafetensorsFuzz, AnyMutationIsRefusedOrReadWithinTheFile) {
    const std::string original = getFile(PLUMB_TEST_DATA "/safetensors/reference.safetensors");
    const auto reference = parseSafetensorsHeader(bytesOf(original), "x");
    ASSERT_TRUE(reference.has_value());
    std::mt19937 random(3);
    int read = 0, refused = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string file = original;
        for (std::uint64_t edits = 1 + random() % 3; edits > 0; --edits) {
            const std::size_t place = random() % file.size();
            switch (random() % 5) {
            case 0:
                file[place] = static_cast<char>(random());
                break;
            case 1:
                file.erase(place, 1 + random() % 20);
                break;
            case 2:
                file.insert(place, file.substr(random() % file.size(), random() % 50));
                break;
            case 3:
                file[place] = "{}[]\",:0123456789-eFIU"[random() % 22];
                break;
            default:
                file[random() % 8] = static_cast<char>(random());
                break;
            }
            if (file.empty()) break;
        }
        // An allocation of exactly this size, so that the address sanitizer sees the first byte too many.
        const std::vector<char> exact(file.begin(), file.end());
        const auto header = parseSafetensorsHeader(std::as_bytes(std::span(exact)), "x");
        if (!header.has_value()) {
            ++refused;
            ASSERT_FALSE(header.error().message.empty());
            continue;
        }
        ++read;
        // What was read covers the data once, tensor by tensor.
        std::uint64_t covered = 0;
        for (const SafetensorsEntry& entry : header->tensors) {
            ASSERT_EQ(entry.begin, covered);
            covered = entry.end;
        }
        ASSERT_EQ(covered, exact.size() - header->dataOffset);
    }
    EXPECT_GT(read, 100);
    EXPECT_GT(refused, 10'000);
}

}  // namespace
}  // namespace plumb
