// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QEvent>
#include <QString>
#include <QWidget>

#include <utility>

class QColor;

namespace plumb::ui {

class Theme;

/// What a picture is written as: pixels, or lines and letters that scale.
enum class PictureForm : std::uint8_t { Png, Svg, Pdf };

/// The form of a file of that name, by its ending; PNG where it says none of them.
[[nodiscard]] PictureForm pictureFormOf(const QString& path);

/// The widget as it is shown, with its children, on `paper`. `scale`: device pixels of a PNG per logical
/// pixel. Empty when it could not be encoded. GUI thread.
[[nodiscard]] QByteArray pictureOf(QWidget& widget, const QColor& paper, PictureForm form, qreal scale = 2);

/// Writes that picture in the form that the ending of `path` says, whole or not at all. Errors: Io with the
/// system's reason.
[[nodiscard]] Result<void> savePicture(QWidget& widget, const QColor& paper, const QString& path);

/// Sent to a chart, and to what it lies in until somebody accepts it, when its picture is in a file.
class PictureSaved final : public QEvent {
public:
    static constexpr Type kType = static_cast<Type>(QEvent::User + 1);
    explicit PictureSaved(QString path) : QEvent(kType), m_path(std::move(path)) { ignore(); }
    [[nodiscard]] const QString& path() const { return m_path; }

private:
    QString m_path;
};

/// The menu of a chart: copy its picture, save it as PNG, SVG or PDF.
class PictureMenu final : public QObject {
    Q_OBJECT
public:
    /// Shows the menu where one is asked for on `chart`, whose parts it draws.
    PictureMenu(QWidget& chart, Theme& theme);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void popUp(const QPoint& at);
    void askPath();
    void save(const QString& path);

    QWidget& m_chart;
    Theme& m_theme;
};

}  // namespace plumb::ui
