// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/inputs.h"
#include "tests/ui/pictures.h"
#include "tests/ui/shell/filled_window.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/manual/help_finder.h"
#include "ui/manual/manual_window.h"
#include "ui/manual/table_figures.h"
#include "ui/planner/planner_panel.h"
#include "ui/theme/translations.h"
#include "ui/widgets/column_text.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/help_anchor.h"

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QTableView>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QToolTip>
#include <QTreeView>
#include <QTreeWidget>

#include <set>

namespace plumb::ui {
namespace {

using test::child;
using test::forEachTab;
using test::Shell;

/// The manual that is shown; null: none.
ManualWindow* openManualWindow() {
    for (QWidget* window : QApplication::topLevelWidgets())
        if (auto* manual = qobject_cast<ManualWindow*>(window); manual != nullptr && manual->isVisible())
            return manual;
    return nullptr;
}

QString text(const ManualPlace& place) { return place.page + QLatin1Char('#') + place.anchor; }

TEST(Help, OpensThePageOfEveryViewByF1) {
    Shell shell;
    forEachTab(shell.window, [&](const std::string& tab) {
        shell.window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&shell.window));
        shell.window.setFocus();
        QTest::keyClick(&shell.window, Qt::Key_F1);
        ManualWindow* const manual = openManualWindow();
        ASSERT_NE(manual, nullptr) << tab;
        EXPECT_EQ(manual->place().page.toStdString(), tab);
        manual->close();
    });
}

TEST(Help, SpeaksOfTheControlThatHasTheFocus) {
    Shell shell;
    const ManualBook book(Language::English, shell.theme, [](const QString& name) { return name; });
    const auto placeOf = [&](const char* name) {
        auto* widget = child<QWidget>(shell.window, name);
        return widget == nullptr ? std::string() : text(helpPlaceOf(*widget, book)).toStdString();
    };
    EXPECT_EQ(placeOf("batch"), "run-panel#batch");
    EXPECT_EQ(placeOf("precision"), "run-panel#precision");
    EXPECT_EQ(placeOf("memoryMeter"), "run-panel#memoryMeter");
    EXPECT_EQ(placeOf("mfu"), "figures#mfu");
    for (const char* button : {"runButton", "profileButton", "proveButton"})
        EXPECT_EQ(placeOf(button), std::string("run-panel#") + button);
    EXPECT_EQ(placeOf("searchButton"), "window#searchButton");
    EXPECT_EQ(placeOf("menuButton"), "window#tabs");
    // The Overview has charts of these names too.
    const auto placeIn = [&](const char* view, const char* name) {
        auto* widget = child<QWidget>(*shell.window.views().showView(QLatin1String(view)), name);
        return widget == nullptr ? std::string() : text(helpPlaceOf(*widget, book)).toStdString();
    };
    EXPECT_EQ(placeIn("memory", "memoryChart"), "memory#memoryChart");
    EXPECT_EQ(placeIn("operations", "operationsFilter"), "operations#operationsFilter");
}

TEST(Help, LeadsFromEveryControlOfTheLabToTheSectionOfItsPage) {
    Shell shell;
    const ManualBook book(Language::English, shell.theme, [](const QString& name) { return name; });
    const QWidget& lab = *shell.window.views().showView(QStringLiteral("lab"));
    const auto placeOf = [&](const QWidget& control) {
        return text(helpPlaceOf(control, book)).toStdString();
    };
    EXPECT_EQ(placeOf(*child<QWidget>(lab, "dtypeValue")), "lab#dtypes");
    for (const auto& [page, place] : {std::pair("dtypePage", "lab#dtypes"),
                                      {"tensorPage", "lab#tensorStepTable"},
                                      {"einsumPage", "lab#einsum"}})
        for (const auto* field : child<QWidget>(lab, page)->findChildren<QLineEdit*>())
            EXPECT_TRUE(placeOf(*field).starts_with("lab#") && placeOf(*field) != "lab#") << page;
    EXPECT_EQ(placeOf(*child<QWidget>(lab, "einsumText")), "lab#einsum");
}

