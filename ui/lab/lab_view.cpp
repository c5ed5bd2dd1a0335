// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_view.h"

#include "ui/lab/dtype_page.h"
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
    m_choice = new SegmentedControl(context.view.theme, {tr("Dtypes"), tr("Tensors")},
                                    QStringLiteral("labPage"), this);
    m_choice->setAccessibleName(tr("Pages of the Lab"));
    m_pages = new QStackedWidget(this);
    m_dtypes = new DtypePage(context, m_pages);
    m_pages->addWidget(m_dtypes);
    m_tensors = new TensorPage(context, m_pages);
    m_pages->addWidget(m_tensors);
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
    setPage(context.settings.lab().page);
}

QStringList LabView::pageIds() { return {QStringLiteral("dtypes"), QStringLiteral("tensors")}; }

void LabView::setPage(int index) {
    const int page = std::clamp(index, 0, m_pages->count() - 1);
    m_choice->setCurrent(page);
    m_pages->setCurrentIndex(page);
    LabSettings kept = m_context.settings.lab();
    kept.page = page;
    m_context.settings.setLab(kept);
}

int LabView::page() const { return m_pages->currentIndex(); }

void LabView::copy() {
    if (page() == 0) return m_dtypes->copy();
    m_tensors->copy();
}

}  // namespace plumb::ui
