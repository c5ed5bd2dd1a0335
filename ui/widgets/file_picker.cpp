// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_picker.h"

#include "ui/theme/house_style.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>

namespace plumb::ui {

FilePicker::FilePicker(const QString& placeholder, const QString& name, QWidget* parent)
    : QWidget(parent),
      m_placeholder(placeholder),
      m_button(new QPushButton(this)),
      m_clear(new QPushButton(this)) {
    setObjectName(name);
    m_button->setObjectName(name + QStringLiteral("Button"));
    m_button->setAccessibleName(placeholder);
    m_button->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    m_clear->setObjectName(name + QStringLiteral("Clear"));
    m_clear->setText(QStringLiteral("✕"));
    m_clear->setToolTip(tr("Use no file"));
    m_clear->setAccessibleName(m_clear->toolTip());
    m_clear->setProperty(kQuietButton, true);
    m_clear->setFixedWidth(26);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_button, 1);
    layout->addWidget(m_clear);
    connect(m_button, &QPushButton::clicked, this, &FilePicker::pickRequested);
    connect(m_clear, &QPushButton::clicked, this, &FilePicker::cleared);
    showPath({});
}

void FilePicker::showPath(const QString& path) {
    m_path = path;
    m_button->setToolTip(path.isEmpty() ? m_placeholder : path);
    m_clear->setVisible(!path.isEmpty());
    elide();
}

void FilePicker::elide() {
    const QString text = m_path.isEmpty() ? m_placeholder : QFileInfo(m_path).fileName();
    m_button->setText(m_button->fontMetrics().elidedText(text, Qt::ElideMiddle, m_button->width() - 16));
}

void FilePicker::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

}  // namespace plumb::ui
