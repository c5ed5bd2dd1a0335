// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/error_text.h"

#include "core/machine/machine.h"
#include "tests/support/english_words.h"
#include "ui/theme/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::ui {
namespace {

std::string grouped(const std::string& sentence) {
    return withGroupedCounts(toText(sentence), sentence).toStdString();
}

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

TEST(CoreText, NamesControlsOfTheWindowAndNoCommands) {
    EXPECT_EQ(coreText(notCalibrated("cpu")), QStringLiteral("not calibrated: run “Calibrate this machine”"));
    const std::string replaces = calibrateCommand("cpu") + " --replace";
    EXPECT_EQ(coreText(replaces), QString::fromStdString(replaces)) << "no control does that";
    const std::string ranks = calibrateCommand("cpu") + " --ranks 2";
    EXPECT_EQ(coreText(ranks), QString::fromStdString(ranks)) << "nor that";
    const std::string absent = "this backend (cpu) tells nothing of clocks, power and temperature: they are "
                               "known of NVIDIA GPUs, run "
                               "on one (--backend cuda)";
    EXPECT_TRUE(coreText(absent).endsWith(QStringLiteral("NVIDIA GPUs, run on one"))) << absent;
    const test::InChinese chinese;
    EXPECT_TRUE(coreText(absent).endsWith(QStringLiteral("请在其上运行"))) << coreText(absent).toStdString();
}

TEST(Capitalised, LeavesNamesAsTheyAre) {
    EXPECT_EQ(capitalised(QStringLiteral("peak of fp32")), QStringLiteral("Peak of fp32"));
    EXPECT_EQ(capitalised(QStringLiteral("fp32 peak")), QStringLiteral("fp32 peak"));
    EXPECT_EQ(capitalised(QString()), QString());
}

TEST(LossText, KeepsItsThreeDigits) {
    EXPECT_EQ(lossText(0.013), localText("0.0130"));
    EXPECT_EQ(lossText(13), localText("13.0"));
    EXPECT_EQ(lossText(2.65e6), localText("2.65e+06"));
    EXPECT_EQ(lossText(std::nan("")), QStringLiteral("not a number"));
}

// The name of a kernel may be longer than a line.
TEST(Breakable, GivesALineAnEndWithinAName) {
    const QString name = QStringLiteral("%1::execute_kernel<%2>").arg(QString(40, u'a'), QString(40, u'b'));
    QString shown = breakable(name);
    EXPECT_EQ(shown.count(QChar(0x200b)), 4);
    EXPECT_EQ(shown.remove(QChar(0x200b)), name);
}

TEST(RelativeText, SaysARatioWhereAShareIsTooLarge) {
    EXPECT_EQ(relativeText(0), QStringLiteral("0 %"));
    EXPECT_EQ(relativeText(-0.931), QStringLiteral("−93.1 %"));
    EXPECT_EQ(relativeText(0.0004), QStringLiteral("+0.0 %"));
    EXPECT_EQ(relativeText(1.576), QStringLiteral("+158 %"));
    EXPECT_EQ(relativeText(12410.94), QStringLiteral("×12.4 k"));
}

TEST(ErrorText, HasGroupsInItsCounts) {
    const std::string group = countText(61859).toStdString();
    EXPECT_NE(group, "61859");
    EXPECT_EQ(grouped("at most 61859"), "at most " + group);
    EXPECT_EQ(grouped("it is too large (61859): give 61859, or 61859."),
              "it is too large (" + group + "): give " + group + ", or " + group + ".");
    EXPECT_EQ(grouped("61859 rows (61859 B)"), group + " rows (" + group + " B)");
    EXPECT_EQ(errorSentence(badInput("batch is too large (1234567)", "give a size of at most 61859")),
              QStringLiteral("Batch is too large (%1): give a size of at most %2.")
                  .arg(countText(1234567), countText(61859)));
    const test::InChinese chinese;
    EXPECT_EQ(withGroupedCounts(QStringLiteral("最多 61859，即（61859）"), "at most 61859"),
              QStringLiteral("最多 %1，即（%1）").arg(countText(61859)));
}

TEST(ErrorText, HasNoGroupsInWhatIsNoCount) {
    for (const char* sentence : {"6185 rows",
                                 "/data/run 61859/x.csv is empty",
                                 "x/a 61859 b.csv has no 61859 rows",
                                 "\"run 61859\" is no name",
                                 "'61859' fits several",
                                 "the name '61859 a' and 61859 rows",
                                 "no step 61859.csv",
                                 "step.61859 is gone",
                                 "v61859",
                                 "0x61859",
                                 "61859e3",
                                 "1.61859",
                                 "61859.5",
                                 "61859-61860",
                                 "10:61859",
                                 "61,859",
                                 "-61859",
                                 "#61859",
                                 "a_61859 b",
                                 "61859_b",
                                 "sha 61859abcdef",
                                 "version 12080",
                                 "the process 41234 holds it",
                                 "port 54321",
                                 "seed 123456 is not one",
                                 "061859 rows",
                                 "1234567890123456789 rows",
                                 "--steps=61859",
                                 "61859%"})
        EXPECT_EQ(grouped(sentence), sentence);
}

}  // namespace
}  // namespace plumb::ui
