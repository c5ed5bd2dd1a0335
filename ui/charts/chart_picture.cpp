// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_picture.h"

#include "core/io/file.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

namespace plumb::ui {

namespace {

constexpr int kPixelsPerInch = 96;
constexpr double kPointsPerPixel = 72.0 / kPixelsPerInch;

/// The name of the chart without what older Qt writes into an SVG as it stands.
QString titleOf(const QWidget& widget) {
    QString title = widget.accessibleName();
    for (const char16_t mark : {u'&', u'<', u'>', u'"'}) title.remove(QChar(mark));
    return title;
}

/// "loss" of "lossChart": what the chart, or what it lies in, is called, without the ending of a picture.
QString fileNameOf(const QWidget& chart) {
    const QWidget* named = &chart;
    while (named->objectName().isEmpty() && named->parentWidget() != nullptr) named = named->parentWidget();
    QString name = named->objectName();
    for (const char* end : {"Chart", "Canvas", "Picture", "Card"})
        if (name.endsWith(QLatin1String(end))) name.chop(static_cast<qsizetype>(qstrlen(end)));
    static const QRegularExpression kCapital(QStringLiteral("(?<=.)(?=[A-Z])"));
    name = name.replace(kCapital, QStringLiteral("-")).toLower();
    return name.isEmpty() ? QStringLiteral("chart") : name;
}

void draw(QWidget& widget, const QColor& paper, QPainter& painter) {
    painter.fillRect(widget.rect(), paper);
    widget.render(&painter, QPoint(), QRegion(), QWidget::DrawChildren);
}

QImage imageOf(QWidget& widget, const QColor& paper, qreal scale) {
    QImage image(widget.size() * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(paper);
    widget.render(&image, QPoint(), QRegion(), QWidget::DrawChildren);
    return image;
}

}  // namespace

PictureForm pictureFormOf(const QString& path) {
    if (path.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive)) return PictureForm::Svg;
    if (path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive)) return PictureForm::Pdf;
    return PictureForm::Png;
}

QByteArray pictureOf(QWidget& widget, const QColor& paper, PictureForm form, qreal scale) {
    QByteArray content;
    QBuffer buffer(&content);
    if (!buffer.open(QIODevice::WriteOnly)) return {};
    switch (form) {
    case PictureForm::Png:
        if (!imageOf(widget, paper, scale).save(&buffer, "PNG")) return {};
        break;
    case PictureForm::Svg: {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setSize(widget.size());
        svg.setViewBox(widget.rect());
        svg.setResolution(kPixelsPerInch);
        svg.setTitle(titleOf(widget));
        QPainter painter(&svg);
        draw(widget, paper, painter);
        break;
    }
    case PictureForm::Pdf: {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(kPixelsPerInch);
        pdf.setPageSize(
            QPageSize(QSizeF(widget.size()) * kPointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
        pdf.setPageMargins({});
        pdf.setTitle(titleOf(widget));
        QPainter painter(&pdf);
        draw(widget, paper, painter);
        break;
    }
    }
    return content;
}

Result<void> savePicture(QWidget& widget, const QColor& paper, const QString& path) {
    const QByteArray content = pictureOf(widget, paper, pictureFormOf(path));
    if (content.isEmpty())
        return Error{ErrorCode::Io, QObject::tr("The picture %1 could not be drawn").arg(path).toStdString(),
                     QObject::tr("make the window smaller").toStdString()};
    return writeFileAtomically(path.toStdString(),
                               {content.constData(), static_cast<std::size_t>(content.size())});
}

PictureMenu::PictureMenu(QWidget& chart, Theme& theme) : QObject(&chart), m_chart(chart), m_theme(theme) {
    chart.installEventFilter(this);
}

bool PictureMenu::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::ContextMenu) return QObject::eventFilter(watched, event);
    popUp(static_cast<QContextMenuEvent*>(event)->globalPos());
    return true;
}

void PictureMenu::popUp(const QPoint& at) {
    auto* menu = new QMenu(&m_chart);
    menu->setObjectName(QStringLiteral("pictureMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy picture"), this, [this] {
        QApplication::clipboard()->setImage(imageOf(m_chart, m_theme.color(ColorRole::Card), 2));
    });
    menu->addAction(tr("Save picture…"), this, &PictureMenu::askPath);
    menu->popup(at);
}

void PictureMenu::askPath() {
    const QString svg = tr("Scalable picture (*.svg)"), pdf = tr("PDF (*.pdf)");
    auto* dialog = new QFileDialog(&m_chart, tr("Save picture"), QString(),
                                   QStringList{tr("Picture (*.png)"), svg, pdf}.join(QLatin1String(";;")));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(QStringLiteral("png"));
    connect(dialog, &QFileDialog::filterSelected, dialog, [dialog, svg, pdf](const QString& filter) {
        dialog->setDefaultSuffix(filter == svg   ? QStringLiteral("svg")
                                 : filter == pdf ? QStringLiteral("pdf")
                                                 : QStringLiteral("png"));
    });
    connect(dialog, &QFileDialog::fileSelected, this, &PictureMenu::save);
    dialog->selectFile(fileNameOf(m_chart));  // without an ending, which is that of the chosen form
    dialog->open();
}

void PictureMenu::save(const QString& path) {
    const Result<void> saved = savePicture(m_chart, m_theme.color(ColorRole::Card), path);
    if (!saved.has_value()) {
        auto* box = new QMessageBox(QMessageBox::Warning, tr("Save picture"), errorSentence(saved.error()),
                                    QMessageBox::Close, &m_chart);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
        return;
    }
    PictureSaved told(path);
    for (QWidget* at = &m_chart; at != nullptr && !told.isAccepted(); at = at->parentWidget())
        QApplication::sendEvent(at, &told);
}

}  // namespace plumb::ui
