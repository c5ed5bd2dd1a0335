// SPDX-License-Identifier: GPL-3.0-or-later
// The planner's page of published trainings: the figures are core's, whatever is clicked, typed or filtered.
#include "core/base/entry_at.h"
#include "tests/ui/pictures.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/charts/chart_panel.h"
#include "ui/planner/evidence_page.h"
#include "ui/planner/evidence_parts.h"
#include "ui/planner/evidence_rows.h"
#include "ui/planner/evidence_text.h"
#include "ui/planner/evidence_tiles.h"
#include "ui/theme/text.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractScrollArea>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>

namespace plumb::ui::test {
namespace {

using planner::Figure;
using planner::ValidatedRow;

/// Every so many of the published trainings, so that a test need not work out all.
const Result<planner::Evidence>& some() {
    static const Result<planner::Evidence> evidence = [] {
        planner::Evidence few = *planner::Evidence::builtIn();
        std::vector<planner::PublishedTraining> rows;
        for (std::size_t i = 0; i < few.rows.size(); ++i)
            if (i % 12 == 0 || !few.rows[i].problem.empty()) rows.push_back(few.rows[i]);
        few.rows = std::move(rows);
        return few;
    }();
    return evidence;
}

const Result<planner::Evidence>& broken() {
    static const Result<planner::Evidence> evidence =
        Error{ErrorCode::BadInput, "rows[3].device is no device (abacus)", "take one of hardware.json"};
    return evidence;
}

class EvidencePageTest : public ::testing::Test {
protected:
    EvidencePage& make(EvidenceModel::Source source = &some, QSize size = {1290, 820}) {
        model = std::make_unique<EvidenceModel>(source);
        page = std::make_unique<EvidencePage>(theme, *model);
        page->resize(size);
        page->show();
        return *page;
    }
    bool done() {
        model->start();
        return waitFor([this] { return model->state() == EvidenceModel::State::Done; }, 60000);
    }
    ChartPanel& chart() { return *child<ChartPanel>(*page, "evidenceChart"); }
    QWidget& canvas() { return *child<QAbstractScrollArea>(chart(), "chartCanvas")->viewport(); }
    QTableView& table() { return *child<QTableView>(*page, "evidenceRows"); }
    QString detail() { return child<QLabel>(*page, "evidenceDetail")->text(); }
    void press(const char* button) {
        QTest::mouseClick(child<QAbstractButton>(*page, button), Qt::LeftButton);
    }
    QPointF place(int row) {
        const ValidatedRow& at = entryAt(model->rows(), row);
        return {*at.published(Figure::Time), at.predicted(Figure::Time)->expected};
    }
    void choose(const char* combo, const QString& text) {
        auto* box = child<QComboBox>(*page, combo);
        const int index = box->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        box->setCurrentIndex(index);
        emit box->activated(index);
    }

    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    std::unique_ptr<EvidenceModel> model;
    std::unique_ptr<EvidencePage> page;
};

TEST_F(EvidencePageTest, ShowsTheFiguresOfCoreForAllPublishedTrainings) {
    make(&planner::Evidence::builtIn);
    ASSERT_TRUE(done());
    // What `plan validate` prints, which asks the same functions.
    const planner::Evidence& evidence = *planner::Evidence::builtIn();
    const std::vector<ValidatedRow> rows = planner::validateAgainst(evidence);
    ASSERT_EQ(model->rows().size(), rows.size());
    for (const Figure figure : {Figure::Time, Figure::Memory}) {
        press(figure == Figure::Time ? "evidenceFigure0" : "evidenceFigure1");
        planner::ErrorSummary of[2];
        for (const bool fits : {false, true})
            of[fits ? 1 : 0] = planner::summarise(rows, figure, [&](const ValidatedRow& row) {
                return evidence.sources[row.row->source].fits == fits;
            });
        const auto tile = [&](const char* name) { return child<EvidenceTile>(*page, name)->content(); };
        EXPECT_EQ(tile("evidenceTile1").fitted, evidenceShare(of[1].median));
        EXPECT_EQ(tile("evidenceTile1").validated, evidenceShare(of[0].median));
        EXPECT_EQ(tile("evidenceTile2").validated, evidenceShare(of[0].ninetieth));
        EXPECT_EQ(tile("evidenceTile3").fitted, evidenceBias(of[1].bias));
        EXPECT_EQ(tile("evidenceTile3").validated, evidenceBias(of[0].bias));
        EXPECT_EQ(tile("evidenceTile4").validated, evidenceShare(of[0].held));
        for (std::size_t by = 0; by < planner::divisions().size(); ++by) {
            press(("evidenceBy" + std::to_string(by)).c_str());
            auto* parts = static_cast<EvidenceParts*>(child<QTableView>(*page, "evidenceParts")->model());
            std::int64_t sum = 0;
            for (int i = 0; i < parts->rowCount(); ++i) {
                const EvidencePart& part = parts->row(i);
                if (part.isWhole) continue;
                const auto found = planner::summarise(rows, figure, [&](const ValidatedRow& row) {
                    return toText(planner::divisions()[by].of(evidence, *row.row)) == part.name;
                });
                EXPECT_EQ(part.summary.rows, found.rows) << part.name.toStdString();
                EXPECT_EQ(part.summary.median, found.median);
                EXPECT_EQ(part.summary.ninetieth, found.ninetieth);
                EXPECT_EQ(part.summary.bias, found.bias);
                EXPECT_EQ(part.summary.held, found.held);
                sum += part.summary.rows;
            }
            EXPECT_EQ(sum, of[0].rows + of[1].rows);
        }
    }
}

TEST_F(EvidencePageTest, AClickShowsTheTrainingEverywhere) {
    make();
    ASSERT_TRUE(done());
    EXPECT_TRUE(detail().contains(QStringLiteral("Each dot is a training"))) << "how to read it";
    int row = -1;  // one that no other lies upon
    for (const int each : model->shown())
        if (entryAt(model->rows(), each).error(Figure::Time) &&
            chart().markAt(chart().toPixel(place(each)), 2) == each)
            row = each;
    ASSERT_GE(row, 0);
    const QPoint at = canvas().mapFrom(&chart(), chart().toPixel(place(row)).toPoint());
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, at);
    ASSERT_EQ(model->selected(), row);
    const ValidatedRow& shown = entryAt(model->rows(), row);
    const planner::EvidenceSource& source = model->evidence().sources[shown.row->source];
    EXPECT_TRUE(detail().contains(toText(source.title).toHtmlEscaped())) << detail().toStdString();
    EXPECT_TRUE(detail().contains(QStringLiteral("href='%1'").arg(toText(source.address).toHtmlEscaped())));
    EXPECT_TRUE(child<QLabel>(*page, "evidenceDetail")->openExternalLinks());
    EXPECT_TRUE(detail().contains(toText(shown.row->read).toHtmlEscaped()));
    EXPECT_TRUE(detail().contains(evidenceDeviation(shown.deviation(Figure::Time))));
    const auto& rows = static_cast<const EvidenceRows&>(*table().model());
    EXPECT_EQ(table().currentIndex().row(), rows.placeOf(row)) << "the list follows";
}

TEST_F(EvidencePageTest, KeysGoFromOneToTheNextByWhatWasPublished) {
    make();
    ASSERT_TRUE(done());
    QSignalSpy wanted(page.get(), &EvidencePage::planWanted);
    chart().setFocus();
    QTest::keyClick(&chart(), Qt::Key_Return);
    EXPECT_TRUE(wanted.isEmpty()) << "nothing is chosen";
    QTest::keyClick(&chart(), Qt::Key_Home);
    double before = 0;
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(model->selected().has_value());
        const double now = *entryAt(model->rows(), *model->selected()).published(Figure::Time);
        EXPECT_GE(now, before);
        EXPECT_TRUE(chart().accessibleDescription().contains(
            evidenceTitle(entryAt(model->rows(), *model->selected()))));
        before = now;
        QTest::keyClick(&chart(), i % 2 == 0 ? Qt::Key_Right : Qt::Key_Up);
    }
    QTest::keyClick(&chart(), Qt::Key_Return);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted[0][0].toInt(), *model->selected());
    QTest::keyClick(&chart(), Qt::Key_Escape);
    EXPECT_FALSE(model->selected().has_value());
    // And in the list: the farthest off first.
    table().setFocus();
    QTest::keyClick(&table(), Qt::Key_Down);
    QTest::keyClick(&table(), Qt::Key_Home, Qt::ControlModifier);
    ASSERT_TRUE(model->selected().has_value());
    const double farthest = std::abs(*entryAt(model->rows(), *model->selected()).error(Figure::Time));
    for (const int row : model->shown())
        EXPECT_LE(std::abs(entryAt(model->rows(), row).error(Figure::Time).value_or(0)), farthest);
    QTest::keyClick(&table(), Qt::Key_Return);
    EXPECT_EQ(wanted.size(), 2);
}

