// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/findings/rules.h"
#include "core/plan/step.h"
#include "tests/ui/support.h"
#include "ui/manual/figures.h"
#include "ui/manual/manual_book.h"
#include "ui/manual/manual_values.h"
#include "ui/manual/table_figures.h"
#include "ui/run/key_figures_state.h"
#include "ui/shell/view_specs.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QRegularExpression>

#include <set>

namespace plumb::ui {
namespace {

constexpr std::array kLanguages{Language::English, Language::SimplifiedChinese};

QString noPicture(const QString& name) { return name; }

/// The book in a language of the program, which goes back to English.
struct Read {
    explicit Read(Language language) : translations(*qApp) {
        translations.use(language);
        book = std::make_unique<ManualBook>(language, theme, noPicture);
    }
    Theme theme;
    Translations translations;
    std::unique_ptr<ManualBook> book;
};

std::string said(Language language, const QString& page) {
    return (languageId(language) + QLatin1Char(' ') + page).toStdString();
}

TEST(Markdown, BecomesHtmlOfTheFewElementsThatPagesHave) {
    const HtmlPage page =
        htmlOfMarkdown(QStringLiteral("# Title {#top}\n\nA *word*, **loud**, `a<b` and a "
                                      "[link](memory.md#curve).\n\n- one\n- two\n  - inner\n\n"
                                      "1. first\n2. second\n\n| A | B |\n| --- | --- |\n| "
                                      "{#cell}x | y |\n\n    code < 1\n\nEnd.\n"),
                       noPicture);
    EXPECT_EQ(page.body.toStdString(),
              "<h1><a id=\"top\" name=\"top\"></a>Title</h1>\n"
              "<p>A <i>word</i>, <b>loud</b>, <code>a&lt;b</code> and a <a "
              "href=\"memory.html#curve\">link</a>.</p>\n"
              "<ul>\n<li>one</li><li>two<ul>\n<li>inner</li></ul>\n</li></ul>\n"
              "<ol>\n<li>first</li><li>second</li></ol>\n"
              "<table border=\"1\" cellspacing=\"0\" cellpadding=\"5\">\n<tr><th>A</th><th>B</th></tr>\n"
              "<tr><td><a id=\"cell\" name=\"cell\"></a>x</td><td>y</td></tr>\n</table>\n"
              "<pre>code &lt; 1\n</pre>\n<p>End.</p>\n");
    EXPECT_EQ(page.anchors, (QStringList{QStringLiteral("top"), QStringLiteral("cell")}));
    EXPECT_EQ(page.links, QStringList{QStringLiteral("memory.md#curve")});
}

TEST(Markdown, KeepsTheBlankBeforeAPlaceBetweenWords) {
    EXPECT_EQ(htmlOfMarkdown(QStringLiteral("{#a}One, {#b}two.\n\nEnd {#c}\n"), noPicture).body.toStdString(),
              "<p><a id=\"a\" name=\"a\"></a>One, <a id=\"b\" name=\"b\"></a>two.</p>\n"
              "<p>End<a id=\"c\" name=\"c\"></a></p>\n");
}

TEST(Markdown, LeavesOutPicturesThatAreNotThere) {
    const QString text = QStringLiteral("![The view](pictures/a.png)\n\nText.\n");
    EXPECT_EQ(htmlOfMarkdown(text, [](const QString&) { return QString(); }).body.toStdString(),
              "<p>Text.</p>\n");
    EXPECT_EQ(htmlOfMarkdown(text, noPicture).body.toStdString(),
              "<p><img src=\"pictures/a.png\" alt=\"The view\" width=\"760\"></p>\n<p>Text.</p>\n");
}

TEST(Manual, HasAPageForEveryViewInBothLanguages) {
    for (const Language language : kLanguages) {
        for (const ViewSpec& view : windowViews())
            EXPECT_FALSE(ManualBook::source(language, QLatin1String(view.id)).isEmpty())
                << said(language, QLatin1String(view.id));
        for (const QString& id : ManualBook::pageIds())
            EXPECT_FALSE(ManualBook::source(language, id).isEmpty()) << said(language, id);
    }
}

TEST(Manual, LeadsSomewhereByEveryLink) {
    for (const Language language : kLanguages) {
        const Read read(language);
        int links = 0;
        for (const ManualPage& page : read.book->pages())
            for (const QString& link : page.html.links) {
                if (link.startsWith(QStringLiteral("https://"))) continue;
                ManualPlace place = manualPlaceOf(link);
                if (place.page.isEmpty()) place.page = page.id;
                EXPECT_TRUE(read.book->has(place)) << said(language, page.id) << ": " << link.toStdString();
                ++links;
            }
        EXPECT_GE(links, 60);
    }
}

TEST(Manual, HasTheSamePlacesPicturesAndLinksInBothLanguages) {
    const Read english(Language::English);
    const std::vector<ManualPage> pages = english.book->pages();
    const Read chinese(Language::SimplifiedChinese);
    for (const ManualPage& page : pages) {
        const ManualPage* const other = chinese.book->page(page.id);
        ASSERT_NE(other, nullptr) << page.id.toStdString();
        EXPECT_EQ(page.html.anchors, other->html.anchors) << page.id.toStdString();
        EXPECT_EQ(page.html.pictures, other->html.pictures) << page.id.toStdString();
        QStringList here = page.html.links, there = other->html.links;
        here.sort();
        there.sort();
        EXPECT_EQ(here, there) << page.id.toStdString();
        EXPECT_NE(page.html.body, other->html.body) << page.id.toStdString();
    }
}

TEST(Manual, NamesEveryPlaceOnceAndGivesEveryHeadingOne) {
    const Read read(Language::English);
    for (const ManualPage& page : read.book->pages()) {
        const std::set<QString> once(page.html.anchors.begin(), page.html.anchors.end());
        EXPECT_EQ(once.size(), static_cast<std::size_t>(page.html.anchors.size())) << page.id.toStdString();
        ASSERT_FALSE(page.html.headings.empty());
        EXPECT_EQ(page.html.headings.front().level, 1);
        for (const PageHeading& heading : page.html.headings)
            EXPECT_FALSE(heading.anchor.isEmpty()) << page.id.toStdString() << heading.text.toStdString();
    }
}

TEST(Manual, HasTheHeadingsThatItsSourcesName) {
    for (const Language language : kLanguages) {
        const Read read(language);
        std::vector<std::string> named, had;
        Theme theme;
        for (const ManualHit& hit : ManualBook::headings(language, theme))
            named.push_back(
                (hit.place.page + QLatin1Char('#') + hit.place.anchor + QLatin1Char(' ') + hit.title)
                    .toStdString());
        for (const ManualPage& page : read.book->pages())
            for (const PageHeading& heading : page.html.headings)
                had.push_back((page.id + QLatin1Char('#') + heading.anchor + QLatin1Char(' ') + heading.text)
                                  .toStdString());
        EXPECT_EQ(named, had) << languageId(language).toStdString();
    }
}

TEST(Manual, SaysWhatTheProgramHasForEveryNumberThatItQuotes) {
    QString all;
    for (const QString& id : ManualBook::pageIds()) {
        all += ManualBook::source(Language::English, id);
        for (const Language language : kLanguages) {
            static const QRegularExpression value(QStringLiteral("\\{\\{[^}]*\\}\\}"));
            EXPECT_FALSE(withManualValues(ManualBook::source(language, id)).contains(value))
                << id.toStdString();
        }
    }
    for (const Figure& figure : manualFigures()) all += QString::fromUtf8(figure.definition);
    for (const Language language : kLanguages) {
        const Read read(language);
        const QString& body = read.book->page(QStringLiteral("figures"))->html.body;
        EXPECT_FALSE(body.contains(QStringLiteral("{{")));
    }
    for (const QString& name : manualValueNames()) {
        if (name.startsWith(QStringLiteral("context-"))) continue;
        EXPECT_TRUE(all.contains(QStringLiteral("{{%1}}").arg(name))) << name.toStdString();
    }
    EXPECT_EQ(withManualValues(QStringLiteral("{{product-low}} {{launch-high}} {{deep-layers}}")),
              QStringLiteral("60 % 10.0 µs 24"));
}

TEST(Manual, IsSearchedByWordsInAnyOrderAndFindsSections) {
    const Read read(Language::English);
    const std::vector<ManualHit> hits = read.book->find(QStringLiteral("Student's t"));
    ASSERT_EQ(hits.size(), 1U);
    EXPECT_EQ(hits.front().place, (ManualPlace{QStringLiteral("compare"), QStringLiteral("real")}));
    EXPECT_EQ(read.book->find(QStringLiteral("t student's")).size(), 1U);
    EXPECT_TRUE(read.book->find(QStringLiteral("nobody says this")).empty());
    EXPECT_TRUE(read.book->find(QStringLiteral(" ")).empty());
}

TEST(Figures, AreDefinedForEveryKeyFigureCategoryAndCurve) {
    const Read read(Language::English);
    const ManualPage& page = *read.book->page(QStringLiteral("figures"));
    for (const char* id : {"peakMemory", "stepTime", "flops", "mfu", "throughput", "loss"})
        EXPECT_TRUE(page.html.anchors.contains(QLatin1String(id))) << id;
    for (const Category category : kAllCategories)
        EXPECT_TRUE(page.html.anchors.contains(toText(categoryName(category)))) << categoryName(category);
    for (const Figure& figure : manualFigures()) {
        EXPECT_GT(qstrlen(figure.definition), 20U) << figure.id;
        EXPECT_GT(qstrlen(figure.source), 5U) << figure.id;
    }
}

TEST(Figures, HaveMeaningAndSourceForEveryColumn) {
    Theme theme;
    for (const TableFigures& table : tableFigures(theme)) {
        EXPECT_FALSE(table.columns.empty());
        for (const ColumnFigure& column : table.columns) {
            EXPECT_FALSE(column.title.isEmpty()) << table.anchor.toStdString();
            EXPECT_FALSE(column.meaning.isEmpty())
                << table.anchor.toStdString() << ": " << column.title.toStdString();
            EXPECT_FALSE(column.source.isEmpty());
        }
    }
}

TEST(Figures, HaveAFormulaWhereverAColumnIsWorkedOut) {
    Theme theme;
    int formulas = 0;
    const QString beside = tr("worked out from other columns");
    for (const TableFigures& table : tableFigures(theme))
        for (const ColumnFigure& column : table.columns) {
            formulas += column.formula.isEmpty() ? 0 : 1;
            const bool isShare = column.unit == QLatin1String("%") && !column.source.contains(u"counters");
            EXPECT_TRUE(!column.formula.isEmpty() || (column.source != beside && !isShare))
                << table.anchor.toStdString() << ' ' << column.title.toStdString();
        }
    EXPECT_GE(formulas, 50);
    const Read read(Language::English);
    EXPECT_TRUE(read.book->page(QStringLiteral("figures"))
                    ->html.body.contains(tr("executed FLOP / FLOP of the model")));
}

TEST(Manual, NamesEveryRuleOfTheFindings) {
    const std::array rules{timeRules(),        roofRules(),     memoryRules(),  deviceRules(),
                           measurementRules(), trainingRules(), recordedRules()};
    for (const Language language : kLanguages) {
        const QString page = ManualBook::source(language, QStringLiteral("findings"));
        const QStringList rows = page.section(QStringLiteral("{#rules}"), 1)
                                     .section(QStringLiteral("##"), 0, 0)
                                     .split(QStringLiteral("\n| "), Qt::SkipEmptyParts)
                                     .mid(3);  // what stands before the table, titles, dashes
        ASSERT_EQ(static_cast<std::size_t>(rows.size()), rules.size());
        for (std::size_t i = 0; i < rules.size(); ++i) {
            static const QRegularExpression between(QStringLiteral("[;；]"));
            EXPECT_EQ(static_cast<std::size_t>(rows[static_cast<int>(i)].count(between)) + 1,
                      rules.at(i).size())
                << rows[static_cast<int>(i)].toStdString();
        }
    }
}

}  // namespace
}  // namespace plumb::ui