TEST(Help, LeadsFromEveryInputOfThePlannerToItsPlace) {
    Shell shell;
    const ManualBook book(Language::English, shell.theme, [](const QString& name) { return name; });
    QWidget& panel = *shell.window.views().showView(QStringLiteral("planner"))->findChild<PlannerPanel*>();
    const auto fields = panel.findChildren<FieldRow*>();
    EXPECT_EQ(fields.size(), static_cast<qsizetype>(planner::allInputs().size()) - 1)
        << "all but the sharding";
    for (const FieldRow* row : fields)
        for (const QLineEdit* field : row->findChildren<QLineEdit*>()) {
            EXPECT_EQ(helpPlaceOf(*field, book),
                      (ManualPlace{QStringLiteral("planner"), field->objectName()}))
                << field->objectName().toStdString();
            EXPECT_TRUE(field->toolTip().endsWith(QStringLiteral("F1: more in the manual")));
        }
    for (const QWidget* control : panel.findChildren<QWidget*>()) {
        if (control->focusPolicy() == Qt::NoFocus || qobject_cast<const QScrollArea*>(control)) continue;
        EXPECT_NE(helpPlaceOf(*control, book).anchor, QString()) << control->objectName().toStdString();
    }
    EXPECT_EQ(text(helpPlaceOf(*child<QWidget>(panel, "plannerModel"), book)).toStdString(),
              "planner#plannerModel");
    for (const QWidget* box : panel.findChildren<QCheckBox*>())
        EXPECT_NE(helpPlaceOf(*box, book).anchor, QStringLiteral("plannerInputs"))
            << box->objectName().toStdString();
}

TEST(Help, HasADefinitionForEveryColumnOfEveryTable) {
    test::FilledWindow filled;
    ASSERT_TRUE(filled.fill());
    // Their columns are no figures, or are those of what is in them: formats, parts of one expression, steps
    // that are compared, what a reader marked.
    const std::set<QString> others{QStringLiteral("blockTable"),     QStringLiteral("liveTable"),
                                   QStringLiteral("liveRecovered"),  QStringLiteral("einsumLabels"),
                                   QStringLiteral("einsumOrder"),    QStringLiteral("einsumGradients"),
                                   QStringLiteral("bookmarksTable"), QStringLiteral("compareFacts")};
    const std::vector<TableFigures> tables = tableFigures(filled.theme);
    std::set<QString> seen;
    filled.forEachPage([&](const std::string& id) {
        const QString page = QString::fromStdString(id).section(QLatin1Char(' '), 0, 0);
        for (QAbstractItemView* view :
             filled.window().views().currentWidget()->findChildren<QAbstractItemView*>()) {
            const bool isTable = qobject_cast<QTableView*>(view) || qobject_cast<QTreeView*>(view);
            const QString name = columnsNameOf(*view);
            if (!isTable || view->model() == nullptr || name.isEmpty() || others.contains(name)) continue;
            const QAbstractItemModel& model = *view->model();
            if (model.columnCount() == 0) continue;  // nothing was asked of it yet
            const auto table = std::ranges::find_if(tables, [&](const TableFigures& of) {
                return of.table == name && (of.page == page || page == QLatin1String("overview"));
            });
            ASSERT_NE(table, tables.end()) << id << " " << name.toStdString();
            seen.insert(table->anchor);
            ASSERT_EQ(static_cast<int>(table->columns.size()), model.columnCount())
                << table->anchor.toStdString();
            for (int column = 0; column < model.columnCount(); ++column) {
                const ColumnFigure& figure = table->columns[static_cast<std::size_t>(column)];
                const QString title = model.headerData(column, Qt::Horizontal).toString().trimmed();
                // Of a run beside another configuration, predicted and measured have these names.
                const bool isBeside = title == QLatin1String("what-if") || title == QLatin1String("run");
                EXPECT_TRUE(isBeside || figure.title == title)
                    << name.toStdString() << ": " << figure.title.toStdString() << ", "
                    << title.toStdString();
                EXPECT_FALSE(figure.meaning.isEmpty()) << name.toStdString() << ' ' << column;
            }
        }
    });
    for (const TableFigures& table : tables)
        EXPECT_TRUE(seen.contains(table.anchor))
            << "no table has the columns of " << table.anchor.toStdString();
}

