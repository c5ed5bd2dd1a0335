// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace plumb::ui {

class ViewStack;

/// Writes each view of the window as a PNG: the tabs in turn, each drawn after its charts are laid out.
class PictureExporter final : public QObject {
    Q_OBJECT
public:
    /// `area` holds the views, and the window holds `area`.
    PictureExporter(ViewStack& views, QWidget& area, QObject* parent);

    /// overview.png, memory.png, ..., training-layers.png and lab-tensors.png (the other pages of a view) and
    /// window.png (all of it) in `folder`, which is made if needed. finished() follows; a second call while
    /// one goes on is ignored.
    void exportTo(const QString& folder);

signals:
    void finished(const QString& error, int written);  ///< an empty error: all were written

private:
    void next();
    void goOn();
    /// Shows the next page of the current view; false when all of them were written.
    [[nodiscard]] bool turnPage();
    [[nodiscard]] bool writeCurrent();

    ViewStack& m_views;
    QWidget& m_area;
    QString m_folder;
    QString m_error;
    int m_index = -1;  ///< tab in turn; -1: nothing goes on
    int m_firstTab = 0;
    int m_page = 0;       ///< index in the current view, in the order of writing
    int m_firstPage = 0;  ///< the one that the user was on
    int m_written = 0;
    int m_waits = 0;  ///< for the current view
};

}  // namespace plumb::ui
