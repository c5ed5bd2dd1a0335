// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/device_strip.h"

#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/tone_label.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kLeastWidth = 92;
constexpr int kMostWidth = 190;
constexpr int kSpacing = 16;

}  // namespace

DeviceStrip::DeviceStrip(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_row(new QWidget(this)),
      m_rowLayout(new QHBoxLayout(m_row)),
      m_disturbances(new ToneLabel(theme, ColorRole::Warning, this)),
      m_absent(new ToneLabel(theme, ColorRole::TextMuted, this)) {
    setObjectName(QStringLiteral("deviceStrip"));
    setAccessibleName(tr("What the device tells of itself"));
    m_rowLayout->setContentsMargins(0, 0, 0, 0);
    m_rowLayout->setSpacing(kSpacing);
    m_rowLayout->addStretch(1);
    // The strip takes the width that there is, and shows as many cells as fit.
    m_row->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_disturbances->setObjectName(QStringLiteral("deviceDisturbances"));
    m_disturbances->setWordWrap(true);
    m_absent->setObjectName(QStringLiteral("deviceAbsent"));
    m_absent->setWordWrap(true);
    for (ToneLabel* line : {m_disturbances, m_absent}) {
        line->setTextFormat(Qt::PlainText);
        line->hide();
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addWidget(m_row);
    column->addWidget(m_disturbances);
    column->addWidget(m_absent);
    hide();
}

DeviceStrip::Cell DeviceStrip::makeCell() {
    Cell cell{new QWidget(m_row), nullptr, nullptr, nullptr, 0};
    auto* column = new QVBoxLayout(cell.box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    cell.caption = new ToneLabel(m_theme, ColorRole::TextMuted, cell.box);
    cell.caption->setElided();
    QFont small = font();
    small.setPointSizeF(font().pointSizeF() * 0.9);
    cell.caption->setFont(small);
    cell.value = new ToneLabel(m_theme, ColorRole::TextStrong, cell.box);
    cell.value->setStrong();
    cell.course = new Sparkline(m_theme, cell.box);
    column->addWidget(cell.caption);
    column->addWidget(cell.value);
    column->addWidget(cell.course);
    cell.box->setMinimumWidth(kLeastWidth);
    cell.box->setMaximumWidth(kMostWidth);
    m_rowLayout->insertWidget(static_cast<int>(m_cells.size()), cell.box, 8);
    return cell;
}

void DeviceStrip::setCells(const DeviceCells& shown) {
    while (m_cells.size() < shown.cells.size()) m_cells.append(makeCell());
    m_used = shown.cells.size();
    for (qsizetype i = 0; i < m_used; ++i) {
        const DeviceCell& from = shown.cells[i];
        Cell& cell = m_cells[i];
        cell.rank = from.rank;
        cell.value->setObjectName(from.id);
        cell.caption->setText(from.caption);
        cell.value->setText(from.value);
        cell.value->setAccessibleName(from.caption + u' ' + from.value);
        cell.course->setContent(from.course);
        cell.course->setObjectName(from.id + QStringLiteral("Course"));
        cell.course->setAccessibleName(from.caption);
        cell.course->setAccessibleDescription(QString(from.toolTip).replace(u'\n', QStringLiteral("; ")));
        for (QWidget* part :
             {cell.box, static_cast<QWidget*>(cell.caption), static_cast<QWidget*>(cell.value)})
            part->setToolTip(from.toolTip);
    }
    m_row->setVisible(m_used > 0);
    const auto say = [](ToneLabel& label, const QString& text, const QString& whole) {
        label.setText(text);
        label.setToolTip(whole);
        label.setVisible(!text.isEmpty());
    };
    QStringList disturbances;
    for (const QString& text : shown.disturbances) disturbances << QStringLiteral("● ") + capitalised(text);
    say(*m_disturbances, disturbances.join(u'\n'), {});
    const QString absent = clausesText(shown.absent);
    say(*m_absent, absent.isEmpty() ? QString() : tr("Not known of the device: %1").arg(absent),
        shown.absent.join(u'\n'));
    setVisible(m_used > 0 || !disturbances.isEmpty() || !absent.isEmpty());
    fit();
}

void DeviceStrip::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void DeviceStrip::fit() {
    const qsizetype room = std::max(1, (width() + kSpacing) / (kLeastWidth + kSpacing));
    for (qsizetype i = 0; i < m_cells.size(); ++i) {
        const auto goesLater = [&](const Cell& other) { return other.rank < m_cells[i].rank; };
        const auto before = std::count_if(m_cells.begin(), m_cells.begin() + m_used, goesLater);
        m_cells[i].box->setVisible(i < m_used && before < room);
    }
}

}  // namespace plumb::ui
