// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_view.h"

#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/slider_row.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace plumb::ui {

TraceView::TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent)
    : QWidget(parent), m_file(file), m_name(new QLabel(this)), m_report(new QLabel(this)) {
    setObjectName(QStringLiteral("traceView"));
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("traceClose"));
    close->setProperty(kQuietButton, true);
    m_report->setObjectName(QStringLiteral("traceReport"));
    followColor(m_report, context.theme, ColorRole::TextMuted);
    auto* head = new QHBoxLayout;
    head->addWidget(m_name);
    head->addWidget(m_report, 1);
    head->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(head);
    layout->addStretch(1);
    connect(close, &QPushButton::clicked, &file, &OpenedFile::close);
    connect(&file, &OpenedFile::changed, this, &TraceView::refresh);
    refresh();
}

void TraceView::refresh() {
    const std::shared_ptr<const OpenedTrace> opened = m_file.content();
    m_name->setText(QFileInfo(m_file.path()).fileName());
    m_report->setText(opened ? tr("%1 events").arg(opened->trace->events) : QString());
}

}  // namespace plumb::ui
