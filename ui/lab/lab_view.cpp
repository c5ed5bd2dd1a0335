// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_view.h"

#include "ui/lab/block_state.h"
#include "ui/lab/collective_page.h"
#include "ui/lab/dtype_page.h"
#include "ui/lab/einsum_page.h"
#include "ui/lab/tensor_page.h"
#include "ui/settings/settings.h"
#include "ui/theme/text.h"
#include "ui/widgets/help_anchor.h"
#include "ui/widgets/segmented_control.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

/// A page that scrolls where the window is too small for it, so that it never makes the window larger.
QScrollArea* scrolled(QWidget* page, QWidget* parent) {
    auto* area = new QScrollArea(parent);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    area->setWidgetResizable(true);
    // Its room is kept, so that no row breaks anew when an error makes the page higher than the window.
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    area->setWidget(page);
    return area;
}

}  // namespace

LabView::LabView(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("labView"));
    setAccessibleName(tr("Lab"));
    m_choice = new SegmentedControl(context.view.theme,
                                    {tr("Dtypes"), tr("Tensors"), tr("Einsum"), tr("Collectives")},
                                    QStringLiteral("labPage"), this);
    m_choice->setAccessibleName(tr("Pages of the Lab"));
    m_pages = new QStackedWidget(this);
    m_dtypes = new DtypePage(context, m_pages);
    m_pages->addWidget(m_dtypes);
    m_tensors = new TensorPage(context, m_pages);
    m_pages->addWidget(scrolled(m_tensors, m_pages));
    m_einsum = new EinsumPage(context, m_pages);
    m_pages->addWidget(scrolled(m_einsum, m_pages));
    m_collectives = new CollectivePage(context, m_pages);
    m_pages->addWidget(scrolled(m_collectives, m_pages));
    setHelpAnchor(*m_dtypes, QStringLiteral("lab#dtypes"));
    setHelpAnchor(*m_tensors, QStringLiteral("lab#tensorStepTable"));
    setHelpAnchor(*m_einsum, QStringLiteral("lab#einsum"));
    setHelpAnchor(*m_collectives, QStringLiteral("lab#collectives"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_choice);
    head->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addLayout(head);
    layout->addWidget(m_pages, 1);
    connect(m_choice, &SegmentedControl::chosen, this, &LabView::setPage);
    const auto reveal = [this](int page) {
        setPage(page);
        emit revealed();
    };
    connect(m_dtypes, &DtypePage::revealed, this, [this, reveal] { reveal(0); });
    connect(m_tensors, &TensorPage::revealed, this, [this, reveal] { reveal(1); });
    connect(m_einsum, &EinsumPage::revealed, this, [this, reveal] { reveal(2); });
    connect(m_collectives, &CollectivePage::revealed, this, [this, reveal] { reveal(3); });
    setPage(context.settings.lab().page);
}

QStringList LabView::pageIds() {
    return {QStringLiteral("dtypes"), QStringLiteral("tensors"), QStringLiteral("einsum"),
            QStringLiteral("collectives")};
}

void LabView::setPage(int index) {
    const int page = std::clamp(index, 0, m_pages->count() - 1);
    m_choice->setCurrent(page);
    m_pages->setCurrentIndex(page);
    LabSettings kept = m_context.settings.lab();
    kept.page = page;
    m_context.settings.setLab(kept);
}

void LabView::showControl(QWidget* control) {
    for (int i = 0; i < m_pages->count(); ++i)
        if (m_pages->widget(i)->isAncestorOf(control)) setPage(i);
    if (m_dtypes->isAncestorOf(control)) m_dtypes->showControl(control);
    if (m_einsum->isAncestorOf(control)) m_einsum->showControl(control);
}

int LabView::page() const { return m_pages->currentIndex(); }

void LabView::copy() {
    if (page() == 0) return m_dtypes->copy();
    if (page() == 1) return m_tensors->copy();
    if (page() == 2) return m_einsum->copy();
    m_collectives->copy();
}

void LabView::exportLive(bool allWeights) {
    setPage(0);
    m_dtypes->exportLive(allWeights);
}

std::vector<LabExample> labExamples() {
    std::vector<LabExample> examples;
    const auto titled = [](const QString& what, const QString& why) { return tr("%1: %2").arg(what, why); };
    for (const DtypePreset& preset : dtypePresets())
        examples.push_back({titled(QString::fromLatin1(preset.text), tr(preset.why)), LabView::tr("Dtypes"),
                            [&preset](LabView& lab) {
                                lab.setPage(0);
                                lab.dtypes().take(preset);
                            }});
    for (int i = 0; i < blockPresetNames().size(); ++i)
        examples.push_back({titled(LabView::tr("Neighbours"), blockPresetNames().at(i)),
                            LabView::tr("Block formats"), [i](LabView& lab) {
                                lab.setPage(0);
                                lab.dtypes().takeNeighbours(blockPreset(i));
                            }});
    for (const TensorPreset& preset : tensorPresets())
        examples.push_back({tr(preset.title), QString::fromLatin1(preset.steps), [&preset](LabView& lab) {
                                lab.setPage(1);
                                lab.tensors().take(preset);
                            }});
    for (const EinsumPreset& preset : einsumPresets())
        examples.push_back({preset.title, preset.text, [preset](LabView& lab) {
                                lab.setPage(2);
                                lab.einsum().take(preset);
                            }});
    return examples;
}

}  // namespace plumb::ui
