// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/evidence_filters.h"

#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/wrap_layout.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>

namespace plumb::ui {
namespace {

constexpr std::size_t kSourceDivision = 0, kDeviceDivision = 1;  // places in planner::divisions()

}  // namespace

EvidenceFilters::EvidenceFilters(Theme& theme, EvidenceModel& model, QWidget* parent)
    : QWidget(parent), m_model(model) {
    m_figure =
        new SegmentedControl(theme, {tr("time"), tr("memory")}, QStringLiteral("evidenceFigure"), this);
    m_figure->setAccessibleName(tr("Figure"));
    m_use = new SegmentedControl(theme, {tr("all"), tr("fitted"), tr("validated only")},
                                 QStringLiteral("evidenceUse"), this);
    m_use->setAccessibleName(tr("Use of the source"));
    m_use->setSegmentToolTip(1, tr("Sources that the planner's priors were fitted on"));
    m_use->setSegmentToolTip(2, tr("Sources that nothing was ever fitted on"));
    auto* row = new WrapLayout(this);
    row->addWidget(m_figure);
    row->addWidget(m_use);
    m_sources = addParts("evidenceSource", tr("Source"), kSourceDivision);
    m_devices = addParts("evidenceDevice", tr("Device"), kDeviceDivision);
    m_words = new QLineEdit(this);
    m_words->setObjectName(QStringLiteral("evidenceSearch"));
    m_words->setAccessibleName(tr("Search"));
    m_words->setPlaceholderText(tr("Search: model, framework, fp8…"));
    m_words->setClearButtonEnabled(true);
    connect(findKey(*parent), &QShortcut::activated, m_words, qOverload<>(&QWidget::setFocus));
    m_words->setMinimumWidth(m_words->fontMetrics().horizontalAdvance(m_words->placeholderText()) +
                             scaled(12));
    m_clear = new QPushButton(tr("Clear"), this);
    m_clear->setObjectName(QStringLiteral("evidenceClear"));
    m_clear->setAccessibleName(tr("Clear the filters"));
    row->addWidget(m_words);
    row->addWidget(m_clear);
    connect(m_figure, &SegmentedControl::chosen, this, [this](int index) {
        EvidenceFilter filter = m_model.filter();
        filter.figure = index == 0 ? planner::Figure::Time : planner::Figure::Memory;
        m_model.setFilter(filter);
    });
    connect(m_use, &SegmentedControl::chosen, this, [this](int index) {
        EvidenceFilter filter = m_model.filter();
        filter.use = static_cast<EvidenceFilter::Use>(index);
        m_model.setFilter(filter);
    });
    connect(m_words, &QLineEdit::textChanged, this, [this](const QString& text) {
        EvidenceFilter filter = m_model.filter();
        filter.words = text;
        if (!(filter == m_model.filter())) m_model.setFilter(filter);
    });
    connect(m_clear, &QPushButton::clicked, this, [this] {
        EvidenceFilter open;
        open.figure = m_model.filter().figure;
        m_model.setFilter(open);
    });
    connect(&model, &EvidenceModel::filtered, this, &EvidenceFilters::refresh);
}

QComboBox* EvidenceFilters::addParts(const char* name, const QString& label, std::size_t division) {
    auto* box = new QComboBox(this);
    box->setObjectName(QString::fromLatin1(name));
    box->setAccessibleName(label);
    box->setToolTip(label);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    box->setMaxVisibleItems(30);
    connect(box, &QComboBox::activated, this, [this, box, division](int index) {
        EvidenceFilter filter = m_model.filter();
        filter.parts.at(division) = index == 0 ? QString() : box->itemText(index);
        m_model.setFilter(filter);
    });
    layout()->addWidget(box);
    return box;
}

void EvidenceFilters::fill(QComboBox& box, const QString& everything, std::size_t division) {
    const QStringList names = m_model.partNames(division);
    if (box.count() != names.size() + 1) {
        box.clear();
        box.addItem(everything);
        box.addItems(names);
    }
    const QString& part = m_model.filter().parts.at(division);
    box.setCurrentIndex(part.isEmpty() ? 0 : box.findText(part));
}

void EvidenceFilters::refresh() {
    const EvidenceFilter& filter = m_model.filter();
    m_figure->setCurrent(filter.figure == planner::Figure::Time ? 0 : 1);
    m_use->setCurrent(static_cast<int>(filter.use));
    fill(*m_sources, tr("every source"), kSourceDivision);
    fill(*m_devices, tr("every device"), kDeviceDivision);
    if (m_words->text() != filter.words) {
        const QSignalBlocker blocker(m_words);
        m_words->setText(filter.words);
    }
    m_clear->setEnabled(filter.narrows());
    // What no field shows is said where it is cleared.
    QStringList others;
    for (std::size_t i = kDeviceDivision + 1; i < filter.parts.size(); ++i)
        if (!filter.parts.at(i).isEmpty()) others << filter.parts.at(i);
    m_clear->setText(others.isEmpty() ? tr("Clear") : tr("Clear %1").arg(listText(others)));
}

}  // namespace plumb::ui
