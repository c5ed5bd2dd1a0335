// SPDX-License-Identifier: GPL-3.0-or-later
// File > Export: every format, the reason of those that cannot be written, pictures and the views on paper.
#include "tests/ui/shell/shell_fixture.h"
#include "ui/shell/export_dialog.h"
#include "ui/shell/picture_exporter.h"
#include "ui/shell/view_stack.h"

#include "test_paths.h"

#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>

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
    EXPECT_GE(finished[0][1].toInt(), ViewStack::tabCount());
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
