// SPDX-License-Identifier: Apache-2.0
#include "core/base/plain_text.h"

#include "core/io/json_fields.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

TEST(PlainText, ShowsWhatATerminalWouldObey) {
    EXPECT_EQ(plainText("\x1b]0;pwned\x07\x1b[2J"), "\\u001b]0;pwned\\u0007\\u001b[2J");
    EXPECT_EQ(plainText("\xc2\x9b"
                        "31m"),
              "\\u009b31m")
        << "a control sequence in one character";
    EXPECT_EQ(plainText("a\rb\x7f"), "a\\u000db\\u007f");
    EXPECT_EQ(plainText(std::string_view("a\0b", 3)), "a\\u0000b");
    EXPECT_EQ(plainText("\u202etxt.exe\u200b"), "\\u202etxt.exe\\u200b");
}

TEST(PlainText, KeepsWhatPeopleWrite) {
    const std::string text = "15.8\u2009GB · Größe µs\tλ 漢字 😀\n";
    EXPECT_EQ(plainText(text), text);
    EXPECT_EQ(plainText("a,b\r\nc\r"), "a,b\r\nc\\u000d") << "rows of CSV end so";
    EXPECT_EQ(plainText(plainText("\x1b[1m")), plainText("\x1b[1m"));
}

TEST(PlainText, ReplacesWhatIsNotUtf8) {
    EXPECT_EQ(plainText("a\xff"
                        "b\xc3("),
              "a\ufffdb\ufffd(");
    EXPECT_EQ(plainText("\xed\xa0\x80"), "\ufffd\ufffd\ufffd") << "a surrogate";
    EXPECT_EQ(plainText("\xe2\x82"), "\ufffd\ufffd") << "cut";
}

TEST(PlainText, KeepsTheMeaningOfJson) {
    const nlohmann::json document{{"name", "\xc2\x9b \u202e \x7f \x1b"}};
    const auto read = nlohmann::json::parse(plainText(dumpJson(document, 1)), nullptr, false);
    EXPECT_EQ(read, document);
}

TEST(PlainLine, IsOneLineOfBoundedLength) {
    EXPECT_EQ(plainLine("a\r\nb"), "a\\r\\nb");
    EXPECT_EQ(plainLine("äöü", 2), "äö…");
    EXPECT_EQ(plainLine("äöü", 3), "äöü");
    EXPECT_EQ(plainLine(std::string(100'000, 'A')), std::string(300, 'A') + "…");
}

}  // namespace
}  // namespace plumb