TEST(Help, LeadsFromAColumnToItsDefinition) {
    Shell shell;
    const ManualBook book(Language::English, shell.theme, [](const QString& name) { return name; });
    shell.window.views().showView(QStringLiteral("operations"));
    QCoreApplication::processEvents();
    auto* table = child<QTreeView>(*shell.window.views().currentWidget(), "operationsTable");
    ASSERT_NE(table, nullptr);
    const int x = table->header()->sectionViewportPosition(1) + 3;
    const QPoint at = table->header()->viewport()->mapToGlobal(QPoint(x, 3));
    EXPECT_EQ(text(helpPlaceOf(*table->header()->viewport(), book, at)).toStdString(),
              "figures#operations-operationsTable-1");
    const QPoint cell = table->viewport()->mapToGlobal(QPoint(x, 5));
    EXPECT_EQ(text(helpPlaceOf(*table->viewport(), book, cell)).toStdString(),
              "figures#operations-operationsTable-1");
    EXPECT_EQ(text(helpPlaceOf(*table, book)).toStdString(), "operations#operationsTable");
    QHelpEvent event(QEvent::ToolTip, QPoint(x, 3), at);
    QCoreApplication::sendEvent(table->header()->viewport(), &event);
    EXPECT_TRUE(QToolTip::text().endsWith(QStringLiteral("F1: more in the manual")))
        << QToolTip::text().toStdString();
    QToolTip::hideText();
}

TEST(Help, EndsTheToolTipsOfKeyFiguresWithTheWayOn) {
    Shell shell;
    for (const char* id : {"peakMemory", "stepTime", "flops", "mfu", "throughput", "loss"}) {
        auto* tile = child<QWidget>(shell.window, id);
        ASSERT_NE(tile, nullptr);
        EXPECT_TRUE(tile->toolTip().endsWith(QStringLiteral("F1: more in the manual"))) << id;
    }
}

TEST(Help, IsThereInDialogsToo) {
    Shell shell;
    shell.trigger("help.shortcuts");
    auto* sheet = child<QDialog>(shell.window, "shortcutSheet");
    ASSERT_NE(sheet, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowActive(sheet));
    QTest::keyClick(sheet, Qt::Key_F1);
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    EXPECT_EQ(text(manual->place()).toStdString(), "dialogs#shortcutSheet");
    manual->close();
    sheet->close();
}

TEST(Help, IsThereInFindAnything) {
    Shell shell;
    shell.trigger("view.search");
    auto* palette = child<QDialog>(shell.window, "commandPalette");
    ASSERT_TRUE(palette->isVisible());
    QTest::keyClick(child<QLineEdit>(*palette, "paletteSearch"), Qt::Key_F1);
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    EXPECT_EQ(text(manual->place()).toStdString(), "dialogs#commandPalette");
    EXPECT_FALSE(palette->isVisible()) << "it would keep the keys from the manual";
    manual->close();
}

