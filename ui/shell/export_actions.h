// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_picture.h"

#include <QObject>
#include <QStringList>

#include <functional>

namespace plumb {
struct ExportFormat;
}

namespace plumb::ui {

class ActionRegistry;
class Banner;
class Document;
class PictureExporter;
class Settings;
class Theme;

/// Writes what is there in other formats than a snapshot; the banner says where. The formats are those of
/// core/export and what only a window has: pictures, and the views on paper.
class ExportActions final : public QObject {
    Q_OBJECT
public:
    struct Places {
        Document& document;
        PictureExporter& pictures;
        Settings& settings;
        Theme& theme;
        Banner& banner;
        QWidget& window;
    };
    ExportActions(ActionRegistry& actions, const Places& places);

private:
    /// Lists all formats, and why some cannot be written.
    void askFormat();
    /// Asks where to and writes in the format of that id.
    void exportAs(const QString& id);
    void askPictures(PictureForm form);
    void askToReplace(const QString& folder, PictureForm form, const QStringList& there);
    void writePictures(const QString& folder, PictureForm form);
    void askReport();
    /// Runs `begin` on the exporter and says `done` with the number of what it wrote, or its error.
    void follow(const std::function<void()>& begin, const std::function<QString(int)>& done);

    Places m_at;
};

}  // namespace plumb::ui
