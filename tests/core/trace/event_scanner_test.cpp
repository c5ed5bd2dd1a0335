// SPDX-License-Identifier: Apache-2.0
#include "core/trace/event_scanner.h"

#include "core/trace/name_table.h"
#include "core/trace/trace_time.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace plumb::trace {
namespace {

Scanned scan(const std::string& text, RawEvent& event) {
    static std::vector<std::string> kept;  // views point into it
    kept.push_back(text + std::string(8, '\0'));
    EventScanner scanner(kept.back().data(), kept.back().data() + text.size());
    const Scanned scanned = scanner.event(event);
    if (scanned == Scanned::Whole) {
        EXPECT_EQ(scanner.at(), kept.back().data() + text.size());
    }
    return scanned;
}

TEST(EventScanner, ReadsTheFieldsOfAnEvent) {
    RawEvent event;
    ASSERT_EQ(scan(R"({"ph": "X", "cat":"kernel","name" : "a\"b", "pid": 0, "tid": 7, "ts": 12.5, "dur": 3,
                       "id": 9, "args": {"grid": [1, [2], {"x": "}"}], "External id": -4, "Input Dims": [[2, 3], []],
                       "stream": "7", "nothing": null}})",
                   event),
              Scanned::Whole);
    EXPECT_EQ(event.at(Field::Phase), "X");
    EXPECT_EQ(event.at(Field::Name), "a\\\"b");
    EXPECT_NE(event.escaped & RawEvent::bit(Field::Name), 0U);
    EXPECT_EQ(event.at(Field::Time), "12.5");
    EXPECT_EQ(event.at(Field::External), "-4");
    EXPECT_EQ(event.at(Field::Shapes), "[[2, 3], []]");
    EXPECT_EQ(event.at(Field::Stream), "7");
    EXPECT_FALSE(event.has(Field::Correlation));
}

TEST(EventScanner, TellsWhatIsCutFromWhatIsBroken) {
    const std::string whole =
        R"({"ph": "X", "name": "a\\", "ts": 1.5e3, "args": {"a": [1, {"b": "c"}], "stream": 7}})";
    RawEvent event;
    ASSERT_EQ(scan(whole, event), Scanned::Whole);
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_EQ(scan(whole.substr(0, size), event), Scanned::Cut) << size;
    for (const char* text :
         {R"({"ph": "X" "cat": 1})", R"({"ph": })", R"({"ph" "X"})", R"({"name": "a "b" c"})",
          "{\"name\": \"a\nb\"}", R"({"args": {"a": [}]}})", R"({, "ph": "X"})", R"([1])", R"({ph: 1})"})
        EXPECT_EQ(scan(text, event), Scanned::Broken) << text;
}

TEST(EventScanner, TakesWhatOldWritersMade) {
    RawEvent event;
    EXPECT_EQ(
        scan(R"({"ph": "X", "dur": inf, "args": {"bytes": nan, "x": -Infinity, "path": "C:\Users\new"}})",
             event),
        Scanned::Whole);
    EXPECT_EQ(event.at(Field::Duration), "inf");
    EXPECT_EQ(scan("{\"ph\": \"X\", \"name\": \"tab\there\x01\"}", event), Scanned::Whole);
}

TEST(EventScanner, RefusesWhatNestsDeeplyWithoutRecursion) {
    RawEvent event;
    EXPECT_EQ(scan(R"({"args": {"a": )" + std::string(10'000'000, '['), event), Scanned::Broken);
    const std::string fits = std::string(64, '[') + std::string(64, ']');
    EXPECT_EQ(scan(R"({"ph": 1, "args": {"a": )" + fits + "}}", event), Scanned::Whole);
    EXPECT_EQ(scan(R"({"ph": 1, "args": {"a": [)" + fits + "]}}", event), Scanned::Broken);
}

/// Any JSON that nlohmann writes is read, and the name means the same.
TEST(EventScanner, AgreesWithAnotherReader) {
    std::mt19937 random(7);
    const auto below = [&](std::size_t most) { return static_cast<unsigned>(random() % most); };
    const auto text = [&] {
        std::string out;
        static constexpr const char* kPieces[]{"a", "\"", "\\", "\n", "\t", "\x01",  "é",
                                               "😀", "/",  "{",  "}",  "[",  "u0041", " "};
        for (unsigned i = below(12); i > 0; --i) out += kPieces[below(std::size(kPieces))];
        return out;
    };
    const std::function<nlohmann::json(int)> value = [&](int depth) -> nlohmann::json {
        switch (below(depth > 4 ? 4 : 6)) {
        case 0:
            return text();
        case 1:
            return static_cast<int>(below(1000)) - 500;
        case 2:
            return below(2) == 0;
        case 3:
            return static_cast<double>(below(1000)) / 7;
        case 4: {
            nlohmann::json array = nlohmann::json::array();
            for (unsigned i = below(4); i > 0; --i) array.push_back(value(depth + 1));
            return array;
        }
        default: {
            nlohmann::json object = nlohmann::json::object();
            for (unsigned i = below(4); i > 0; --i) object[text()] = value(depth + 1);
            return object;
        }
        }
    };
    for (int i = 0; i < 3000; ++i) {
        nlohmann::json made{{"ph", "X"}, {"name", text()}, {"ts", below(100)}, {"args", {{"x", value(0)}}}};
        for (unsigned k = below(4); k > 0; --k) made["more" + text()] = value(0);
        const bool ascii = below(2) == 0;
        const std::string written = made.dump(below(2) == 0 ? -1 : 2, ' ', ascii);
        RawEvent event;
        ASSERT_EQ(scan(written, event), Scanned::Whole) << written;
        EXPECT_EQ(unescaped(event.at(Field::Name)), made["name"].get<std::string>()) << written;
        EXPECT_EQ(event.at(Field::Time), made["ts"].dump());
    }
}