TEST_F(EvidencePageTest, FiltersLeaveWhatTheySay) {
    make();
    ASSERT_TRUE(done());
    const auto count = [&](const auto& is) {
        return static_cast<std::size_t>(
            std::ranges::count_if(model->rows(), [&](const ValidatedRow& row) { return is(row); }));
    };
    EXPECT_EQ(model->shown().size(), model->rows().size());
    press("evidenceUse2");
    EXPECT_EQ(model->shown().size(), count([&](const ValidatedRow& row) { return !model->fits(row); }));
    EXPECT_EQ(child<EvidenceTile>(*page, "evidenceTile1")->content().fitted, QStringLiteral("–"));
    choose("evidenceDevice", QStringLiteral("NVIDIA H100 SXM5 80GB"));
    EXPECT_EQ(model->shown().size(), count([&](const ValidatedRow& row) {
                  return !model->fits(row) && row.row->device == "h100-sxm5-80gb";
              }));
    choose("evidenceSource", QStringLiteral("mosaicml-tables"));
    const std::size_t narrow = count([&](const ValidatedRow& row) {
        return row.row->device == "h100-sxm5-80gb" && row.row->id.starts_with("mosaicml-tables/");
    });
    ASSERT_GT(narrow, 0U);
    EXPECT_EQ(model->shown().size(), narrow);
    EXPECT_EQ(table().model()->rowCount(), static_cast<int>(narrow));
    QTest::keyClicks(child<QLineEdit>(*page, "evidenceSearch"), QStringLiteral("tpu"));
    EXPECT_EQ(model->shown().size(), 0U);
    EXPECT_TRUE(chart().emptyText().contains(QStringLiteral("clear the filters")))
        << chart().emptyText().toStdString();
    press("evidenceClear");
    EXPECT_EQ(model->shown().size(), model->rows().size());
    EXPECT_EQ(child<QLineEdit>(*page, "evidenceSearch")->text(), QString());
    QTest::keyClicks(child<QLineEdit>(*page, "evidenceSearch"), QStringLiteral("fp8 hopper"));
    EXPECT_EQ(model->shown().size(), count([](const ValidatedRow& row) {
                  return row.row->scenario.recipe.compute == Dtype::Fp8E4M3 &&
                         planner::familyOf(*row.row) == "Hopper";
              }));
    press("evidenceClear");
    press("evidenceFigure1");
    EXPECT_EQ(model->shown().size(),
              count([](const ValidatedRow& row) { return row.row->memoryBytes.has_value(); }));
    // A part of the table of errors, which is left again the same way.
    press("evidenceBy3");
    auto* parts = child<QTableView>(*page, "evidenceParts");
    const QModelIndex last = parts->model()->index(parts->model()->rowCount() - 1, 0);
    const QString software = last.data().toString();
    emit parts->activated(last);
    EXPECT_EQ(model->filter().parts[3], software);
    EXPECT_TRUE(child<QPushButton>(*page, "evidenceClear")->text().contains(software));
}

