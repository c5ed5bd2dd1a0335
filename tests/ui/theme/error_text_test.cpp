// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/error_text.h"

#include "tests/support/english_words.h"

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

TEST(ErrorText, IsASentenceInTheLanguageOfTheWindow) {
    for (const char* message : {"dim is too small (0)", "the step needs 2 GB", "isn't there"}) {
        const QString sentence = errorSentence({ErrorCode::BadInput, message, "give more"});
        EXPECT_TRUE(sentence.at(0).isUpper()) << message;
        EXPECT_TRUE(sentence.endsWith(QStringLiteral(": give more."))) << sentence.toStdString();
    }
    EXPECT_EQ(errorSentence(badInput("/a/b.npy is empty", "write it again")),
              QStringLiteral("/a/b.npy is empty: write it again."));
    EXPECT_EQ(errorSentence(badInput("fp8 is not there", "choose another")),
              QStringLiteral("fp8 is not there: choose another."));
    EXPECT_TRUE(errorSentence({ErrorCode::Io, "it is full", "say so."}).endsWith(QStringLiteral("so.")));
    EXPECT_EQ(sentenceText(QStringLiteral("no number")), QStringLiteral("No number."));
    EXPECT_EQ(sentenceText({}), QString());
    const test::InChinese chinese;
    EXPECT_EQ(errorSentence(internalError("lr")), QStringLiteral("lr：请连同该运行的配置一并报告。"));
}

}  // namespace
}  // namespace plumb::ui
