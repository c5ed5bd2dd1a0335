// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of the run panel that choose how a step is computed: checkpoints, precision, and the options that
// few people need, folded away.
#include "core/model/names.h"
#include "ui/run/option_form.h"
#include "ui/run/run_panel.h"
#include "ui/run/save_form.h"
#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/segmented_control.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <array>

namespace plumb::ui {

void RunPanel::buildCheckpoint(QVBoxLayout& layout) {
    auto* label = new QLabel(tr("Keep activations"), this);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    layout.addWidget(label);
    m_checkpoint =
        new SegmentedControl(m_context.theme, {tr("all"), tr("every k"), tr("√L"), tr("none"), tr("fit")},
                             QStringLiteral("checkpoint"), this);
    m_checkpoint->setAccessibleName(label->text());
    const QStringList helps{tr("Keep the activations of every layer"),
                            tr("Keep those of every k-th layer and recompute the others"),
                            tr("Every k with k = √L, rounded up: memory grows with √L"),
                            tr("Recompute each from the input: least memory, most time"),
                            tr("The least recomputation whose peak fits in a budget")};
    for (int i = 0; i < helps.size(); ++i) m_checkpoint->setSegmentToolTip(i, helps[i]);
    connect(m_checkpoint, &SegmentedControl::chosen, this, [this](int index) {
        RunConfig config = m_context.workbench.config();
        config.checkpoint =
            startOf(kCheckpointKinds.at(static_cast<std::size_t>(index)), *m_context.workbench.scene());
        m_errorLine = m_checkpointError;
        showSentence(m_checkpointError, {});
        edit(tr("checkpoints"), config);
        m_errorLine = nullptr;
    });
    layout.addWidget(m_checkpoint);
    m_checkpointEvery = addSlider(layout, tr("Checkpoint every"), "checkpointEvery", "checkpoint",
                                  [](RunConfig c, std::int64_t v) {
                                      c.checkpoint.interval = v;
                                      return c;
                                  });
    m_budgetRow = new QWidget(this);
    auto* row = new QVBoxLayout(m_budgetRow);
    row->setContentsMargins(0, 0, 0, 0);
    m_budget = new QLineEdit(m_budgetRow);
    m_budget->setObjectName(QStringLiteral("checkpointBudget"));
    m_budget->setAlignment(Qt::AlignRight);
    connect(m_budget, &QLineEdit::editingFinished, this, &RunPanel::submitBudget);
    addLabelled(*row, tr("Budget"), m_budget, 104);
    layout.addWidget(m_budgetRow);
    m_checkpointError = addSentence(layout, "checkpointError");
}

bool RunPanel::submitBudget() {
    if (!m_budget->isModified()) return true;
    RunConfig config = m_context.workbench.config();
    QString text = m_budget->text();
    text.removeIf([](QChar c) { return c.isSpace(); });
    if (text.endsWith(u'B') || text.endsWith(u'b')) text.chop(1);
    const Result<void> parsed = setOption(config, "checkpoint", "fit:" + text.toStdString());
    return submitted(m_budget, m_checkpointError, parsed, tr("checkpoint budget"), config);
}

void RunPanel::buildPrecision(QVBoxLayout& layout) {
    auto* label = new QLabel(tr("Precision"), this);
    followColor(label, m_context.theme, ColorRole::TextMuted);
    layout.addWidget(label);
    QStringList names;
    for (const auto& [precision, name] : kPrecisionNames)
        names << QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
    m_precision = new SegmentedControl(m_context.theme, names, QStringLiteral("precision"), this);
    m_precision->setAccessibleName(label->text());
    m_precision->setToolTip(optionHelp("precision"));
    connect(m_precision, &SegmentedControl::chosen, this, [this](int index) {
        RunConfig config = m_context.workbench.config();
        config.precision = kPrecisionNames.at(static_cast<std::size_t>(index)).first;
        edit(tr("precision"), config);
    });
    layout.addWidget(m_precision);
    m_precisionNote = addSentence(layout, "precisionNote", ColorRole::TextMuted);
    const auto box = [&](const QString& text, const char* name, const char* option) {
        auto* made = new QCheckBox(text, this);
        made->setObjectName(QString::fromLatin1(name));
        made->setToolTip(optionHelp(option));
        layout.addWidget(made);
        return made;
    };
    m_masterWeights = box(tr("fp32 master weights"), "masterWeights", "master-weights");
    connect(m_masterWeights, &QCheckBox::clicked, this, [this](bool on) {
        RunConfig config = m_context.workbench.config();
        config.masterWeights = on;
        edit(tr("master weights"), config);
    });
    m_fp32Gradients = box(tr("fp32 gradients"), "fp32Gradients", "grad-dtype");
    connect(m_fp32Gradients, &QCheckBox::clicked, this, [this](bool on) {
        RunConfig config = m_context.workbench.config();
        config.gradientPrecision = on ? GradientPrecision::Fp32 : GradientPrecision::Same;
        edit(tr("gradients"), config);
    });
}

void RunPanel::buildAdvanced(QVBoxLayout& layout) {
    m_advanced = new QPushButton(this);
    m_advanced->setObjectName(QStringLiteral("advancedButton"));
    m_advanced->setProperty(kQuietButton, true);
    m_advanced->setCheckable(true);
    m_advanced->setToolTip(
        tr("Settings of the optimizer, learning rate schedule, loss scale, initial weights, checkpoints"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 4, 0, 0);
    row->addWidget(m_advanced);
    row->addStretch(1);
    layout.addLayout(row);
    m_folded = new QWidget(this);
    auto* folded = new QVBoxLayout(m_folded);
    folded->setContentsMargins(0, 0, 0, 0);
    folded->setSpacing(7);
    m_options = new OptionForm(m_context, m_folded);
    folded->addWidget(m_options);
    auto* save = new SaveForm(m_context.theme, m_controller, m_folded);
    folded->addWidget(save);
    m_folded->hide();
    layout.addWidget(m_folded);
    connect(save, &SaveForm::folderWanted, this, &RunPanel::folderWanted);
    connect(save, &SaveForm::checkpointWanted, this, &RunPanel::checkpointWanted);
    connect(m_advanced, &QPushButton::clicked, this, &RunPanel::showAdvanced);
    connect(m_options, &OptionForm::edited, this,
            [this](const QString& label, const RunConfig& config, QLabel* error) {
                m_errorLine = error;
                edit(label.toLower(), config);
                m_errorLine = nullptr;
            });
}

void RunPanel::showAdvanced(bool open) {
    m_folded->setVisible(open);
    m_advanced->setChecked(open);
    const int changed = m_options->changedCount();
    QString text = open ? tr("▾ Advanced") : tr("▸ Advanced");
    if (changed > 0) text += tr(" · %1 changed").arg(changed);
    m_advanced->setText(text);
    m_advanced->setAccessibleName(tr("Advanced settings"));
}

}  // namespace plumb::ui