TEST_F(EvidencePageTest, TheLegendHidesWhatItNames) {
    make();
    ASSERT_TRUE(done());
    int hollow = -1;
    for (const int row : model->shown())
        if (const ValidatedRow& at = entryAt(model->rows(), row);
            at.error(Figure::Time) && !model->fits(at) &&
            chart().markAt(chart().toPixel(place(row)), 2) == row)
            hollow = row;
    ASSERT_GE(hollow, 0);
    auto* entry = child<QAbstractButton>(chart(), "legend.use.validated");
    const std::size_t shown = model->shown().size();
    QTest::mouseClick(entry, Qt::LeftButton);
    EXPECT_NE(chart().markAt(chart().toPixel(place(hollow)), 2), hollow);
    EXPECT_EQ(model->shown().size(), shown) << "figures go by the filters alone";
    QTest::mouseClick(child<QAbstractButton>(chart(), "legend.use.validated"), Qt::LeftButton);
    EXPECT_EQ(chart().markAt(chart().toPixel(place(hollow)), 2), hollow);
}

TEST_F(EvidencePageTest, ZoomsAroundThePointerAndBack) {
    make();
    ASSERT_TRUE(done());
    const AxisOptions before = chart().axis(ChartAxis::X);
    const QPointF middle = chart().plotRect().center();
    const QPointF at = canvas().mapFrom(&chart(), middle.toPoint());
    QWheelEvent wheel(at, canvas().mapToGlobal(at), {}, {0, 360}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&canvas(), &wheel);
    const AxisOptions x = chart().axis(ChartAxis::X), y = chart().axis(ChartAxis::Y);
    EXPECT_GT(x.min, before.min);
    EXPECT_LT(x.max, before.max);
    EXPECT_NEAR(x.max / x.min, y.max / y.min, 1e-6 * x.max / x.min) << "the diagonal stays one";
    chart().setFocus();
    QTest::keyClick(&chart(), Qt::Key_0);
    EXPECT_TRUE(chart().axis(ChartAxis::X) == before);
}

