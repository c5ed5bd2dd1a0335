// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/dtype_page.h"

#include "ui/engine/lab_engine.h"
#include "ui/lab/block_panel.h"
#include "ui/lab/dtype_table.h"
#include "ui/lab/live_panel.h"
#include "ui/lab/range_chart.h"
#include "ui/settings/settings.h"
#include "ui/theme/error_text.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/lab_edit.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kValueWidth = 190;
constexpr int kEntrySpacing = 6;
constexpr int kValueRoom = kValueWidth + 110;  // margins, label and field before the presets, scroll bar
constexpr int kWholeTable = 945;               // narrower, the table goes without the neighbours
constexpr int kLeastLower = 372;
constexpr int kPatch = 10;

/// A square in the colour of a kind of bits, and its name: the legend of the table.
class BitSwatch final : public QWidget {
public:
    BitSwatch(Theme& theme, ColorRole role, QString text, QWidget* parent)
        : QWidget(parent), m_theme(theme), m_role(role), m_text(std::move(text)) {
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    [[nodiscard]] QSize sizeHint() const override {
        return {kPatch + 6 + fontMetrics().horizontalAdvance(m_text) + 2, fontMetrics().height() + 2};
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_theme.color(m_role));
        painter.drawRoundedRect(QRectF(0, (height() - kPatch) / 2.0, kPatch, kPatch), 2, 2);
        painter.setPen(m_theme.color(ColorRole::TextMuted));
        painter.drawText(rect().adjusted(kPatch + 6, 0, 0, 0), Qt::AlignVCenter, m_text);
    }

private:
    Theme& m_theme;
    ColorRole m_role;
    QString m_text;
};

}  // namespace

DtypePage::DtypePage(LabContext context, QWidget* parent) : QWidget(parent), m_context(context) {
    setObjectName(QStringLiteral("dtypePage"));
    setAccessibleName(tr("Number formats"));
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(makeValueCard());
    column->addWidget(makeLowerCard(), 1);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("dtypeScroll"));
    scroll->setFocusPolicy(Qt::NoFocus);  // it follows what has the focus in it
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(scroll);

    const LabSettings kept = context.settings.lab();
    m_blocks->setNeighbours(kept.neighbours.isNull() ? blockPreset(0) : kept.neighbours);
    chooseLower(kept.dtypePart);
    DtypeInput input{kept.value, std::nullopt};
    if (!makeDtypeState(input).has_value()) input = {};
    apply(input);
}

DtypePage::~DtypePage() { silenceFocus(*this); }

