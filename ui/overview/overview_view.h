// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/view.h"

#include <QString>
#include <QWidget>

class QSplitter;

namespace plumb::ui {

/// The first tab: memory and roofline above, operations and training below, each as a card that opens its
/// full view; in a narrow window one below the other. The borders between the cards can be dragged; their
/// proportions hold when the window is resized.
class OverviewView final : public QWidget {
    Q_OBJECT
public:
    OverviewView(ViewContext context, QWidget* parent = nullptr);

signals:
    /// A card asks for its full view: "memory", "roofline", "operations" or "training".
    void openRequested(const QString& view);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QSplitter* m_above;
    QSplitter* m_below;
};

}  // namespace plumb::ui
