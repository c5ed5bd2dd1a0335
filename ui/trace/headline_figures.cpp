// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/headline_figures.h"

#include "ui/widgets/tone_label.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

namespace {
constexpr int kTileWidth = 118;
constexpr int kTileSpace = 10;
}  // namespace

HeadlineFigures::HeadlineFigures(Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_grid(new QGridLayout(this)) {
    m_grid->setContentsMargins(8, 2, 8, 4);
    m_grid->setHorizontalSpacing(kTileSpace);
    m_grid->setVerticalSpacing(8);
}

void HeadlineFigures::setFigures(const QVector<Figure>& figures) {
    m_figures = figures;
    while (m_tiles.size() < figures.size()) {
        auto* tile = new QWidget(this);
        auto* column = new QVBoxLayout(tile);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* value = new ToneLabel(m_theme, ColorRole::TextStrong, tile);
        value->setObjectName(QStringLiteral("figureValue"));
        value->setStrong(2);
        auto* name = new ToneLabel(m_theme, ColorRole::TextMuted, tile);
        name->setObjectName(QStringLiteral("figureName"));
        name->setWordWrap(true);
        column->addWidget(value);
        column->addWidget(name);
        m_tiles.push_back(tile);
        m_columns = 0;
    }
    for (qsizetype i = 0; i < m_tiles.size(); ++i) {
        QWidget* tile = m_tiles[i];
        tile->setVisible(i < figures.size());
        if (i >= figures.size()) continue;
        tile->findChild<ToneLabel*>(QStringLiteral("figureValue"))->setText(figures[i].value);
        tile->findChild<ToneLabel*>(QStringLiteral("figureName"))->setText(figures[i].name);
        tile->setToolTip(figures[i].definition);
        tile->setAccessibleName(figures[i].name + QLatin1Char(' ') + figures[i].value);
    }
    lay();
}

void HeadlineFigures::lay() {
    const int columns = std::clamp((width() - 16 + kTileSpace) / (kTileWidth + kTileSpace), 2, 8);
    if (columns == m_columns) return;
    for (int column = 0; column < m_grid->columnCount(); ++column) m_grid->setColumnStretch(column, 0);
    m_columns = columns;
    for (qsizetype i = 0; i < m_tiles.size(); ++i)
        m_grid->addWidget(m_tiles[i], static_cast<int>(i) / columns, static_cast<int>(i) % columns);
    for (int column = 0; column < columns; ++column) m_grid->setColumnStretch(column, 1);
}

void HeadlineFigures::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    lay();
}

}  // namespace plumb::ui
