// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/einsum_sizes.h"

#include "ui/widgets/size_field.h"
#include "ui/widgets/tone_label.h"

namespace plumb::ui {
namespace {

constexpr int kPerRow = 5;

}  // namespace

EinsumSizes::EinsumSizes(Theme& theme, QWidget* parent, QWidget* before)
    : QObject(parent), m_theme(theme), m_parent(parent), m_before(before), m_grid(new QGridLayout) {
    m_grid->setHorizontalSpacing(6);
    m_grid->setVerticalSpacing(4);
    m_grid->setColumnStretch(2 * kPerRow, 1);
}

EinsumSizes::Entry& EinsumSizes::entryOf(const QString& name) {
    Entry& entry = m_entries[name];
    if (entry.field) return entry;
    entry.label = new ToneLabel(m_theme, ColorRole::TextMuted, m_parent);
    entry.label->setText(name);
    entry.field = new SizeField(m_parent);
    entry.field->setObjectName(QStringLiteral("einsumSize ") + name);
    entry.field->setAccessibleName(tr("Size of %1").arg(name));
    entry.label->setBuddy(entry.field);
    connect(entry.field, &SizeField::valueEntered, this,
            [this, name](qint64 value) { emit entered(name, value); });
    connect(entry.field, &SizeField::rejected, this, &EinsumSizes::rejected);
    connect(entry.field, &SizeField::accepted, this, &EinsumSizes::accepted);
    return entry;
}

void EinsumSizes::layOut(const QStringList& names) {
    for (auto& [name, entry] : m_entries) {
        m_grid->removeWidget(entry.label);
        m_grid->removeWidget(entry.field);
        entry.label->setVisible(names.contains(name));
        entry.field->setVisible(names.contains(name));
    }
    QWidget* before = m_before;
    for (int i = 0; i < names.size(); ++i) {
        const Entry& entry = entryOf(names[i]);
        const int row = i / kPerRow;
        m_grid->addWidget(entry.label, row, 2 * (i % kPerRow), Qt::AlignRight | Qt::AlignVCenter);
        m_grid->addWidget(entry.field, row, 2 * (i % kPerRow) + 1);
        entry.label->show();
        entry.field->show();
        // The order of the dimensions is that of the tab key.
        QWidget::setTabOrder(before, entry.field);
        before = entry.field;
    }
    m_shown = names;
}

void EinsumSizes::show(const EinsumState& state) {
    QStringList names;
    for (const auto& [name, size] : state.dimensions) names << name;
    if (names != m_shown) layOut(names);
    for (const auto& [name, size] : state.dimensions) m_entries[name].field->showValue(size);
}

}  // namespace plumb::ui