TEST_F(EvidencePageTest, SaysWhyARowHasNoPrediction) {
    make();
    ASSERT_TRUE(done());
    const auto without = std::ranges::count_if(
        model->rows(), [](const ValidatedRow& row) { return !row.error(Figure::Time); });
    ASSERT_GT(without, 0);
    press("evidenceTile5");
    EXPECT_EQ(table().model()->rowCount(), without);
    constexpr int kRemark = static_cast<int>(EvidenceColumn::Remark);
    EXPECT_FALSE(table().isColumnHidden(kRemark));
    for (int row = 0; row < table().model()->rowCount(); ++row) {
        const QString why = table().model()->index(row, kRemark).data().toString();
        EXPECT_GT(why.size(), 15) << why.toStdString();
        EXPECT_FALSE(why.contains(QStringLiteral("--"))) << why.toStdString();
    }
    table().selectRow(0);
    EXPECT_TRUE(detail().contains(QStringLiteral("no&nbsp;prediction")));
}

TEST_F(EvidencePageTest, TheSpreadOfErrorsStandsWhereNoTrainingIsChosen) {
    make();
    ASSERT_TRUE(done());
    auto* spread = child<ChartPanel>(*page, "evidenceSpread");
    EXPECT_TRUE(spread->isVisible());
    EXPECT_TRUE(spread->accessibleDescription().contains(evidenceBias(model->whole(false).summary.bias)))
        << spread->accessibleDescription().toStdString();
    model->select(model->shown().front());
    EXPECT_FALSE(spread->isVisible());
    model->select(std::nullopt);
    EXPECT_TRUE(spread->isVisible());
}

