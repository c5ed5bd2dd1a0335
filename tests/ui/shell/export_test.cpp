// SPDX-License-Identifier: GPL-3.0-or-later
// File > Export: every format, the reason of those that cannot be written, pictures and the views on paper.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/shell/export_dialog.h"
#include "ui/shell/pdf_report.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/table_pages.h"
#include "ui/shell/view_stack.h"
#include "ui/workbench/empty_view.h"

#include "test_paths.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QGlyphRun>
#include <QLabel>
#include <QMessageBox>
#include <QPainter>
#include <QPicture>
#include <QPushButton>
#include <QRadioButton>
#include <QRawFont>
#include <QScrollArea>
#include <QScrollBar>
#include <QSet>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTextLayout>

#include <numeric>

namespace plumb::ui::test {
namespace {

ExportDialog* dialogOf(Shell& shell) {
    shell.trigger("file.export");
    return child<ExportDialog>(shell.window, "exportDialog");
}

QRadioButton* row(ExportDialog& dialog, const char* id) {
    return child<QRadioButton>(dialog, (QByteArray("export:") + id).constData());
}

TEST(Export, ListsEveryFormatOnce) {
    Shell shell;
    ExportDialog* dialog = dialogOf(shell);
    QStringList ids;
    for (const auto* button : dialog->findChildren<QRadioButton*>()) {
        const QString first = button->objectName().mid(7);
        const auto* forms = dialog->findChild<QComboBox*>(QStringLiteral("exportForm:") + first);
        if (forms == nullptr) ids << first;
        for (int i = 0; forms != nullptr && i < forms->count(); ++i) ids << forms->itemData(i).toString();
    }
    for (const ExportFormat& format : exportFormats())
        EXPECT_EQ(ids.count(QString::fromStdString(format.id)), 1) << format.id;
    EXPECT_EQ(ids.size(), static_cast<qsizetype>(exportFormats().size()) + 4) << "the window has four more";
}

TEST(Export, OpensWithTheKeyboardAtItsChoice) {
    Shell shell;
    ExportDialog* dialog = dialogOf(shell);
    ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
    auto* first = qobject_cast<QRadioButton*>(QApplication::focusWidget());
    ASSERT_NE(first, nullptr);
    EXPECT_TRUE(first->isChecked());
    QTest::keyClick(first, Qt::Key_Down);
    EXPECT_FALSE(first->isChecked());
}

TEST(Export, WhatThereIsNotSaysWhy) {
    Shell shell;
    ExportDialog* dialog = dialogOf(shell);
    EXPECT_TRUE(row(*dialog, "html")->isEnabled());
    EXPECT_TRUE(row(*dialog, "csv")->isEnabled());
    for (const char* id : {"training-csv", "tensorboard", "timeline-csv"}) {
        EXPECT_FALSE(row(*dialog, id)->isEnabled()) << id;
        EXPECT_TRUE(row(*dialog, id)->accessibleDescription().startsWith(QStringLiteral("There is no ")))
            << id;
    }
    dialog->reject();

    ASSERT_TRUE(shell.open(QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb")));
    EXPECT_TRUE(row(*dialogOf(shell), "timeline-csv")->isEnabled()) << "a recorded step has one";
}

TEST(Export, TheChosenFormAsksForItsFile) {
    Shell shell;
    ExportDialog* dialog = dialogOf(shell);
    row(*dialog, "csv")->click();
    auto* forms = child<QComboBox>(*dialog, "exportForm:csv");
    forms->setCurrentIndex(forms->findData(QStringLiteral("parquet")));
    child<QPushButton>(*dialog, "exportGo")->click();
    auto* asked = shell.window.findChild<QFileDialog*>();
    ASSERT_NE(asked, nullptr);
    EXPECT_EQ(asked->defaultSuffix(), QStringLiteral("parquet"));
    emit asked->fileSelected(shell.file("ops.parquet"));
    QFile file(shell.file("ops.parquet"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().endsWith("PAR1"));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("ops.parquet")));
}

TEST(Export, FilesWithTheNamesOfPicturesAreReplacedOnlyWhenAsked) {
    Shell shell;
    (void)shell.write("overview.png", "mine");
    (void)shell.write("notes.txt", "mine");
    const auto overview = [&] {
        QFile file(shell.file("overview.png"));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    };
    const auto question = [&]() -> QMessageBox* {
        shell.trigger("file.exportPictures");
        auto* asked = shell.window.findChild<QFileDialog*>();
        EXPECT_NE(asked, nullptr);
        emit asked->fileSelected(shell.folder.path());
        delete asked;
        return child<QMessageBox>(shell.window, "replaceQuestion");
    };
    QMessageBox* box = question();
    EXPECT_TRUE(box->text().contains(QStringLiteral("overview.png"))) << box->text().toStdString();
    EXPECT_FALSE(box->text().contains(QStringLiteral("notes.txt")));
    box->button(QMessageBox::Cancel)->click();
    QCoreApplication::sendPostedEvents(box, QEvent::DeferredDelete);
    EXPECT_EQ(overview(), "mine");
    EXPECT_FALSE(QFile::exists(shell.file("window.png")));
    box = question();
    child<QPushButton>(*box, "questionGo")->click();
    EXPECT_TRUE(waitFor([&] { return overview().startsWith("\x89PNG"); }));
}

TEST(Export, ARecordedStepInFrontIsWhatIsWritten) {
    Shell shell;
    ASSERT_TRUE(shell.open(QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb")));
    for (const ExportFormat& format : exportFormats()) {
        if (format.id.starts_with("training") || format.id == "tensorboard") continue;
        EXPECT_TRUE(shell.window.document().exportAs(format, shell.file("out"))) << format.id;
    }
    ASSERT_TRUE(shell.window.document().exportAs(*findExportFormat("csv"), shell.file("out")));
    QFile file(shell.file("out"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("aten::mm"));
}

TEST(Export, TheViewsOnPaperAreAPageEachInTheLightTheme) {
    Shell shell;
    shell.theme.setMode(Theme::Mode::Dark);
    PictureExporter exporter(shell.window.views(), shell.window.viewArea(), nullptr);
    QSignalSpy finished(&exporter, &PictureExporter::finished);
    exporter.printTo(shell.file("report.pdf"), QStringLiteral("a step"), shell.theme);
    EXPECT_EQ(shell.theme.mode(), Theme::Mode::Light);
    ASSERT_TRUE(waitFor([&] { return !finished.isEmpty(); }));
    EXPECT_EQ(finished[0][0].toString(), QString());
    EXPECT_EQ(shell.theme.mode(), Theme::Mode::Dark);
    QFile file(shell.file("report.pdf"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray pdf = file.readAll();
    EXPECT_TRUE(pdf.startsWith("%PDF-"));
    EXPECT_EQ(pdf.count("/Type /Page\n"), finished[0][1].toInt());
    const auto isPrinted = [&](int tab) {
        const ViewSpec& view = ViewStack::views()[static_cast<std::size_t>(tab)];
        const QWidget* const shown = shell.window.views().viewAt(tab);
        return shell.window.views().isThere(tab) && view.isPictured && view.isInReport &&
               !(shown != nullptr && shown->property(kEmptyView).toBool());
    };
    int pages = 1;  // the training has a second one, of its layers
    PdfReport tables(QStringLiteral("tables"));
    for (int tab = 0; tab < ViewStack::tabCount(); ++tab)
        if (isPrinted(tab))
            pages += 1 + (tab == 0 ? 0 : tables.addTables(*shell.window.views().viewAt(tab), QString()));
    for (const char* view : {"planner", "devices"})  // of which the step has nothing: it is of one rank
        EXPECT_FALSE(isPrinted(ViewStack::tabOf(QString::fromLatin1(view)))) << view;
    EXPECT_EQ(finished[0][1].toInt(), pages) << "no table of the Overview stands there twice";
}

TEST(Export, TablesOfManyRowsGetPagesOfTheirOwn) {
    Shell shell;
    ASSERT_TRUE(shell.open(QString::fromUtf8(PLUMB_TEST_DATA "/step/decoder.plumb")));
    PictureExporter exporter(shell.window.views(), shell.window.viewArea(), nullptr);
    QSignalSpy finished(&exporter, &PictureExporter::finished);
    exporter.printTo(shell.file("report.pdf"), QStringLiteral("decoder.plumb"), shell.theme);
    ASSERT_TRUE(waitFor([&] { return !finished.isEmpty(); }));
    EXPECT_EQ(finished[0][0].toString(), QString());
    QFile file(shell.file("report.pdf"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll().count("/Type /Page\n"), finished[0][1].toInt());
    // 762 operations and 425 tensors are more than can be seen of them.
    constexpr int kViews = 8, kPagesOfTables = 8;
    EXPECT_GE(finished[0][1].toInt(), kViews + kPagesOfTables);
    if (const QString folder = qEnvironmentVariable("PLUMB_PICTURES"); !folder.isEmpty())
        QFile::copy(shell.file("report.pdf"), folder + QStringLiteral("/report.pdf"));
}

/// What paintClipped() draws of a page, as PDF: without a clip of the system.
QImage onPaper(QWidget& page) {
    QPicture paper;
    QPainter drawing(&paper);
    paintClipped(drawing, page, page.rect());
    drawing.end();
    QImage image(page.size(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.drawPicture(0, 0, paper);
    return image;
}

/// A chart clips its curve, and writes its numbers after it.
struct ClippingChart : QWidget {
    using QWidget::QWidget;
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.save();
        painter.setClipRect(0, 0, 10, 10);
        painter.fillRect(rect(), Qt::blue);
        painter.restore();
        painter.fillRect(rect().adjusted(20, 20, 0, 0), Qt::red);
    }
};

TEST(Export, WhatAChartDrawsBehindAClipIsOnPaper) {
    QWidget page;
    page.resize(200, 200);
    auto* const within = new QWidget(&page);
    within->setGeometry(40, 40, 120, 120);
    auto* const chart = new ClippingChart(within);
    chart->setGeometry(50, 50, 60, 60);
    page.show();
    const QImage image = onPaper(page);
    const QPoint at = chart->mapTo(&page, QPoint());
    EXPECT_EQ(image.pixelColor(at + QPoint(5, 5)), QColor(Qt::blue));
    EXPECT_NE(image.pixelColor(at + QPoint(15, 5)), QColor(Qt::blue));
    EXPECT_EQ(image.pixelColor(at + QPoint(40, 40)), QColor(Qt::red));
}

TEST(Export, WhatIsScrolledAwayIsNotDrawnOnPaper) {
    QWidget page;
    page.resize(200, 200);
    auto* area = new QScrollArea(&page);
    area->setGeometry(20, 20, 100, 60);
    auto* inside = new QLabel;
    inside->setAutoFillBackground(true);
    inside->setPalette(QPalette(Qt::red, Qt::red));
    inside->setFixedSize(90, 400);
    area->setWidget(inside);
    page.show();
    area->verticalScrollBar()->setValue(50);
    const QImage image = onPaper(page);
    const QRect room(area->viewport()->mapTo(&page, QPoint()), area->viewport()->size());
    EXPECT_EQ(image.pixelColor(room.center()), QColor(Qt::red));
    int outside = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            outside += !room.contains(x, y) && image.pixelColor(x, y) == QColor(Qt::red) ? 1 : 0;
    EXPECT_EQ(outside, 0) << "pixels";
}

TEST(Export, EveryLetterOnPaperCanBeReadFromIt) {
    // A writer of PDF names a glyph by the character that the font has it for, and no other: a form for
    // neighbours would have no name, and a minus before a digit would be lost to whoever copies or searches.
    for (const char* text : {"−6.0 %", "aten::mm ×26", "batch [2, 16]", "2048x1024", "(A) -> B", "10:30"}) {
        QTextLayout layout(QString::fromUtf8(text), QApplication::font());
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        qsizetype at = 0;
        for (const QGlyphRun& run : layout.glyphRuns()) {
            const QString part = layout.text().mid(at, run.glyphIndexes().size());
            EXPECT_EQ(run.glyphIndexes(), run.rawFont().glyphIndexesForString(part)) << text;
            at += part.size();
        }
        EXPECT_EQ(at, layout.text().size()) << text;
    }
}

TEST(Export, ATableOnPaperLosesNeitherColumnsNorRows) {
    const QSizeF room(1000, 600);
    QStandardItemModel model(120, 30);
    for (int column = 0; column < model.columnCount(); ++column) {
        model.setHeaderData(column, Qt::Horizontal, QStringLiteral("column %1").arg(column));
        for (int row = 0; row < model.rowCount(); ++row)
            model.setItem(
                row, column,
                new QStandardItem(column == 0 ? QStringLiteral("a path that is long/%1").arg(row).repeated(4)
                                              : QStringLiteral("%1.%2 GFLOP/s").arg(row).arg(column)));
    }
    QWidget parent;
    auto* table = new QTableView(&parent);
    table->setAccessibleName(QStringLiteral("Wide"));
    table->resize(400, 200);
    table->setModel(&model);
    table->setColumnHidden(7, true);  // it gave way on screen
    parent.show();
    EXPECT_EQ(clippedTables(parent), QVector<QAbstractItemView*>{table});
    const TablePages pages(printedTable(*table), QFont(), room);
    QSet<int> columns;
    QMap<int, int> rows;  // by column: how many were printed of it
    int next = 0;
    for (const TablePage& page : pages.pages()) {
        EXPECT_LE(std::accumulate(page.widths.begin(), page.widths.end(), 0.0), room.width() + 0.5);
        EXPECT_EQ(page.columns.front(), 0) << "each page says what its rows are";
        if (page.firstRow > 0) {
            EXPECT_EQ(page.firstRow, next) << "no row is lost between pages";
        }
        next = page.endRow;
        for (const int column : page.columns) {
            columns << column;
            if (column > 0) rows[column] += page.endRow - page.firstRow;
        }
    }
    EXPECT_EQ(columns.size(), 30);
    for (int column = 1; column < 30; ++column) EXPECT_EQ(rows[column], 120) << column;
    EXPECT_TRUE(pages.caption(pages.pages().back()).contains(QStringLiteral("of 30")))
        << pages.caption(pages.pages().back()).toStdString();
}

TEST(Export, ATableThatCanBeSeenWholeNeedsNoPageOfItsOwn) {
    QStandardItemModel model(2, 2);
    for (int i = 0; i < 4; ++i) model.setItem(i / 2, i % 2, new QStandardItem(QStringLiteral("1")));
    QWidget parent;
    auto* table = new QTableView(&parent);
    table->resize(600, 300);
    table->setModel(&model);
    parent.show();
    EXPECT_TRUE(clippedTables(parent).isEmpty());
    model.setItem(0, 0, new QStandardItem(QStringLiteral("a text that the column cuts off").repeated(5)));
    EXPECT_EQ(clippedTables(parent).size(), 1);
}

TEST(Export, PicturesScale) {
    Shell shell;
    PictureExporter exporter(shell.window.views(), shell.window.viewArea(), nullptr);
    QSignalSpy finished(&exporter, &PictureExporter::finished);
    exporter.exportTo(shell.file("pictures"), PictureForm::Svg);
    ASSERT_TRUE(waitFor([&] { return !finished.isEmpty(); }));
    EXPECT_EQ(finished[0][0].toString(), QString());
    QFile file(shell.file("pictures/memory.svg"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_TRUE(file.readAll().contains("<text"));
}

}  // namespace
}  // namespace plumb::ui::test
