// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_picture.h"

#include "tests/ui/support.h"
#include "ui/charts/chart_panel.h"
#include "ui/charts/split_bar.h"
#include "ui/theme/theme.h"

#include <QContextMenuEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QXmlStreamReader>

namespace plumb::ui::test {
namespace {

class ChartPictureTest : public ::testing::Test {
protected:
    ChartPictureTest() {
        panel.resize(420, 260);
        panel.setAccessibleName(QStringLiteral("Loss & \"more\""));
        panel.setAxis(ChartAxis::X, {QStringLiteral("step"), {}, false, 0, 1000, true});
        panel.setAxis(ChartAxis::Y, {{}, QStringLiteral("B"), false, 0, 10e9, true});
        panel.addLine(QStringLiteral("loss"), {});
        panel.setLine(QStringLiteral("loss"), {{0, 0}, {500, 9e9}, {1000, 1e9}});
        panel.show();
    }
    QByteArray picture(PictureForm form) { return pictureOf(panel, theme.color(ColorRole::Card), form); }
    FailOnQtWarnings guard{
        {QStringLiteral("propagateSizeHints"), QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    Theme theme;
    ChartPanel panel{theme};
};

/// Texts of an SVG, and how many elements there are of each kind.
std::pair<QStringList, QMap<QString, int>> contentOf(const QByteArray& svg) {
    QXmlStreamReader reader(svg);
    QStringList texts;
    QMap<QString, int> elements;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement()) ++elements[reader.name().toString()];
        if (reader.isCharacters() && !reader.isWhitespace()) texts << reader.text().toString();
    }
    EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
    return {texts, elements};
}

TEST_F(ChartPictureTest, AnSvgIsLinesAndLettersAndNoPixels) {
    const auto [texts, elements] = contentOf(picture(PictureForm::Svg));
    EXPECT_EQ(elements.value(QStringLiteral("image")), 0);
    EXPECT_GT(elements.value(QStringLiteral("text")), 4);
    EXPECT_GT(elements.value(QStringLiteral("path")) + elements.value(QStringLiteral("polyline")), 4);
    EXPECT_TRUE(texts.contains(QStringLiteral("step"))) << texts.join(u' ').toStdString();
    EXPECT_TRUE(texts.contains(QStringLiteral("Loss  more"))) << texts.join(u' ').toStdString();
}

TEST_F(ChartPictureTest, AnSvgIsDrawnAgainAsThePictureThatIsShown) {
    QSvgRenderer renderer(picture(PictureForm::Svg));
    ASSERT_TRUE(renderer.isValid());
    QImage drawn(panel.size(), QImage::Format_RGB32);
    QPainter painter(&drawn);
    renderer.render(&painter);
    painter.end();
    const QImage shown = panel.toImage(1).convertToFormat(QImage::Format_RGB32);
    int differing = 0;
    for (int y = 0; y < shown.height(); ++y)
        for (int x = 0; x < shown.width(); ++x)
            if (std::abs(qGray(shown.pixel(x, y)) - qGray(drawn.pixel(x, y))) > 60) ++differing;
    // Letters and lines lie between other pixels; the rest is the same.
    EXPECT_LT(differing, shown.width() * shown.height() / 30);
}

TEST_F(ChartPictureTest, APdfHasTheSizeOfTheChartAndLetters) {
    const QByteArray pdf = picture(PictureForm::Pdf);
    EXPECT_TRUE(pdf.startsWith("%PDF-"));
    const qsizetype box = pdf.indexOf("/MediaBox");
    EXPECT_TRUE(pdf.mid(box, 40).contains("0 0 315")) << pdf.mid(box, 60).toStdString();
    EXPECT_TRUE(pdf.contains("/Font"));
    EXPECT_FALSE(pdf.contains("/Subtype /Image"));
}

TEST_F(ChartPictureTest, AFileHasTheFormThatItsNameSays) {
    for (const auto& [name, begin] :
         {std::pair("a.svg", "<?xml"), {"a.PDF", "%PDF"}, {"a.png", "\x89PNG"}, {"a", "\x89PNG"}}) {
        const QString path = folder.filePath(QLatin1String(name));
        ASSERT_TRUE(savePicture(panel, Qt::white, path).has_value());
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        EXPECT_TRUE(file.readAll().startsWith(begin)) << name;
    }
    EXPECT_EQ(QImage(folder.filePath(QStringLiteral("a.png"))).size(), panel.size() * 2);
    const auto refused = savePicture(panel, Qt::white, folder.filePath(QStringLiteral("no/such/a.svg")));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::Io);
}

/// Takes what is told of a picture, as a window does.
class Window final : public QWidget {
public:
    QString told;

protected:
    bool event(QEvent* event) override {
        if (event->type() != PictureSaved::kType) return QWidget::event(event);
        told = static_cast<PictureSaved*>(event)->path();
        event->accept();
        return true;
    }
};

TEST_F(ChartPictureTest, IsProposedANameAndTheWindowHearsWhereItIs) {
    Window window;
    QWidget card(&window);
    panel.setObjectName(QStringLiteral("gradientNormChart"));
    panel.setParent(&card);
    window.show();
    QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 20), panel.mapToGlobal(QPoint(20, 20)));
    QApplication::sendEvent(&panel, &event);
    child<QMenu>(panel, "pictureMenu")->actions()[1]->trigger();
    auto* const dialog = panel.findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    const QString proposed = QFileInfo(dialog->selectedFiles().value(0)).fileName();
    EXPECT_EQ(proposed, QStringLiteral("gradient-norm.png"));
    const QString path = folder.filePath(proposed);
    emit dialog->fileSelected(path);
    EXPECT_TRUE(QFile::exists(path));
    EXPECT_EQ(window.told, path);
    dialog->close();
    panel.setParent(nullptr);
}

TEST_F(ChartPictureTest, EveryChartOffersItInItsMenu) {
    SplitBar bar(theme);
    bar.resize(200, 60);
    bar.show();
    for (QWidget* chart : {static_cast<QWidget*>(&panel), static_cast<QWidget*>(&bar)}) {
        QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(20, 20), chart->mapToGlobal(QPoint(20, 20)));
        QApplication::sendEvent(chart, &event);
        auto* menu = child<QMenu>(*chart, "pictureMenu");
        ASSERT_NE(menu, nullptr);
        ASSERT_EQ(menu->actions().size(), 2);
        EXPECT_EQ(menu->actions()[1]->text(), QStringLiteral("Save picture…"));
        menu->close();
    }
}

}  // namespace
}  // namespace plumb::ui::test