TEST_F(EvidencePageTest, IsStoppedInTheMiddleAndBegunAgain) {
    make(&planner::Evidence::builtIn);
    EXPECT_TRUE(child<QLabel>(*page, "evidenceStatus")->isVisible());
    model->start();
    EXPECT_TRUE(child<QProgressBar>(*page, "evidenceProgress")->isVisible());
    ASSERT_TRUE(waitFor([&] { return model->progress() > 0; }));
    EXPECT_LT(model->progress(), 1);
    press("evidenceCancel");
    EXPECT_EQ(model->state(), EvidenceModel::State::Stopped);
    EXPECT_TRUE(model->rows().empty()) << "half of the rows would be other figures";
    EXPECT_FALSE(child<QProgressBar>(*page, "evidenceProgress")->isVisible());
    EXPECT_TRUE(child<QLabel>(*page, "evidenceStatus")->text().contains(QStringLiteral("Stopped at")));
    QTest::qWait(100);
    EXPECT_EQ(model->state(), EvidenceModel::State::Stopped) << "what ran on is not taken";
    press("evidenceCancel");
    EXPECT_EQ(model->state(), EvidenceModel::State::Working);
    ASSERT_TRUE(waitFor([&] { return model->state() == EvidenceModel::State::Done; }, 60000));
    EXPECT_EQ(model->rows().size(), planner::Evidence::builtIn()->rows.size());
    QSignalSpy changed(model.get(), &EvidenceModel::changed);
    model->start();
    EXPECT_TRUE(changed.isEmpty()) << "it is worked out once";
}

TEST_F(EvidencePageTest, SaysWhatCannotBeRead) {
    make(&broken);
    model->start();
    ASSERT_TRUE(waitFor([&] { return model->state() == EvidenceModel::State::Failed; }));
    const QString said = child<QLabel>(*page, "evidenceStatus")->text();
    EXPECT_TRUE(said.contains(QStringLiteral("is no device (abacus)"))) << said.toStdString();
    EXPECT_TRUE(child<QPushButton>(*page, "evidenceCancel")->isVisible());
    (void)picture(*page, QStringLiteral("evidence-failed"));
}

TEST_F(EvidencePageTest, IsWrittenWithPointsWhateverTheLocale) {
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    make();
    ASSERT_TRUE(done());
    press("evidenceUse1");
    const TemporaryFolder folder;
    const QString path = QString::fromStdString(folder.file("rows.csv"));
    ASSERT_TRUE(page->writeCsv(path).has_value());
    EXPECT_FALSE(page->writeCsv(QStringLiteral("/no/such/folder/rows.csv")).has_value());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(file.readAll()).trimmed().split(QLatin1Char('\n'));
    ASSERT_EQ(lines.size(), static_cast<qsizetype>(model->shown().size()) + 1);
    const QStringList names = lines.front().split(QLatin1Char(','));
    const auto column = [&](const char* name) { return names.indexOf(QLatin1String(name)); };
    ASSERT_GE(column("published_seconds"), 0);
    const ValidatedRow& first = entryAt(model->rows(), model->shown().front());
    const QStringList cells = lines[1].split(QLatin1Char(','));
    EXPECT_EQ(cells[0], QLatin1Char('"') + toText(first.row->id) + QLatin1Char('"'));
    EXPECT_NEAR(cells[column("published_seconds")].toDouble(), *first.published(Figure::Time),
                1e-8 * *first.published(Figure::Time));
    press("evidenceCopy");
    const QStringList copied = QGuiApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
    EXPECT_EQ(copied.size(), static_cast<qsizetype>(model->shown().size()) + 1);
    press("evidencePartsCopy");
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("trainings\trows\tmedian")));
    EXPECT_FALSE(QGuiApplication::clipboard()->text().contains(QLatin1Char(',')));
    QLocale::setDefault(before);
}

TEST_F(EvidencePageTest, EverythingHasAName) {
    make();
    ASSERT_TRUE(done());
    for (const QWidget* widget : page->findChildren<QWidget*>())
        if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible() &&
            !widget->objectName().startsWith(QStringLiteral("qt_")) &&
            (qobject_cast<const QAbstractButton*>(widget) || qobject_cast<const QComboBox*>(widget) ||
             qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QTableView*>(widget) ||
             qobject_cast<const ChartPanel*>(widget))) {
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            EXPECT_FALSE(widget->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
                << widget->metaObject()->className() << ' ' << widget->objectName().toStdString();
        }
}

