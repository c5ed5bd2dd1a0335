// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_dock.h"

#include "ui/shell/view_page.h"

#include <QCloseEvent>

namespace plumb::ui {

ViewDock::ViewDock(int tab, const QString& id, const QString& title, ViewPage& page, QWidget* parent)
    : QDockWidget(title, parent), m_tab(tab) {
    setObjectName(id + QStringLiteral("Dock"));  // QMainWindow remembers docks by name
    setAllowedAreas(Qt::AllDockWidgetAreas);
    setWidget(&page);
    page.show();
}

void ViewDock::closeEvent(QCloseEvent* event) {
    event->ignore();
    emit putBackWanted();
}

}  // namespace plumb::ui
