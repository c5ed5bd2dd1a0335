// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/late_view.h"
#include "ui/workbench/view.h"

namespace plumb::ui {

class Card;

/// A late view of the workbench's scene, in a card of its own.
class SceneView : public LateView {
    Q_OBJECT
signals:
    void openRequested();  ///< the full view was asked for, by a button of the card (Compact only)

protected:
    /// `name` is that of the view and of its card: "memory" makes a "memoryView" with a "memoryCard".
    SceneView(ViewContext context, ViewSize size, const QString& name, const QString& title, QWidget* parent);
    [[nodiscard]] bool isCompact() const { return m_size == ViewSize::Compact; }

    ViewContext m_context;
    Card* m_card;  ///< alone in the view's layout, with the margins of a chart

private:
    ViewSize m_size;
};

}  // namespace plumb::ui