TEST_F(EvidencePageTest, NothingIsCutOffInAnyWindow) {
    for (const QSize size : {QSize(900, 560), QSize(1140, 760), QSize(1860, 1100)}) {
        make(&some, size);
        ASSERT_TRUE(done());
        model->select(model->shown().front());
        QCoreApplication::processEvents();
        auto* scroll = child<QScrollArea>(*page, "evidenceScroll");
        EXPECT_EQ(scroll->horizontalScrollBar()->maximum(), 0) << size.width();
        EXPECT_LE(scroll->widget()->width(), scroll->viewport()->width()) << size.width();
        for (const char* name : {"evidenceRows", "evidenceParts"})
            EXPECT_LE(child<QTableView>(*page, name)->horizontalHeader()->length(),
                      child<QTableView>(*page, name)->viewport()->width())
                << name << " at " << size.width();
        for (const QPushButton* button : page->findChildren<QPushButton*>()) {
            if (!button->isVisible()) continue;
            EXPECT_GE(button->width(), button->fontMetrics().horizontalAdvance(button->text()))
                << button->text().toStdString() << " at " << size.width();
        }
    }
}

TEST_F(EvidencePageTest, NamesOfTrainingsComeBeforeWhatGivesWay) {
    make(&planner::Evidence::builtIn);
    ASSERT_TRUE(done());
    constexpr int kDotAndMargins = 32;
    const QAbstractItemModel& rows = *table().model();
    int widest = 0;
    for (int row = 0; row < rows.rowCount(); ++row)
        widest =
            std::max(widest, table().fontMetrics().horizontalAdvance(rows.index(row, 0).data().toString()));
    EXPECT_GT(rows.rowCount(), 500);
    for (int width = 1000; width < 1900; width += 15) {
        page->resize(width, 760);
        QCoreApplication::processEvents();
        // What the panel of the row says too gives way before a name does.
        const bool hasOthers = std::ranges::any_of(
            std::array{EvidenceColumn::Remark, EvidenceColumn::Interval, EvidenceColumn::Source,
                       EvidenceColumn::Device},
            [this](EvidenceColumn column) { return !table().isColumnHidden(static_cast<int>(column)); });
        if (hasOthers) {
            EXPECT_GE(table().columnWidth(0), widest + kDotAndMargins) << width;
        }
    }
}

/// With PLUMB_PICTURES=FOLDER the pictures are kept to look at.
/// What a narrow window has no room for stands below and is not squeezed.
TEST_F(EvidencePageTest, TilesKeepRoomForTheirValues) {
    make(&planner::Evidence::builtIn);
    ASSERT_TRUE(done());
    for (const int width : {1300, 900, 690}) {
        page->resize(width, 700);
        QApplication::processEvents();
        for (int i = 0; i < 6; ++i) {
            const auto* tile = child<EvidenceTile>(*page, QStringLiteral("evidenceTile%1").arg(i).toLatin1());
            EXPECT_GE(tile->width(), tile->minimumSizeHint().width()) << width;
        }
        const bool isOneRow = child<EvidenceTile>(*page, "evidenceTile5")->y() ==
                              child<EvidenceTile>(*page, "evidenceTile0")->y();
        EXPECT_EQ(isOneRow, width == 1300) << width;
    }
}

TEST_F(EvidencePageTest, LooksRightInBothThemes) {
    const QPalette before = QApplication::palette();
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply(*qApp);
        for (const QSize size : {QSize(1560, 900), QSize(940, 580)}) {
            make(&planner::Evidence::builtIn, size);
            const auto named = [&](const char* what) {
                return QStringLiteral("evidence-%1-%2-%3")
                    .arg(QLatin1String(what))
                    .arg(size.width())
                    .arg(themeName(theme));
            };
            (void)picture(*page, named("idle"));
            model->start();
            (void)picture(*page, named("working"));
            ASSERT_TRUE(done());
            EXPECT_GT(coloursIn(picture(*page, named("all"))), 40);
            for (const int row : model->shown())
                if (const auto held = entryAt(model->rows(), row).held(Figure::Time); held && !*held)
                    model->select(row);
            (void)picture(*page, named("row"));
            press("evidenceFigure1");
            press("evidenceBy2");
            (void)picture(*page, named("memory"));
        }
    }
    QApplication::setPalette(before);
}