TEST(Unescaped, KeepsWhatJsonDoesNotKnow) {
    EXPECT_EQ(unescaped(R"(C:\Users\x\u00e9 \ud83d\ude00 \ud83d \uZZZZ \)"),
              "C:\\Users\\x\xC3\xA9 \xF0\x9F\x98\x80 \xEF\xBF\xBD \\uZZZZ \\");
}

TEST(NanosecondsOf, ReadsDigitsAndNoDouble) {
    EXPECT_EQ(nanosecondsOf("1712345678901234.567"), 1712345678901234567);
    EXPECT_EQ(nanosecondsOf("4458676983543.183"), 4458676983543183);
    EXPECT_EQ(nanosecondsOf("1623142623460172"), 1623142623460172000);
    EXPECT_EQ(nanosecondsOf("-1.5"), -1500);
    EXPECT_EQ(nanosecondsOf("0.0004"), 0);
    EXPECT_EQ(nanosecondsOf("0.0005"), 1);
    EXPECT_EQ(nanosecondsOf("0.00049999999999999999999999"), 0);
    EXPECT_EQ(nanosecondsOf("1.5e3"), 1'500'000);
    EXPECT_EQ(nanosecondsOf("15E-1"), 1500);
    EXPECT_EQ(nanosecondsOf("1e-300"), 0);
    EXPECT_EQ(nanosecondsOf("12."), 12'000);
    for (const char* text : {"", "-", ".", "inf", "nan", "1e400", "1e16", "9999999999999999999", "1x", "1e",
                             "1e+", "--1", "1e1e1"})
        EXPECT_EQ(nanosecondsOf(text), std::nullopt) << text;
}

TEST(WholeOf, RefusesWhatDoesNotFit) {
    EXPECT_EQ(wholeOf("-12"), -12);
    EXPECT_EQ(wholeOf("12.7"), 12);
    EXPECT_EQ(wholeOf("9223372036854775807"), INT64_MAX);
    for (const char* text : {"", "-", "9223372036854775808", "18446744073709551615", "1e3", "x"})
        EXPECT_EQ(wholeOf(text), std::nullopt) << text;
}

TEST(NameTable, HoldsEachTextOnce) {
    NameTable names;
    EXPECT_EQ(names.intern(""), 0U);
    std::vector<NameId> ids;
    for (int i = 0; i < 20'000; ++i) ids.push_back(names.intern("name " + std::to_string(i)));
    for (int i = 0; i < 20'000; ++i) {
        EXPECT_EQ(names.intern("name " + std::to_string(i)), ids[static_cast<std::size_t>(i)]);
        EXPECT_EQ(names.at(ids[static_cast<std::size_t>(i)]), "name " + std::to_string(i));
    }
    EXPECT_EQ(names.size(), 20'002U);
    EXPECT_EQ(names.at(names.intern(std::string(100'000, 'x'))).size(), NameTable::kLongest);
}

/// Texts that all have one hash: a flipped top bit of a word is taken back by two bits of the next one.
TEST(NameTable, IsNotSlowedDownByNamesThatCollide) {
    constexpr unsigned kPairs = 14;
    NameTable names;
    for (unsigned number = 0; number < (1U << kPairs); ++number) {
        std::string text(16 * std::size_t{kPairs}, 'a');
        for (unsigned pair = 0; pair < kPairs; ++pair) {
            if ((number >> pair & 1U) == 0) continue;
            char* const words = text.data() + 16 * std::size_t{pair};
            words[7] = static_cast<char>(words[7] ^ 0x80);
            words[15] = static_cast<char>(words[15] ^ 0x80);
            words[12] = static_cast<char>(words[12] ^ 0x04);
        }
        (void)names.intern(text);
    }
    EXPECT_GT(names.refused(), 10'000);
    EXPECT_EQ(names.at(names.intern("another")), "another");
}

}  // namespace
}  // namespace plumb::trace
