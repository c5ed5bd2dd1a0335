// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_computation.h"

#include "core/base/entry_at.h"
#include "core/planner/choice_help.h"
#include "core/planner/frameworks.h"
#include "core/planner/scenario_file.h"
#include "ui/theme/text.h"

#include <QCheckBox>
#include <QComboBox>

namespace plumb::ui {
namespace {

using planner::LayerPart;
using planner::Recipe;
using planner::Scenario;

/// The scenario with the choices of a framework; empty where it cannot make them.
std::optional<Scenario> withFramework(Scenario scenario, const planner::Framework& framework) {
    if (!planner::chooseFramework(scenario, framework.key).has_value()) return std::nullopt;
    return scenario;
}

/// The framework that would choose nothing else, the one that was chosen before others; -1: none.
int frameworkOf(const PlannerInputs& inputs) {
    const std::string now = planner::scenarioToText(inputs.scenario);
    const std::string before = inputs.framework.toStdString();
    const auto& all = planner::frameworks();
    int found = -1;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const planner::Framework& framework = entryAt(all, i);
        if (found >= 0 && framework.key != before) continue;
        const auto chosen = withFramework(inputs.scenario, framework);
        if (chosen && planner::scenarioToText(*chosen) == now) found = i;
    }
    return found;
}

}  // namespace

PlannerComputation::PlannerComputation(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget& panel)
    : QObject(&panel), m_theme(theme), m_model(model), m_edits(edits), m_panel(panel) {}

void PlannerComputation::addFramework(QVBoxLayout& layout) {
    m_framework = addPlannerCombo(layout, m_panel, m_theme, tr("Framework"), "plannerFramework");
    m_frameworkRow = m_framework->parentWidget();
    for (const planner::Framework& framework : planner::frameworks()) {
        m_framework->addItem(coreText(framework.label), toText(framework.key));
        m_framework->setItemData(m_framework->count() - 1, capitalised(coreText(framework.source)),
                                 Qt::ToolTipRole);
    }
    m_framework->setPlaceholderText(tr("own choices"));
    m_framework->setToolTip(capitalised(coreText(planner::kFrameworkHelp)));
    connect(m_framework, &QComboBox::activated, this, &PlannerComputation::chooseFramework);
}

void PlannerComputation::addRecomputation(QVBoxLayout& layout) {
    m_recompute = addPlannerCombo(layout, m_panel, m_theme, tr("Recompute"), "plannerRecompute");
    // In the order of the enum.
    m_recompute->addItems({tr("nothing"), tr("attention scores"), tr("between products (per op)"),
                           tr("every second product (2nd op)"), tr("whole layers")});
    m_recompute->setToolTip(capitalised(coreText(planner::kRecomputeHelp)));
    connect(m_recompute, &QComboBox::activated, this, [this](int index) {
        Recipe recipe = m_model.inputs().scenario.recipe;
        recipe.recompute = kEnumerators<planner::Recompute>.at(static_cast<std::size_t>(index));
        changeRecipe(recipe, tr("change of the recomputation"));
    });
    QStringList parts;
    for (const LayerPart part : kEnumerators<LayerPart>) parts << coreText(planner::name(part));
    m_again = addPlannerBoxes(layout, m_panel, m_theme, tr("Worked out again too"), "plannerAgain", parts);
    for (const LayerPart part : kEnumerators<LayerPart>) {
        QCheckBox* box = m_again.boxes.at(static_cast<std::size_t>(part));
        box->setToolTip(capitalised(coreText(planner::kRecomputeAgainHelp)));
        connect(box, &QCheckBox::clicked, this, [this, part](bool checked) {
            Recipe recipe = m_model.inputs().scenario.recipe;
            recipe.again[part] = checked;
            changeRecipe(recipe, tr("change of the recomputation"));
        });
    }
}