/// In the planner: the last segment, worked out when it is first looked at.
class EvidenceInPlannerTest : public PlannerViewTest {
protected:
    EvidenceModel& evidence() { return view->evidence(); }
    void open() {
        const auto last = plannerQuestions().size();
        QTest::mouseClick(child<QPushButton>(*view, ("plannerQuestion" + std::to_string(last)).c_str()),
                          Qt::LeftButton);
    }
};

TEST_F(EvidenceInPlannerTest, EnterPlansTheTrainingAsOneStepToUndo) {
    make();
    EXPECT_EQ(evidence().state(), EvidenceModel::State::Idle) << "nothing is worked out that nobody sees";
    open();
    ASSERT_TRUE(view->isEvidenceShown());
    EXPECT_EQ(evidence().state(), EvidenceModel::State::Working);
    EXPECT_TRUE(view->property(kBusyView).toBool());
    EXPECT_EQ(history.stack().count(), 0) << "to look is no edit";
    ASSERT_TRUE(waitFor([&] { return evidence().state() == EvidenceModel::State::Done; }, 60000));
    EXPECT_FALSE(view->property(kBusyView).toBool());
    const planner::Scenario before = model().inputs().scenario;
    const int question = model().inputs().question;
    int row = -1;
    for (const int each : evidence().shown())
        if (entryAt(evidence().rows(), each).row->id == "mosaicml-tables/70b-2048-512xh100-80gb") row = each;
    ASSERT_GE(row, 0);
    evidence().select(row);
    auto* chart = child<ChartPanel>(*view, "evidenceChart");
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Return);
    EXPECT_FALSE(view->isEvidenceShown()) << "what is planned is shown";
    EXPECT_EQ(history.stack().count(), 1);
    EXPECT_EQ(model().question().key, QStringLiteral("step"));
    const ValidatedRow& shown = entryAt(evidence().rows(), row);
    EXPECT_EQ(answered(), shown.seconds->expected);
    EXPECT_EQ(model().results().answer->value.low, shown.seconds->low);
    EXPECT_EQ(model().results().answer->value.high, shown.seconds->high);
    EXPECT_TRUE(model().results().memory.has_value());
    EXPECT_EQ(model().inputs().scenario.cluster.devices, 512);
    open();
    EXPECT_EQ(evidence().state(), EvidenceModel::State::Done) << "it is kept";
    EXPECT_EQ(evidence().selected(), row);
    history.stack().undo();
    EXPECT_FALSE(view->isEvidenceShown()) << "what was changed is seen";
    EXPECT_EQ(model().inputs().question, question);
    EXPECT_EQ(model().inputs().scenario.cluster.devices, before.cluster.devices);
    EXPECT_EQ(model().inputs().scenario.model.parameters(), before.model.parameters());
}

TEST_F(EvidenceInPlannerTest, EveryPredictedTrainingCanBePlanned) {
    make();
    open();
    ASSERT_TRUE(waitFor([&] { return evidence().state() == EvidenceModel::State::Done; }, 60000));
    const auto& rows = evidence().rows();
    for (std::size_t i = 0; i < rows.size(); i += 37) {
        if (!rows[i].seconds) continue;
        edits().takeTraining(*rows[i].row, Figure::Time);
        EXPECT_EQ(answered(), rows[i].seconds->expected) << rows[i].row->id;
        if (!rows[i].memory) continue;
        edits().takeTraining(*rows[i].row, Figure::Memory);
        EXPECT_EQ(answered(), rows[i].memory->expected) << rows[i].row->id;
    }
}

TEST_F(EvidenceInPlannerTest, TheNextQuestionBehindTheLastIsTheEvidence) {
    make();
    view->nextQuestion(-1);
    EXPECT_TRUE(view->isEvidenceShown());
    view->nextQuestion(-1);
    EXPECT_FALSE(view->isEvidenceShown());
    EXPECT_EQ(model().inputs().question, static_cast<int>(plannerQuestions().size()) - 1);
    view->nextQuestion(1);
    view->nextQuestion(1);
    EXPECT_EQ(model().inputs().question, 0);
}

}  // namespace
}  // namespace plumb::ui::test
