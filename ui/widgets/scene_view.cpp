// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scene_view.h"

#include "ui/widgets/card.h"
#include "ui/workbench/workbench.h"

#include <QVBoxLayout>

namespace plumb::ui {

SceneView::SceneView(ViewContext context, ViewSize size, const QString& name, const QString& title,
                     QWidget* parent)
    : LateView(parent), m_context(context), m_card(new Card(context.theme, title, this)), m_size(size) {
    setObjectName(name + QStringLiteral("View"));
    setAccessibleName(title);
    m_card->setObjectName(name + QStringLiteral("Card"));
    m_card->setContentMargins(8, 4, 8, 10);
    m_card->setOpenable(isCompact());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    connect(m_card, &Card::openRequested, this, &SceneView::openRequested);
    connect(&context.workbench, &Workbench::sceneChanged, this, &SceneView::invalidate);
}

}  // namespace plumb::ui
