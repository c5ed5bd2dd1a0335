// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Banner;
class Document;
class PictureExporter;
class Settings;

/// Writes what is there in other formats than a snapshot; the banner says where.
class ExportActions final : public QObject {
    Q_OBJECT
public:
    ExportActions(ActionRegistry& actions, Document& document, PictureExporter& pictures, Settings& settings,
                  Banner& banner, QWidget& window);

private:
    /// Asks for a path and has `write` fill that file.
    void ask(const QString& title, const char* proposal, const QString& filter,
             bool (Document::*write)(const QString& path));
    void askPictures();

    Document& m_document;
    PictureExporter& m_pictures;
    Settings& m_settings;
    Banner& m_banner;
    QWidget& m_window;
};

}  // namespace plumb::ui
