// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/part_sizes.h"

#include "ui/settings/settings.h"
#include "ui/shell/view_stack.h"

#include <QSplitter>

namespace plumb::ui {
namespace {

// A view that puts its parts below each other in a narrow window has sizes for both directions.
QString keyOf(const QSplitter& splitter) {
    return splitter.objectName() +
           (splitter.orientation() == Qt::Horizontal ? QStringLiteral("-beside") : QStringLiteral("-below"));
}

}  // namespace

PartSizes::PartSizes(ViewStack& views, Settings& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
    connect(&views, &ViewStack::viewMade, this, [this, &views](int tab) { follow(*views.viewAt(tab)); });
}

void PartSizes::follow(QWidget& view) {
    const LayoutSettings layout = m_settings.layout();
    for (QSplitter* const splitter : view.findChildren<QSplitter*>()) {
        Q_ASSERT(!splitter->objectName().isEmpty());
        if (const QList<int> sizes = layout.shares.value(keyOf(*splitter)); sizes.size() == splitter->count())
            splitter->setSizes(sizes);
        connect(splitter, &QSplitter::splitterMoved, this, [this, splitter] {
            LayoutSettings now = m_settings.layout();
            now.shares.insert(keyOf(*splitter), splitter->sizes());
            m_settings.setLayout(now);
        });
    }
}

}  // namespace plumb::ui
