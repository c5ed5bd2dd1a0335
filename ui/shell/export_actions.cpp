// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/export_actions.h"

#include "ui/settings/settings.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/document.h"
#include "ui/shell/picture_exporter.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/dialogs.h"

#include <QDir>
#include <QFileInfo>

#include <functional>

namespace plumb::ui {

ExportActions::ExportActions(ActionRegistry& actions, Document& document, PictureExporter& pictures,
                             Settings& settings, Banner& banner, QWidget& window)
    : QObject(&window),
      m_document(document),
      m_pictures(pictures),
      m_settings(settings),
      m_banner(banner),
      m_window(window) {
    const QString csv = tr("Comma-separated values (*.csv)");
    actions.add({QStringLiteral("file.exportCsv"), tr("Export &CSV…"),
                 tr("Write one row per operation as CSV"), keys("Ctrl+E")},
                [this, csv] { ask(tr("Export CSV"), "operations.csv", csv, &Document::exportCsv); });
    actions.add(
        {QStringLiteral("file.exportTrainingCsv"), tr("Export &training CSV…"),
         tr("Write one row per step of the newest run as CSV"), keys("Ctrl+Alt+E")},
        [this, csv] { ask(tr("Export training CSV"), "training.csv", csv, &Document::exportTrainingCsv); });
    actions.add({QStringLiteral("file.exportTimeline"), tr("Export t&imeline…"),
                 tr("Write the timeline for Perfetto or chrome://tracing"), keys("Ctrl+Alt+T")},
                [this] {
                    ask(tr("Export the timeline"), "timeline.json", tr("Trace events (*.json)"),
                        &Document::exportTimeline);
                });
    actions.add({QStringLiteral("file.exportPictures"), tr("Export &pictures…"),
                 tr("Write every view as a PNG"), keys("Ctrl+Shift+E")},
                [this] { askPictures(); });
}

void ExportActions::ask(const QString& title, const char* proposal, const QString& filter,
                        bool (Document::*write)(const QString& path)) {
    const QString name = QString::fromLatin1(proposal);
    askSavePath(m_window, title, QDir(m_settings.lastFolder()).filePath(name), filter,
                QFileInfo(name).suffix(), [this, write](const QString& path) {
                    if (std::invoke(write, m_document, path))
                        m_banner.showMessage(Banner::Kind::Notice, tr("Exported to %1").arg(path));
                });
}

void ExportActions::askPictures() {
    askFolder(m_window, tr("Folder for the pictures"), m_settings.lastFolder(),
              [this](const QString& folder) {
                  connect(
                      &m_pictures, &PictureExporter::finished, this,
                      [this, folder](const QString& error, int written) {
                          if (error.isEmpty())
                              m_banner.showMessage(Banner::Kind::Notice,
                                                   tr("%1 pictures in %2").arg(written).arg(folder));
                          else
                              m_banner.showMessage(Banner::Kind::Error, error + QLatin1Char('.'));
                      },
                      Qt::SingleShotConnection);
                  m_pictures.exportTo(folder);
              });
}

}  // namespace plumb::ui
