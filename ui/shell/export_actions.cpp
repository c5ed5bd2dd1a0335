// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/export_actions.h"

#include "core/export/formats.h"
#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/document.h"
#include "ui/shell/export_dialog.h"
#include "ui/shell/picture_exporter.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"

#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include <algorithm>

namespace plumb::ui {

namespace {

constexpr const char* kReportPdf = "report-pdf";
constexpr const char* kPicturesPng = "pictures-png";
constexpr const char* kPicturesSvg = "pictures-svg";
constexpr const char* kPicturesPdf = "pictures-pdf";

/// "Operations, CSV" as what it is and its form; a format without a form of its own has the name of its file.
QPair<QString, QString> partsOf(const ExportFormat& format) {
    const std::string_view name = format.name;
    const std::size_t comma = name.rfind(", ");
    if (comma == std::string_view::npos) return {coreText(name), toText(format.fileName)};
    return {coreText(name.substr(0, comma)), toText(name.substr(comma + 2))};
}

/// The formats of the step by what they hold, then what only a window has.
QVector<ExportChoice> choicesOf(const ExportedStep& step) {
    QVector<ExportChoice> choices;
    for (const ExportFormat& format : exportFormats()) {
        const auto [what, form] = partsOf(format);
        const auto known = std::find_if(choices.begin(), choices.end(),
                                        [&what = what](const auto& choice) { return choice.what == what; });
        if (known != choices.end()) {
            known->forms.push_back({form, toText(format.id)});
            continue;
        }
        const std::optional<Error> absent = format.absent(step);
        choices.push_back({what,
                           capitalised(coreText(format.holds)),
                           absent ? errorSentence(*absent) : QString(),
                           {{form, toText(format.id)}}});
    }
    for (ExportChoice& choice : choices)
        if (choice.forms[0].second == QLatin1String("html")) {
            choice.holds += ExportActions::tr("; as PDF every view on a page");
            choice.forms.push_back({QStringLiteral("PDF"), QString::fromLatin1(kReportPdf)});
        }
    choices.push_back({ExportActions::tr("Pictures of every view"),
                       ExportActions::tr("The window's views in its theme; a chart alone: its context menu"),
                       {},
                       {{QStringLiteral("PNG"), QString::fromLatin1(kPicturesPng)},
                        {QStringLiteral("SVG"), QString::fromLatin1(kPicturesSvg)},
                        {QStringLiteral("PDF"), QString::fromLatin1(kPicturesPdf)}}});
    return choices;
}

}  // namespace

ExportActions::ExportActions(ActionRegistry& actions, const Places& places)
    : QObject(&places.window), m_at(places) {
    actions.add({QStringLiteral("file.export"), tr("E&xport…"),
                 tr("Write a report, tables, traces or pictures of what is shown"), keys("Ctrl+Shift+X")},
                [this] { askFormat(); });
    actions.add({QStringLiteral("file.exportCsv"), tr("Export &CSV…"),
                 tr("Write one row per operation as CSV"), keys("Ctrl+E")},
                [this] { exportAs(QStringLiteral("csv")); });
    actions.add({QStringLiteral("file.exportTrainingCsv"), tr("Export &training CSV…"),
                 tr("Write one row per step of the newest run as CSV"), keys("Ctrl+Alt+E")},
                [this] { exportAs(QStringLiteral("training-csv")); });
    actions.add({QStringLiteral("file.exportTimeline"), tr("Export t&imeline…"),
                 tr("Write the timeline for Perfetto or chrome://tracing"), keys("Ctrl+Alt+T")},
                [this] { exportAs(QStringLiteral("chrome-trace")); });
    actions.add({QStringLiteral("file.exportReport"), tr("Export a &report…"),
                 tr("Write figures, charts and operations as one HTML page"), keys("Ctrl+Alt+R")},
                [this] { exportAs(QStringLiteral("html")); });
    actions.add({QStringLiteral("file.exportPictures"), tr("Export &pictures…"),
                 tr("Write every view as a PNG"), keys("Ctrl+Shift+E")},
                [this] { askPictures(PictureForm::Png); });
}

void ExportActions::askFormat() {
    const Result<ExportedStep> step = m_at.document.exportedStep();
    if (!step.has_value()) {
        m_at.banner.showMessage(Banner::Kind::Error, errorSentence(step.error()));
        return;
    }
    auto* dialog = new ExportDialog(choicesOf(step.value()), m_at.theme, &m_at.window);
    connect(dialog, &ExportDialog::chosen, this, &ExportActions::exportAs);
    dialog->open();
}

void ExportActions::exportAs(const QString& id) {
    if (id == QLatin1String(kReportPdf)) return askReport();
    if (id == QLatin1String(kPicturesPng)) return askPictures(PictureForm::Png);
    if (id == QLatin1String(kPicturesSvg)) return askPictures(PictureForm::Svg);
    if (id == QLatin1String(kPicturesPdf)) return askPictures(PictureForm::Pdf);
    const ExportFormat* const format = findExportFormat(id.toStdString());
    if (format == nullptr) return;
    const QString ending = toText(format->ending());
    const QString name = partsOf(*format).first;
    askSavePath(m_at.window, tr("Export %1").arg(name),
                QDir(m_at.settings.lastFolder()).filePath(toText(format->fileName)),
                QStringLiteral("%1 (*.%2)").arg(name, ending), ending, [this, format](const QString& path) {
                    if (m_at.document.exportAs(*format, path))
                        m_at.banner.showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                });
}

void ExportActions::follow(const std::function<void()>& begin, const std::function<QString(int)>& done) {
    connect(
        &m_at.pictures, &PictureExporter::finished, this,
        [this, done](const QString& error, int written) {
            if (error.isEmpty())
                m_at.banner.showMessage(Banner::Kind::Notice, done(written));
            else
                m_at.banner.showMessage(Banner::Kind::Error, sentenceText(error));
        },
        Qt::SingleShotConnection);
    begin();
}

void ExportActions::askPictures(PictureForm form) {
    askFolder(m_at.window, tr("Folder for the pictures"), m_at.settings.lastFolder(),
              [this, form](const QString& folder) {
                  const QStringList there = PictureExporter::picturesIn(folder, form);
                  if (there.isEmpty()) return writePictures(folder, form);
                  askToReplace(folder, form, there);
              });
}

void ExportActions::askToReplace(const QString& folder, PictureForm form, const QStringList& there) {
    QMessageBox& question = askBefore(
        m_at.window,
        {.name = "replaceQuestion",
         .title = tr("Replace pictures"),
         .text = tr("%1 has files that are named as the pictures are: %2. What they hold would be lost.")
                     .arg(folder, listText(there)),
         .act = tr("&Replace")},
        [this, folder, form] { writePictures(folder, form); });
    connect(question.addButton(tr("&Another folder…"), QMessageBox::ActionRole), &QPushButton::clicked, this,
            [this, form] { askPictures(form); });
}

void ExportActions::writePictures(const QString& folder, PictureForm form) {
    follow([&] { m_at.pictures.exportTo(folder, form); },
           [folder](int written) { return tr("%1 pictures in %2").arg(written).arg(folder); });
}

void ExportActions::askReport() {
    askSavePath(m_at.window, tr("Export the report"),
                QDir(m_at.settings.lastFolder()).filePath(QStringLiteral("report.pdf")), tr("PDF (*.pdf)"),
                QStringLiteral("pdf"), [this](const QString& path) {
                    const Result<ExportedStep> step = m_at.document.exportedStep();
                    const QString heading = step.has_value() ? toText(step.value().title) : QString();
                    follow([&] { m_at.pictures.printTo(path, heading, m_at.theme); },
                           [path](int pages) { return tr("%1 pages in %2").arg(pages).arg(path); });
                });
}

}  // namespace plumb::ui
