// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_picture.h"
#include "ui/shell/pdf_report.h"

#include <QObject>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

class QWidget;

namespace plumb::ui {

class ViewStack;
struct ViewSpec;

/// Draws each view of the window, as pictures or as the pages of a document: the tabs in turn, each drawn
/// after its charts are laid out.
class PictureExporter final : public QObject {
    Q_OBJECT
public:
    /// `area` holds the views, and the window holds `area`.
    PictureExporter(ViewStack& views, QWidget& area, QObject* parent);

    /// Pictures of every question of the planner, planner-memory.png, ..., beside the one that it shows: for
    /// a plan that was opened.
    void setWithQuestions(bool with) { m_withQuestions = with; }
    /// Pictures of the whole window in every view instead of the views by themselves: overview`suffix`.png,
    /// ...
    void setWholeWindow(const QString& suffix) { m_wholeSuffix = suffix; }
    /// overview.png, memory.png, ..., training-layers.png, lab-tensors.png and planner-evidence.png (the
    /// other pages of a view) and window.png (all of it) in `folder`, which is made if needed. finished()
    /// follows; a second call while one goes on is ignored.
    void exportTo(const QString& folder, PictureForm form = PictureForm::Png);
    /// Files in `folder` that have names of such pictures, which exportTo() writes over.
    [[nodiscard]] static QStringList picturesIn(const QString& folder, PictureForm form);
    /// The views as pages of one PDF under `heading`, in the light theme, which paper is; then the theme is
    /// again what it was. finished() follows.
    void printTo(const QString& path, const QString& heading, Theme& theme);

signals:
    /// An empty error: all were written, so many pictures or pages.
    void finished(const QString& error, int written);

private:
    void begin();
    void end();
    void next();
    void goOn();
    [[nodiscard]] bool isAskedFor(const ViewSpec& view) const;
    /// Shows the next page of the current view; false when all of them were written.
    [[nodiscard]] bool turnPage();
    [[nodiscard]] bool writeCurrent();
    [[nodiscard]] bool write(QWidget& widget, const QString& name);
    [[nodiscard]] int pagesOf(const QWidget* view) const;
    [[nodiscard]] int pageOf(const QWidget* view) const;
    void showPage(QWidget* view, int page) const;

    ViewStack& m_views;
    QWidget& m_area;
    QString m_folder;
    PictureForm m_form = PictureForm::Png;
    bool m_withQuestions = false;
    std::optional<QString> m_wholeSuffix;  ///< the whole window is drawn
    std::optional<PdfReport> m_report;     ///< pages instead of pictures
    QString m_reportPath;
    std::function<void()> m_restore;  ///< puts back what the window looked like
    QString m_error;
    int m_index = -1;  ///< tab in turn; -1: nothing goes on
    int m_firstTab = 0;
    int m_page = 0;       ///< index in the current view, in the order of writing
    int m_firstPage = 0;  ///< the one that the user was on
    int m_written = 0;
    int m_waits = 0;  ///< for the current view
};

}  // namespace plumb::ui
