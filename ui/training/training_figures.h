// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

class QLabel;

namespace plumb::ui {

class Theme;
class WrapLayout;

/// A row of captions with values under them: "steps/s  1 240".
class TrainingFigures final : public QWidget {
    Q_OBJECT
public:
    struct Figure {
        QString id;  ///< objectName of the value's label
        QString caption;
        QString value;
        QString toolTip;
    };
    explicit TrainingFigures(const Theme& theme, QWidget* parent = nullptr);

    /// Ids and their order stay the same from call to call; values change, and the last ones may be absent.
    void setFigures(const QVector<Figure>& figures);

private:
    void restyle();
    struct Pair {
        QLabel* caption;
        QLabel* value;
    };
    const Theme& m_theme;
    WrapLayout* m_layout;
    QVector<Pair> m_pairs;
};

}  // namespace plumb::ui
