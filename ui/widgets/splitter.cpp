// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/splitter.h"

namespace plumb::ui {

QSplitter* makeSplitter(Qt::Orientation orientation, const QString& name, QWidget* parent, int gap) {
    auto* splitter = new QSplitter(orientation, parent);
    splitter->setObjectName(name);
    splitter->setChildrenCollapsible(false);
    splitter->setHandleWidth(gap);
    return splitter;
}

}  // namespace plumb::ui
