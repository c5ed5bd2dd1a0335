// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/recipe_sections.h"

#include "core/measure/reading.h"
#include "core/model/names.h"
#include "core/plan/optimizer_rule.h"
#include "ui/run/config_editor.h"
#include "ui/run/run_settings.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>
#include <utility>

namespace plumb::ui {
namespace {

SliderRow* addSlider(const PanelRows& rows, ConfigEditor& editor, const QString& label, const char* name,
                     const char* option, std::function<Result<RunConfig>(RunConfig, std::int64_t)> with) {
    auto* row = new SliderRow(rows.theme(), label, QString::fromLatin1(name), rows.parent());
    row->setHelp(optionHelp(option));
    QObject::connect(row, &SliderRow::chosen, &editor,
                     [&editor, row, label, with = std::move(with)](qint64 value, int gesture) {
                         const Result<RunConfig> changed = with(editor.config(), value);
                         if (!changed.has_value()) return row->showError(errorSentence(changed.error()));
                         editor.edit(label, *changed, row, gesture);
                     });
    rows.layout().addWidget(row);
    return row;
}

}  // namespace

ModelSection::ModelSection(const PanelRows& rows, ConfigEditor& editor) {
    rows.addHeading(tr("Model"))->setObjectName(QStringLiteral("modelHeading"));
    m_dim = addSlider(rows, editor, tr("Width D"), "dim", "dim", [](RunConfig c, std::int64_t v) {
        c.dim = v;
        return c;
    });
    m_layers = addSlider(rows, editor, tr("Layers L"), "layers", "layers", [](RunConfig c, std::int64_t v) {
        c.layers = v;
        if (c.recompute.kind == RecomputePolicy::Kind::Every && v >= 1)
            c.recompute.interval = std::min(c.recompute.interval, v);
        return c;
    });
    m_outputs =
        addSlider(rows, editor, tr("Outputs K"), "outputs", "outputs", [](RunConfig c, std::int64_t v) {
            c.outputs = v;
            return c;
        });
    m_activation = new SegmentedControl(rows.theme(), {tr("none"), tr("ReLU")}, QStringLiteral("activation"),
                                        rows.parent());
    connect(m_activation, &SegmentedControl::chosen, this, [&editor](int index) {
        RunConfig config = editor.config();
        config.activation = static_cast<Activation>(index);
        editor.edit(tr("activation"), config);
    });
    rows.addLabelled(tr("Activation", "function"), m_activation, 132);
}

void ModelSection::show(const RunPanelState& state) {
    m_dim->show(state.dim);
    m_layers->show(state.layers);
    m_outputs->show(state.outputs);
    m_outputs->setEnabled(state.head);
    m_activation->setCurrent(static_cast<int>(state.activation));
}

BatchSection::BatchSection(const PanelRows& rows, ConfigEditor& editor) : m_editor(editor) {
    rows.addHeading(tr("Step"))->setObjectName(QStringLiteral("stepHeading"));
    m_batch = addSlider(rows, editor, tr("Batch B"), "batch", "batch", withBatch);
    m_microBatch = addSlider(rows, editor, tr("Micro-batch"), "microBatch", "micro-batch",
                             [](RunConfig c, std::int64_t v) {
                                 c.microBatch = v == c.batch ? 0 : v;
                                 return c;
                             });
}

void BatchSection::show(const RunPanelState& state) {
    m_batch->show(state.batch);
    m_microBatch->show(state.microBatch);
}

void BatchSection::setBatch(std::int64_t batch) {
    m_editor.edit(tr("batch"), withBatch(m_editor.config(), batch), m_batch);
}

RecomputeSection::RecomputeSection(const PanelRows& rows, ConfigEditor& editor, Workbench& workbench)
    : m_editor(editor) {
    const QString caption = rows.addCaption(tr("Keep activations"));
    m_policy = new SegmentedControl(
        rows.theme(), {tr("all"), tr("every k"), tr("√L"), tr("none", "activations are kept"), tr("fit")},
        QStringLiteral("checkpoint"), rows.parent());
    m_policy->setAccessibleName(caption);
    const QStringList helps{tr("Keep the activations of every layer"),
                            tr("Keep those of every k-th layer and recompute the others"),
                            tr("Every k with k = √L, rounded up: memory grows with √L"),
                            tr("Recompute each from the input: least memory, most time"),
                            tr("The least recomputation whose peak fits in a budget")};
    for (int i = 0; i < helps.size(); ++i) m_policy->setSegmentToolTip(i, helps[i]);
    connect(m_policy, &SegmentedControl::chosen, this, [this, &workbench](int index) {
        RunConfig config = m_editor.config();
        config.recompute = startOf(kRecomputeKinds.at(static_cast<std::size_t>(index)), *workbench.session());
        showSentence(m_error, {});
        m_editor.editAt(m_error, tr("checkpoints"), config);
    });
    rows.layout().addWidget(m_policy);
    m_every = addSlider(rows, editor, tr("Checkpoint every"), "checkpointEvery", "checkpoint",
                        [](RunConfig c, std::int64_t v) -> Result<RunConfig> {
                            if (v > std::max<std::int64_t>(c.layers, 1))
                                return badInput(tr("k larger than the depth of %1 keeps no fewer layers")
                                                    .arg(countText(c.layers))
                                                    .toStdString(),
                                                tr("give at most that depth").toStdString());
                            c.recompute.interval = v;
                            return c;
                        });
    m_budgetRow = new QWidget(rows.parent());
    auto* row = new QVBoxLayout(m_budgetRow);
    row->setContentsMargins(0, 0, 0, 0);
    m_budget = new QLineEdit(m_budgetRow);
    m_budget->setObjectName(QStringLiteral("checkpointBudget"));
    m_budget->setAlignment(Qt::AlignRight);
    connect(m_budget, &QLineEdit::editingFinished, this, &RecomputeSection::commit);
    rows.in(*row).addLabelled(tr("Budget"), m_budget, 104);
    rows.layout().addWidget(m_budgetRow);
    m_error = rows.addSentence("checkpointError");
    connect(&workbench, &Workbench::sceneChanged, this, [this] {
        if (!m_budget->isModified()) showSentence(m_error, {});
    });
}

void RecomputeSection::show(const RunPanelState& state) {
    m_every->show(state.recomputeEvery);
    m_every->setVisible(state.recompute == RecomputePolicy::Kind::Every);
    m_every->setSuffix(state.recomputeEvery.value == 1 ? tr(" layer") : tr(" layers"));
    m_policy->setCurrent(
        static_cast<int>(std::ranges::find(kRecomputeKinds, state.recompute) - kRecomputeKinds.begin()));
    m_budgetRow->setVisible(state.recompute == RecomputePolicy::Kind::Fit);
    // What was typed goes with its field, and so does what was wrong with it.
    if (state.recompute != RecomputePolicy::Kind::Fit && m_budget->isModified()) (void)revert(m_budget);
    showEntry(m_budget, state.recomputeBudget);
    m_budget->setToolTip(tr("Largest peak of the step, as 24Gi or 16G: %1")
                             .arg(exactText(m_editor.config().recompute.budgetBytes, "B")));
}

bool RecomputeSection::commit() {
    if (!m_budget->isModified()) return true;
    QString text = m_budget->text();
    text.removeIf([](QChar c) { return c.isSpace(); });
    if (text.endsWith(u'B') || text.endsWith(u'b')) text.chop(1);
    return m_editor.submit(m_budget, m_error, withTyped(m_editor.config(), "checkpoint", text, "fit:"),
                           tr("checkpoint budget"));
}

bool RecomputeSection::revert(const QLineEdit* field) {
    if (field != m_budget) return false;
    m_budget->setModified(false);
    showSentence(m_error, {});
    return true;
}

PrecisionSection::PrecisionSection(const PanelRows& rows, ConfigEditor& editor) {
    const QString caption = rows.addCaption(tr("Precision"));
    QStringList names;
    for (const auto& [precision, name] : kPrecisionNames) names << toText(name);
    m_precision = new SegmentedControl(rows.theme(), names, QStringLiteral("precision"), rows.parent());
    m_precision->setAccessibleName(caption);
    m_precision->setToolTip(optionHelp("precision"));
    connect(m_precision, &SegmentedControl::chosen, this, [&editor](int index) {
        RunConfig config = editor.config();
        config.precision = kPrecisionNames.at(static_cast<std::size_t>(index)).first;
        editor.edit(tr("precision"), config);
    });
    rows.layout().addWidget(m_precision);
    m_note = rows.addSentence("precisionNote", ColorRole::TextMuted);
    const auto box = [&](const QString& text, const char* name, const char* option) {
        auto* made = new QCheckBox(text, rows.parent());
        made->setObjectName(QString::fromLatin1(name));
        made->setToolTip(optionHelp(option));
        rows.layout().addWidget(made);
        return made;
    };
    m_masterWeights = box(tr("fp32 master weights"), "masterWeights", "master-weights");
    connect(m_masterWeights, &QCheckBox::clicked, this, [&editor](bool on) {
        RunConfig config = editor.config();
        config.masterWeights = on;
        editor.edit(tr("master weights"), config);
    });
    m_fp32Gradients = box(tr("fp32 gradients"), "fp32Gradients", "grad-dtype");
    connect(m_fp32Gradients, &QCheckBox::clicked, this, [&editor](bool on) {
        RunConfig config = editor.config();
        config.gradientPrecision = on ? GradientPrecision::Fp32 : GradientPrecision::Same;
        editor.edit(tr("gradients"), config);
    });
}

void PrecisionSection::show(const RunPanelState& state) {
    m_precision->setCurrent(static_cast<int>(state.precision));
    showSentence(m_note, state.precisionNote.section(u':', 0, 0));
    m_note->setToolTip(state.precisionNote);
    m_masterWeights->setChecked(state.masterWeights);
    m_masterWeights->setEnabled(state.narrow);
    m_fp32Gradients->setChecked(state.fp32Gradients);
    m_fp32Gradients->setEnabled(state.narrow);
}

OptimizerSection::OptimizerSection(const PanelRows& rows, ConfigEditor& editor)
    : m_optimizer(new QComboBox(rows.parent())) {
    m_optimizer->setObjectName(QStringLiteral("optimizer"));
    for (const auto& [optimizer, name] : kOptimizerNames)
        m_optimizer->addItem(coreText(optimizerLabel(optimizer)));
    m_optimizer->setMaxVisibleItems(static_cast<int>(kOptimizerNames.size()));
    m_optimizer->setToolTip(optionHelp("optimizer"));
    connect(m_optimizer, &QComboBox::activated, this, [&editor](int index) {
        editor.edit(
            tr("optimizer"),
            withOptimizer(editor.config(), kOptimizerNames.at(static_cast<std::size_t>(index)).first));
    });
    rows.addLabelled(tr("Optimizer"), m_optimizer, 132);
}

void OptimizerSection::show(const RunPanelState& state) {
    m_optimizer->setCurrentIndex(static_cast<int>(state.optimizer));
}

}  // namespace plumb::ui