QWidget* DtypePage::makeValueCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("One value in every format"), this);
    card->setObjectName(QStringLiteral("dtypeCard"));
    card->setContentMargins(16, 8, 16, 10);
    card->setSubtitle(tr("click a bit to turn it over; arrow keys and Space do the same"));
    auto* copyButton = new QPushButton(tr("Copy"), card);
    copyButton->setObjectName(QStringLiteral("dtypeCopy"));
    copyButton->setToolTip(tr("Copy the table as text"));
    connect(copyButton, &QPushButton::clicked, this, &DtypePage::copy);
    card->addHeaderWidget(copyButton);

    auto* content = new QWidget(card);
    auto* label = new ToneLabel(theme, ColorRole::TextMuted, content);
    label->setText(tr("Value"));
    m_value = new QLineEdit(content);
    m_value->setObjectName(QStringLiteral("dtypeValue"));
    m_value->setAccessibleName(tr("Value"));
    m_value->setFixedWidth(scaled(kValueWidth));
    m_value->setToolTip(tr("A number: 1e-8, 1/3, 0x1.8p-3, inf, nan"));
    label->setBuddy(m_value);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(kEntrySpacing);
    entry->addWidget(label);
    entry->addWidget(m_value);
    entry->addSpacing(6);
    for (const DtypePreset& preset : dtypePresets()) {
        const QString text = QString::fromLatin1(preset.text);
        auto* button = new QPushButton(text, content);
        button->setObjectName(QStringLiteral("dtypePreset ") + text);
        button->setProperty(kQuietButton, true);
        button->setToolTip(ui::tr(preset.why));
        button->setAccessibleDescription(button->toolTip());
        connect(button, &QPushButton::clicked, this, [this, &preset] { take(preset); });
        entry->addWidget(button);
        m_presets << button;
    }
    entry->addStretch(1);

    m_note = new ToneLabel(theme, ColorRole::TextMuted, content);
    m_note->setObjectName(QStringLiteral("dtypeNote"));
    m_note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_note->setElided();
    auto* second = new WrapLayout(nullptr, 14);
    second->addWidget(m_note);
    auto* swatches = new QHBoxLayout;
    swatches->setSpacing(14);
    swatches->addWidget(new BitSwatch(theme, ColorRole::BitSign, tr("sign"), content));
    swatches->addWidget(new BitSwatch(theme, ColorRole::BitExponent, tr("exponent"), content));
    swatches->addWidget(new BitSwatch(theme, ColorRole::BitMantissa, tr("mantissa"), content));
    second->addLayout(swatches);

    m_table = new DtypeTable(theme, content);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addLayout(entry);
    column->addLayout(second);
    column->addWidget(m_table);
    card->setContent(content);

    connect(m_value, &QLineEdit::textEdited, this, &DtypePage::typing);
    connect(m_value, &QLineEdit::editingFinished, this, &DtypePage::commitTyped);
    connect(m_table, &DtypeTable::bitFlipped, this, [this](int row, int bit) {
        change(withFlippedBit(m_state, static_cast<std::size_t>(row), bit), tr("bit"));
    });
    connect(m_table, &DtypeTable::codeEntered, this, [this](int row, quint64 code) {
        change(withCode(static_cast<std::size_t>(row), code), tr("code"));
    });
    connect(m_table, &DtypeTable::refused, this, &DtypePage::showNote);
    return card;
}

QWidget* DtypePage::makeLowerCard() {
    Theme& theme = m_context.view.theme;
    auto* card = new Card(theme, tr("Range and precision"), this);
    card->setObjectName(QStringLiteral("dtypeLowerCard"));
    card->setContentMargins(16, 8, 16, 10);
    card->setMinimumHeight(kLeastLower);
    m_lowerChoice =
        new SegmentedControl(theme, {tr("Range and precision"), tr("Block formats"), tr("Live tensors")},
                             QStringLiteral("dtypePart"), card);
    m_lowerChoice->setAccessibleName(tr("Below the table"));
    card->addHeaderWidget(m_lowerChoice);
    m_lower = new QStackedWidget(card);
    m_range = new RangeChart(theme, m_lower);
    m_blocks = new BlockPanel(theme, m_lower);
    m_lower->addWidget(m_range);
    m_lower->addWidget(m_blocks);
    m_live = new LivePanel(m_context, m_lower);
    m_lower->addWidget(m_live);
    connect(m_live, &LivePanel::inspectionWanted, &m_context.engine, &LabEngine::inspect);
    connect(&m_context.engine, &LabEngine::inspected, m_live, &LivePanel::showInspection);
    connect(&m_context.engine, &LabEngine::inspectionRefused, m_live, &LivePanel::showRefusal);
    card->setContent(m_lower);
    connect(m_lowerChoice, &SegmentedControl::chosen, this, &DtypePage::chooseLower);
    connect(m_blocks, &BlockPanel::neighboursEdited, this,
            [this](const QString& text, const QString& before) {
                const auto put = [this](const QString& what) {
                    m_blocks->setNeighbours(what);
                    LabSettings kept = m_context.settings.lab();
                    kept.neighbours = what;
                    m_context.settings.setLab(kept);
                };
                pushEdit(
                    m_context.undo, this, tr("neighbours"), [put, text] { put(text); },
                    [this, put, before] {
                        put(before);
                        chooseLower(1);
                        emit revealed();
                    });
            });
    return card;
}

