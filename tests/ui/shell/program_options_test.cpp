// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/program_options.h"

#include "core/base/words.h"
#include "tests/support/english_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumb::gui {
namespace {

using testing::HasSubstr;
using testing::Not;

/// With this locale; what core speaks before and after is English.
class Locale {
public:
    explicit Locale(const char* name) : m_before(qgetenv("LC_ALL")) { qputenv("LC_ALL", name); }
    ~Locale() {
        m_before.isEmpty() ? qunsetenv("LC_ALL") : qputenv("LC_ALL", m_before);
        setWordsLanguage({});
    }
    Locale(const Locale&) = delete;
    Locale& operator=(const Locale&) = delete;

private:
    QByteArray m_before;
};

ProgramOptions given(const QStringList& arguments) {
    return ProgramOptions(QStringList{QStringLiteral("plumbline")} + arguments);
}

/// What is said of what was given; empty: nothing.
std::string refusal(const QStringList& arguments) {
    const auto checked = given(arguments).check();
    return checked.has_value() ? std::string() : inWords(checked.error().text());
}

TEST(ProgramOptions, TellWhatTheyTakeInTheLanguageOfTheEnvironmentOrTheOneThatIsGiven) {
    const Locale locale("zh_CN.UTF-8");
    const std::string chinese = given({}).help();
    EXPECT_THAT(chinese, HasSubstr("用法"));
    for (const char* option : {"--help", "--version", "--export-pictures DIR", "--export-manual DIR",
                               "--theme THEME", "--language LANGUAGE", "--size WxH", "--self-test"})
        EXPECT_THAT(chinese, HasSubstr(option));
    EXPECT_EQ(test::englishIn(chinese), "");
    EXPECT_THAT(given({QStringLiteral("--language=en")}).help(), HasSubstr("print this help and exit"));
    EXPECT_EQ(given({QStringLiteral("--language"), QStringLiteral("system")}).help(), chinese);
    const Locale plain("C");
    EXPECT_THAT(given({}).help(), HasSubstr("Usage: plumbline"));
}

TEST(ProgramOptions, RefuseWhatCannotBeWithARemedy) {
    const std::vector<std::pair<QStringList, std::string>> wrong{
        {{QStringLiteral("--foo")}, "no option --foo"},
        {{QStringLiteral("-q")}, "no option -q"},
        {{QStringLiteral("--theme")}, "(--theme)"},
        {{QStringLiteral("--self-test=1")}, "takes no value (--self-test)"},
        {{QStringLiteral("--theme"), QStringLiteral("blue")}, "(blue): use light or dark"},
        {{QStringLiteral("--language"), QStringLiteral("de")}, "(de): use en, zh_CN or system"},
        {{QStringLiteral("--size"), QStringLiteral("10x10")}, "(10x10): write WxH"},
        {{QStringLiteral("--size"), QStringLiteral("wide")}, "(wide)"},
        {{QStringLiteral("--export-pictures"), QStringLiteral("d")}, "needs a FILE"}};
    for (const auto& [arguments, said] : wrong) {
        {
            const Locale plain("C");
            EXPECT_THAT(refusal(arguments), HasSubstr(said));
        }
        const Locale locale("zh_CN.UTF-8");
        std::string chinese = refusal(arguments);
        EXPECT_FALSE(chinese.empty());
        EXPECT_THAT(chinese, Not(HasSubstr(": ")));
        for (const QString& word : arguments)
            if (const std::size_t at = chinese.find("（" + word.toStdString() + "）"); at != chinese.npos)
                chinese.erase(at, word.toUtf8().size() + 6);
        EXPECT_EQ(test::englishIn(chinese), "") << chinese;
    }
    EXPECT_EQ(refusal({QStringLiteral("--size"), QStringLiteral("1600x1000"), QStringLiteral("a.plumb")}),
              "");
}

}  // namespace
}  // namespace plumb::gui
