// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/modules/modules_model.h"
#include "ui/widgets/scene_view.h"

namespace plumb::ui {

class ModulesTable;

/// The modules of the model as they contain each other, each with what it and all below it costs: parameters,
/// FLOPs, times forth and back, what it keeps in between, its share of the step.
///
/// Compact: a card of the Overview with the essential columns. Ctrl+C copies rows as CSV.
class ModulesView final : public SceneView {
    Q_OBJECT
public:
    ModulesView(ViewContext context, ViewSize size, QWidget* parent = nullptr);

    [[nodiscard]] const ModulesModel& model() const { return *m_model; }
    /// What Ctrl+C puts on the clipboard: the selected rows, or all that are visible when none is selected.
    [[nodiscard]] QString csv() const;

private:
    void catchUp() override;
    /// Unfolds the levels of which each has one module, and the one below.
    void unfold();

    ModulesTable* m_table = nullptr;
    ModulesModel* m_model = nullptr;
};

}  // namespace plumb::ui
