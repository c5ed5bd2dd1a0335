// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/block_panel.h"

#include "ui/lab/block_model.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/tone_label.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>
#include <QVBoxLayout>

namespace plumb::ui {

BlockPanel::BlockPanel(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_field(new QLineEdit(this)),
      m_note(new ToneLabel(theme, ColorRole::TextMuted, this)),
      m_table(new QTableView(this)),
      m_model(new BlockModel(theme, this)) {
    setObjectName(QStringLiteral("blockPanel"));
    auto* label = new ToneLabel(theme, ColorRole::TextMuted, this);
    label->setText(tr("Neighbours that share the scale"));
    label->setBuddy(m_field);
    m_field->setObjectName(QStringLiteral("blockNeighbours"));
    m_field->setAccessibleName(label->text());
    m_field->setToolTip(tr("Up to %1 numbers between commas or blanks").arg(kMostBlockNumbers - 1));
    auto* presets = new QComboBox(this);
    presets->setObjectName(QStringLiteral("blockPresets"));
    presets->setAccessibleName(tr("Choose neighbours"));
    presets->addItem(tr("Fill with…"));
    presets->addItems(blockPresetNames());
    m_note->setObjectName(QStringLiteral("blockNote"));
    m_note->setWordWrap(true);
    m_table->setObjectName(QStringLiteral("blockTable"));
    m_table->setAccessibleName(tr("Block formats"));
    m_table->setModel(m_model);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->viewport()->setAutoFillBackground(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 8);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->setMinimumHeight(120);

    auto* entry = new QHBoxLayout;
    entry->setSpacing(8);
    entry->addWidget(label);
    entry->addWidget(m_field, 1);
    entry->addWidget(presets);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(entry);
    layout->addWidget(m_note);
    layout->addWidget(m_table, 1);

    connect(m_field, &QLineEdit::textEdited, this, &BlockPanel::refresh);
    connect(m_field, &QLineEdit::editingFinished, this, [this] { commit(m_field->text()); });
    connect(presets, &QComboBox::activated, this, [this, presets](int index) {
        presets->setCurrentIndex(0);
        if (index > 0) commit(blockPreset(index - 1));
    });
    connect(&theme, &Theme::changed, this, [this] { m_table->viewport()->update(); });
    setNeighbours(blockPreset(0));
}

QString BlockPanel::neighbours() const { return m_committed; }

void BlockPanel::setNeighbours(const QString& text) {
    m_committed = text;
    if (m_field->text() != text) m_field->setText(text);
    m_field->setCursorPosition(0);
    refresh();
}

void BlockPanel::commit(const QString& text) {
    if (text == m_committed) return;
    const QString before = m_committed;
    setNeighbours(text);
    emit neighboursEdited(text, before);
}

void BlockPanel::showValue(double value) {
    m_value = value;
    refresh();
}

void BlockPanel::refresh() {
    auto state = makeBlockState(m_value, m_field->text());
    m_table->setEnabled(state.has_value());
    if (!state.has_value()) {
        m_note->showText(errorSentence(state.error()), ColorRole::Bad);
        return;
    }
    m_state = std::move(state).value();
    m_model->setState(m_state);
    m_note->showText(
        tr("%n numbers. MX: 32 of them share a power of two; NVFP4: 16 share an E4M3 scale. Red: "
           "became 0 or was cut, green: exact.",
           nullptr, static_cast<int>(m_state.numbers.size())),
        ColorRole::TextMuted);
}

}  // namespace plumb::ui