TEST(ManualWindow, IsReadWithKeysAlone) {
    Shell shell;
    shell.trigger("help.numbers");
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    EXPECT_EQ(manual->place().page, QStringLiteral("figures"));
    ASSERT_TRUE(QTest::qWaitForWindowActive(manual));
    auto* search = child<QLineEdit>(*manual, "manualSearch");
    auto* page = child<QTextBrowser>(*manual, "manualPage");
    auto* contents = child<QTreeWidget>(*manual, "manualContents");
    EXPECT_TRUE(page->hasFocus());
    EXPECT_EQ(contents->topLevelItemCount(), ManualBook::pageIds().size());
    QTest::keyClick(manual, Qt::Key_F, Qt::ControlModifier);
    EXPECT_TRUE(search->hasFocus());
    QTest::keyClicks(search, QStringLiteral("balance point"));
    EXPECT_GE(contents->topLevelItemCount(), 2);
    EXPECT_LT(contents->topLevelItemCount(), ManualBook::pageIds().size());
    QTest::keyClick(search, Qt::Key_Return);
    EXPECT_NE(manual->place().page, QStringLiteral("figures"));
    EXPECT_FALSE(page->extraSelections().isEmpty());
    QTest::keyClick(manual, Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(manual->place().page, QStringLiteral("figures"));
    QTest::keyClick(manual, Qt::Key_Right, Qt::AltModifier);
    EXPECT_NE(manual->place().page, QStringLiteral("figures"));
    const double before = page->font().pointSizeF();
    QTest::keyClick(manual, Qt::Key_Plus, Qt::ControlModifier);
    EXPECT_GT(page->font().pointSizeF(), before);
    QTest::keyClick(manual, Qt::Key_0, Qt::ControlModifier);
    EXPECT_EQ(page->font().pointSizeF(), before);
    QTest::keyClick(manual, Qt::Key_F1);
    EXPECT_EQ(manual->place().page, QStringLiteral("index"));
    EXPECT_EQ(contents->topLevelItemCount(), ManualBook::pageIds().size()) << "a search of another matter";
    QTest::keyClick(manual, Qt::Key_Escape);
    EXPECT_FALSE(manual->isVisible());
}

TEST(ManualWindow, ForgetsItsSearchWithTheLanguage) {
    Shell shell;
    Translations translations(*qApp);
    shell.trigger("help.numbers");
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    child<QLineEdit>(*manual, "manualSearch")->setText(QStringLiteral("balance point"));
    translations.use(Language::SimplifiedChinese);
    QCoreApplication::processEvents();
    EXPECT_EQ(child<QLineEdit>(*manual, "manualSearch")->text(), QString());
    EXPECT_EQ(child<QTreeWidget>(*manual, "manualContents")->topLevelItemCount(),
              ManualBook::pageIds().size());
    translations.use(Language::English);
    manual->close();
}

TEST(ManualWindow, ShowsNoPictureWiderThanItsText) {
    if (ManualWindow::pictureFolder(Language::English).isEmpty()) GTEST_SKIP() << "no pictures were drawn";
    Shell shell;
    shell.trigger("help.numbers");
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    auto* page = child<QTextBrowser>(*manual, "manualPage");
    manual->open({QStringLiteral("memory"), {}});
    for (const int width : {1100, 640, 900}) {
        manual->resize(width, 500);
        QCoreApplication::processEvents();
        const double room = page->viewport()->width() - 2 * page->document()->documentMargin();
        int pictures = 0;
        for (QTextBlock block = page->document()->begin(); block.isValid(); block = block.next())
            for (auto at = block.begin(); !at.atEnd(); ++at)
                if (const auto format = at.fragment().charFormat().toImageFormat(); format.isValid()) {
                    ++pictures;
                    EXPECT_EQ(format.width(), std::min<double>(760, room)) << width;
                }
        EXPECT_GT(pictures, 0);
    }
    manual->close();
}

TEST(ManualWindow, FollowsALinkAndTheTheme) {
    Shell shell;
    shell.trigger("help.numbers");
    ManualWindow* const manual = openManualWindow();
    ASSERT_NE(manual, nullptr);
    auto* page = child<QTextBrowser>(*manual, "manualPage");
    manual->open({QStringLiteral("memory"), QStringLiteral("tensorTable")});
    EXPECT_EQ(manual->windowTitle(), QStringLiteral("Memory – manual of Plumbline"));
    page->setSource(QUrl(QStringLiteral("predictions.html#ranges")));
    EXPECT_EQ(text(manual->place()).toStdString(), "predictions#ranges");
    shell.theme.setMode(Theme::Mode::Dark);
    EXPECT_EQ(page->palette().color(QPalette::Base), shell.theme.color(ColorRole::Card));
    EXPECT_EQ(text(manual->place()).toStdString(), "predictions#ranges");
    manual->close();
}

TEST(ManualWindow, IsDrawnInBothThemesAndLanguages) {
    Translations translations(*qApp);
    for (const Language language : {Language::English, Language::SimplifiedChinese}) {
        translations.use(language);
        test::inBothThemes([&](Theme& theme) {
            ManualWindow manual(theme);
            for (const char* page : {"index", "predictions", "figures"}) {
                manual.open({QLatin1String(page), {}});
                QCoreApplication::processEvents();
                const QString name =
                    QStringLiteral("manual-%1-%2-%3")
                        .arg(QLatin1String(page), languageId(language), test::themeName(theme));
                EXPECT_GT(test::coloursIn(test::picture(manual, name)), 20) << name.toStdString();
            }
        });
    }
}

}  // namespace
}  // namespace plumb::ui
