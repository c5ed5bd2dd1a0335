// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_view.h"

#include "ui/lab/dtype_page.h"
#include "ui/lab/einsum_page.h"
#include "ui/lab/tensor_page.h"
#include "ui/settings/settings.h"
#include "ui/widgets/segmented_control.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

LabView::LabView(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("labView"));
    setAccessibleName(tr("Lab"));
    m_choice = new SegmentedControl(context.view.theme, {tr("Dtypes"), tr("Tensors"), tr("Einsum")},
                                    QStringLiteral("labPage"), this);
    m_choice->setAccessibleName(tr("Pages of the Lab"));
    m_pages = new QStackedWidget(this);
    m_dtypes = new DtypePage(context, m_pages);
    m_pages->addWidget(m_dtypes);
    m_tensors = new TensorPage(context, m_pages);
    m_pages->addWidget(m_tensors);
    m_einsum = new EinsumPage(context, m_pages);
    m_pages->addWidget(m_einsum);
    auto* head = new QHBoxLayout;
    head->addWidget(m_choice);
    head->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(10);
    layout->addLayout(head);
    layout->addWidget(m_pages, 1);
    connect(m_choice, &SegmentedControl::chosen, this, &LabView::setPage);
    const auto reveal = [this](QWidget* page) {
        setPage(m_pages->indexOf(page));
        emit revealed();
    };
    connect(m_dtypes, &DtypePage::revealed, this, [this, reveal] { reveal(m_dtypes); });
    connect(m_tensors, &TensorPage::revealed, this, [this, reveal] { reveal(m_tensors); });
    connect(m_einsum, &EinsumPage::revealed, this, [this, reveal] { reveal(m_einsum); });
    setPage(context.settings.lab().page);
}

QStringList LabView::pageIds() {
    return {QStringLiteral("dtypes"), QStringLiteral("tensors"), QStringLiteral("einsum")};
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
}

int LabView::page() const { return m_pages->currentIndex(); }

void LabView::copy() {
    if (page() == 0) return m_dtypes->copy();
    if (page() == 1) return m_tensors->copy();
    m_einsum->copy();
}

}  // namespace plumb::ui