void DtypePage::chooseLower(int index) {
    const int part = std::clamp(index, 0, m_lower->count() - 1);
    m_lowerChoice->setCurrent(part);
    m_lower->setCurrentIndex(part);
    if (auto* card = findChild<Card*>(QStringLiteral("dtypeLowerCard"))) {
        card->setTitle(std::array{tr("Range and precision"), tr("Block formats"), tr("Live tensors")}.at(
            static_cast<std::size_t>(part)));
        card->setSubtitle(part == 0 ? tr("bars: normal, pale: subnormal; arrows: goes on beyond the axis")
                                    : QString());
    }
    LabSettings kept = m_context.settings.lab();
    kept.dtypePart = part;
    m_context.settings.setLab(kept);
}

void DtypePage::showControl(QWidget* control) {
    for (int i = 0; i < m_lower->count(); ++i)
        if (m_lower->widget(i) == control || m_lower->widget(i)->isAncestorOf(control)) chooseLower(i);
}

void DtypePage::exportLive(bool allWeights) {
    showControl(m_live);
    m_live->exportOrSayWhyNot(allWeights);
    // What it says may lie below the edge of a small window; its place is known once it is laid out.
    QTimer::singleShot(0, this, [this] {
        for (QWidget* widget = m_lower; widget; widget = widget->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(widget)) area->ensureWidgetVisible(m_live);
    });
}

void DtypePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    // Beside the lessons there is little room: what can be had elsewhere goes before the page scrolls
    // sideways.
    m_table->setCompact(width() < scaled(kWholeTable));
    int left = width() - scaled(kValueRoom);
    for (QWidget* preset : m_presets) {
        left -= preset->sizeHint().width() + kEntrySpacing;
        preset->setVisible(left >= 0);
    }
}

void DtypePage::typing() {
    // Every row follows while the number is typed; it is one edit when the field is left.
    auto state = makeDtypeState({m_value->text(), std::nullopt});
    m_table->setEnabled(state.has_value());
    if (!state.has_value()) return showNote(errorSentence(state.error()));
    m_state = std::move(state).value();
    showState();
}

void DtypePage::commitTyped() {
    if (!m_value->isModified()) return;
    if (!makeDtypeState({m_value->text(), std::nullopt}).has_value()) return;  // the sentence stays
    m_value->setModified(false);
    change({m_value->text().trimmed(), std::nullopt}, tr("value"));
}

void DtypePage::change(const DtypeInput& input, const QString& what) {
    if (input == m_input) return apply(input);
    pushInput<DtypeInput>(m_context.undo, this, what, m_input, input, [this](const DtypeInput& shown) {
        apply(shown);
        emit revealed();
    });
}

void DtypePage::take(const DtypePreset& preset) {
    change({QString::fromLatin1(preset.text), std::nullopt}, tr("value"));
}

void DtypePage::takeNeighbours(const QString& text) {
    showControl(m_blocks);
    m_blocks->take(text);
}

void DtypePage::apply(const DtypeInput& input) {
    auto state = makeDtypeState(input);
    if (!state.has_value()) return showNote(errorSentence(state.error()));
    m_input = input;
    m_state = std::move(state).value();
    m_table->setEnabled(true);
    m_value->setText(input.text);
    m_value->setModified(false);
    LabSettings kept = m_context.settings.lab();
    kept.value = input.text;
    m_context.settings.setLab(kept);
    showState();
}

void DtypePage::showState() {
    m_table->showState(m_state);
    m_range->showState(m_state);
    m_blocks->showValue(m_state.value);
    showNote({});
}

void DtypePage::showNote(const QString& error) {
    if (!error.isEmpty()) return m_note->showText(error, ColorRole::Bad);
    m_note->showText(m_state.exact.isEmpty()
                         ? tr("All digits of this number are kept by fp64.")
                         : tr("fp64 makes of it %1").arg(localText(m_state.exact.toStdString())),
                     ColorRole::TextMuted);
}

void DtypePage::copy() { QApplication::clipboard()->setText(dtypeTableText(m_state)); }

}  // namespace plumb::ui
