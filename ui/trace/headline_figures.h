// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/theme.h"

#include <QString>
#include <QVector>
#include <QWidget>

class QGridLayout;

namespace plumb::ui {

/// Headline figures, each with its name below it, in as many columns as there is room for.
class HeadlineFigures final : public QWidget {
    Q_OBJECT
public:
    struct Figure {
        QString name;
        QString value;
        QString definition;  ///< tool tip
    };
    explicit HeadlineFigures(Theme& theme, QWidget* parent = nullptr);

    void setFigures(const QVector<Figure>& figures);
    [[nodiscard]] const QVector<Figure>& figures() const { return m_figures; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void lay();

    Theme& m_theme;
    QGridLayout* m_grid;
    QVector<Figure> m_figures;
    QVector<QWidget*> m_tiles;
    int m_columns = 0;
};

}  // namespace plumb::ui