void PlannerComputation::addSoftware(QVBoxLayout& layout) {
    m_software = addPlannerCombo(layout, m_panel, m_theme, tr("Software"), "plannerSoftware");
    // In the order of the enum.
    m_software->addItems({tr("PyTorch, eager"), tr("PyTorch, compiled"), tr("fused by hand (Megatron, NeMo)"),
                          tr("XLA (JAX)")});
    m_software->setToolTip(
        tr("What runs the training: how many passes it makes, and what of the speed of its "
           "kernels it sustains, as published trainings show"));
    connect(m_software, &QComboBox::activated, this, [this](int index) {
        PlannerInputs next = m_model.inputs();
        next.scenario.software = static_cast<planner::Software>(index);
        m_edits.change(std::move(next), tr("change of the software"));
    });
}

void PlannerComputation::addOffload(QVBoxLayout& layout) {
    QStringList parts;
    for (const planner::OffloadPart& part : planner::kOffloadParts) parts << coreText(part.name);
    m_offload =
        addPlannerBoxes(layout, m_panel, m_theme, tr("In the host's memory"), "plannerOffload", parts);
    m_offload.row->setToolTip(capitalised(coreText(planner::kOffloadHelp)));
    for (std::size_t i = 0; i < planner::kOffloadParts.size(); ++i) {
        const planner::OffloadPart& part = planner::kOffloadParts.at(i);
        m_offload.boxes.at(i)->setToolTip(capitalised(coreText(part.help)));
        connect(m_offload.boxes.at(i), &QCheckBox::clicked, this, [this, chosen = part.chosen](bool checked) {
            Recipe recipe = m_model.inputs().scenario.recipe;
            recipe.offload.*chosen = checked;
            changeRecipe(recipe, tr("change of what lies in the host's memory"));
        });
    }
}

void PlannerComputation::changeRecipe(const Recipe& recipe, const QString& what) {
    PlannerInputs next = m_model.inputs();
    next.scenario.recipe = recipe;
    m_edits.change(std::move(next), what);
}

void PlannerComputation::chooseFramework(int index) {
    const planner::Framework& framework = entryAt(planner::frameworks(), index);
    if (index == frameworkOf(m_model.inputs())) return;
    const auto chosen = withFramework(m_model.inputs().scenario, framework);
    if (!chosen) return refresh();
    PlannerInputs next = m_model.inputs();
    next.scenario = *chosen;
    next.recipe = toText(framework.recipe);
    next.framework = toText(framework.key);
    m_edits.change(std::move(next), tr("choices of %1").arg(coreText(framework.label)));
}

void PlannerComputation::refresh() {
    const Scenario& scenario = m_model.inputs().scenario;
    const planner::Transformer* model = scenario.model.transformer();
    const bool isLinear = scenario.model.linear() != nullptr;
    m_frameworkRow->setVisible(model != nullptr);
    m_framework->setCurrentIndex(model ? frameworkOf(m_model.inputs()) : -1);
    m_recompute->setCurrentIndex(static_cast<int>(scenario.recipe.recompute));
    m_recompute->setEnabled(!isLinear);  // its recompute policy is in the run panel
    m_again.row->setVisible(model && scenario.recipe.recompute == planner::Recompute::PerOp);
    for (const LayerPart part : kEnumerators<LayerPart>) {
        QCheckBox* box = m_again.boxes.at(static_cast<std::size_t>(part));
        box->setChecked(scenario.recipe.again[part]);
        box->setEnabled(part != LayerPart::Gate || (model && model->gated));
    }
    m_software->setCurrentIndex(static_cast<int>(scenario.software));
    m_software->setEnabled(!isLinear);
    m_offload.row->setVisible(model != nullptr);
    for (std::size_t i = 0; i < planner::kOffloadParts.size(); ++i)
        m_offload.boxes.at(i)->setChecked(scenario.recipe.offload.*planner::kOffloadParts.at(i).chosen);
}

}  // namespace plumb::ui
