// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/allocator_view.h"

#include "ui/allocator/allocator_bands.h"
#include "ui/allocator/allocator_chart.h"
#include "ui/allocator/compared_panel.h"
#include "ui/allocator/living_panel.h"
#include "ui/allocator/segments_panel.h"
#include "ui/allocator/stack_list.h"
#include "ui/charts/legend_row.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/tone_label.h"
#include "ui/workbench/first_focus.h"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plumb::ui {

AllocatorView::AllocatorView(const ViewContext& context, OpenedAs<OpenedSnapshot>& file,
                             OpenedAs<OpenedSnapshot>& baseline, QWidget* parent)
    : QWidget(parent),
      m_theme(context.theme),
      m_file(file),
      m_baseline(baseline),
      m_name(new ToneLabel(m_theme, ColorRole::TextStrong, this)),
      m_facts(new ToneLabel(m_theme, ColorRole::TextMuted, this)),
      m_settings(new ToneLabel(m_theme, ColorRole::TextMuted, this)),
      m_gaps(new QVBoxLayout),
      m_devices(new QComboBox(this)),
      m_keys(new SegmentedControl(m_theme, {tr("Category"), tr("Operation"), tr("Module"), tr("Size")},
                                  QStringLiteral("allocatorKey"), this)),
      m_moment(new ToneLabel(m_theme, ColorRole::Text, this)),
      m_toPeak(new QPushButton(tr("At the peak"), this)),
      m_toOutOfMemory(new QPushButton(tr("At the OOM"), this)),
      m_compare(new QPushButton(tr("Compare with…"), this)),
      m_lowerChoice(new SegmentedControl(m_theme, {tr("Alive at the cursor"), tr("Compared")},
                                         QStringLiteral("allocatorLower"), this)),
      m_compared(new ComparedPanel(m_theme, m_state, this)),
      m_chart(new AllocatorChart(m_theme, m_state, this)),
      m_legend(new LegendRow(m_theme, this)) {
    setObjectName(QStringLiteral("allocatorView"));
    build();
    setFirstFocus(*this, m_chart);
    connect(&file, &OpenedFile::changed, this, &AllocatorView::showFile);
    connect(&baseline, &OpenedFile::changed, this, &AllocatorView::showBaseline);
    connect(m_devices, &QComboBox::activated, &m_state, &AllocatorState::setDevice);
    connect(m_keys, &SegmentedControl::chosen, &m_state, &AllocatorState::setKey);
    connect(&m_state, &AllocatorState::deviceChanged, this, &AllocatorView::showDevice);
    connect(&m_state, &AllocatorState::keyChanged, this, &AllocatorView::showLegend);
    connect(&m_state, &AllocatorState::cursorChanged, this, &AllocatorView::showLegend);
    showFile();
    showBaseline();
}

void AllocatorView::build() {
    m_name->setStrong(1);
    m_name->setObjectName(QStringLiteral("allocatorName"));
    m_facts->setObjectName(QStringLiteral("allocatorFacts"));
    m_settings->setObjectName(QStringLiteral("allocatorSettings"));
    m_settings->setWordWrap(true);
    m_devices->setObjectName(QStringLiteral("allocatorDevice"));
    m_devices->setAccessibleName(tr("Device"));
    m_devices->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_devices->setMinimumContentsLength(12);
    m_keys->setCurrent(0);
    m_moment->setObjectName(QStringLiteral("allocatorMoment"));
    m_moment->setElided();
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("allocatorClose"));
    close->setProperty(kQuietButton, true);
    connect(close, &QPushButton::clicked, &m_file, &OpenedFile::close);

    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    head->addWidget(m_name);
    head->addWidget(m_facts);
    head->addStretch(1);
    m_compare->setObjectName(QStringLiteral("allocatorCompare"));
    m_compare->setToolTip(tr("What grew since another snapshot, and what is new"));
    connect(m_compare, &QPushButton::clicked, this, &AllocatorView::askBaseline);
    head->addWidget(m_compare);
    head->addWidget(close);
    m_gaps->setSpacing(1);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(12);
    controls->addWidget(m_devices);
    controls->addWidget(m_keys);
    controls->addWidget(m_moment, 1);
    m_toPeak->setObjectName(QStringLiteral("allocatorToPeak"));
    m_toOutOfMemory->setObjectName(QStringLiteral("allocatorToOutOfMemory"));
    controls->addWidget(m_toPeak);
    controls->addWidget(m_toOutOfMemory);
    connect(m_toPeak, &QPushButton::clicked, this,
            [this] { m_state.setCursor(m_state.device()->replay.peakPosition); });
    connect(m_toOutOfMemory, &QPushButton::clicked, this,
            [this] { m_state.setCursor(m_state.nextOutOfMemory()->position); });

    auto* above = new QWidget(this);
    auto* picture = new QVBoxLayout(above);
    picture->setContentsMargins(0, 0, 0, 0);
    picture->setSpacing(6);
    picture->addWidget(m_chart, 1);
    picture->addWidget(new AllocatorBands(m_theme, m_state, *m_chart, above));
    picture->addWidget(m_legend);
    auto* parts = new QSplitter(Qt::Vertical, this);
    parts->setObjectName(QStringLiteral("allocatorParts"));
    parts->setChildrenCollapsible(false);
    parts->addWidget(above);
    parts->addWidget(buildLower());
    parts->setStretchFactor(0, 3);
    parts->setStretchFactor(1, 2);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addLayout(head);
    layout->addWidget(m_settings);
    layout->addLayout(m_gaps);
    layout->addLayout(controls);
    layout->addWidget(parts, 1);
}

QWidget* AllocatorView::buildDetails() {
    auto* living = new LivingPanel(m_theme, m_state);
    auto* stack = new StackList(m_state);
    auto* segments = new SegmentsPanel(m_theme, m_state);
    auto* pages = new QStackedWidget;
    pages->addWidget(segments);
    pages->addWidget(stack);
    auto* choice =
        new SegmentedControl(m_theme, {tr("Segments"), tr("Stack")}, QStringLiteral("allocatorPage"));
    choice->setCurrent(0);
    connect(choice, &SegmentedControl::chosen, pages, &QStackedWidget::setCurrentIndex);
    const auto showStack = [=](std::optional<std::uint32_t> allocation) {
        stack->showAllocation(allocation);
        if (!allocation) return;
        choice->setCurrent(1);
        pages->setCurrentIndex(1);
    };
    connect(living, &LivingPanel::selected, stack, showStack);
    connect(segments, &SegmentsPanel::chosen, living, &LivingPanel::select);
    auto* side = new QWidget;
    auto* sideLayout = new QVBoxLayout(side);
    sideLayout->setContentsMargins(8, 0, 0, 0);
    sideLayout->setSpacing(6);
    sideLayout->addWidget(choice, 0, Qt::AlignLeft);
    sideLayout->addWidget(pages, 1);
    auto* details = new QSplitter(Qt::Horizontal, this);
    details->setObjectName(QStringLiteral("allocatorDetails"));
    details->setChildrenCollapsible(false);
    details->addWidget(living);
    details->addWidget(side);
    details->setStretchFactor(0, 3);
    details->setStretchFactor(1, 2);
    return details;
}

QWidget* AllocatorView::buildLower() {
    auto* lower = new QWidget(this);
    m_lower = new QStackedWidget(lower);
    m_lower->addWidget(buildDetails());
    m_lower->addWidget(m_compared);
    connect(m_lowerChoice, &SegmentedControl::chosen, m_lower, &QStackedWidget::setCurrentIndex);
    connect(m_compared, &ComparedPanel::closeWanted, &m_baseline, &OpenedFile::close);
    auto* layout = new QVBoxLayout(lower);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_lowerChoice, 0, Qt::AlignLeft);
    layout->addWidget(m_lower, 1);
    return lower;
}

void AllocatorView::askBaseline() {
    askOpenPath(*this, tr("Compare with a snapshot"), QFileInfo(m_file.path()).absolutePath(),
                tr("Memory snapshots (*.pickle *.pkl);;All files (*)"),
                [this](const QString& path) { m_baseline.open(path); });
}

// A baseline that came is what was asked for, so that it is shown.
void AllocatorView::showBaseline() {
    const std::shared_ptr<const OpenedSnapshot> opened = m_baseline.content();
    m_compared->setBaseline(opened ? opened->memory : nullptr);
    m_lowerChoice->setVisible(opened != nullptr);
    m_lowerChoice->setCurrent(opened ? 1 : 0);
    m_lower->setCurrentIndex(opened ? 1 : 0);
}

void AllocatorView::showFile() {
    const std::shared_ptr<const OpenedSnapshot> opened = m_file.content();
    m_devices->clear();
    QString settings;
    if (opened) {
        for (const auto& device : opened->memory->devices())
            m_devices->addItem(tr("Device %1").arg(device->replay.device));
        for (const auto& [name, value] : opened->memory->snapshot().settings)
            if (!value.empty())
                settings += (settings.isEmpty() ? QString() : QStringLiteral(", ")) +
                            QStringLiteral("%1=%2").arg(toText(name), toText(value));
        m_facts->showText(
            tr("%1 entries · %2")
                .arg(opened->memory->entries())
                .arg(m_devices->count() == 1 ? tr("1 device") : tr("%1 devices").arg(m_devices->count())));
    } else {
        m_facts->showText({});
    }
    m_name->showText(opened ? QFileInfo(m_file.path()).fileName() : QString());
    m_settings->setVisible(!settings.isEmpty());
    m_settings->showText(settings.isEmpty() ? QString() : tr("Allocator: %1").arg(settings));
    m_settings->setToolTip(settings.isEmpty()
                               ? tr("The file says nothing of the allocator's settings")
                               : QString(settings).replace(QStringLiteral(", "), QStringLiteral("\n")));
    m_devices->setVisible(m_devices->count() > 1);
    m_compare->setEnabled(opened != nullptr);
    if (!opened) m_baseline.close();
    m_state.setMemory(opened ? opened->memory : nullptr);
}

void AllocatorView::showDevice() {
    while (QLayoutItem* item = m_gaps->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (const OpenedDevice* device = m_state.device())
        for (const MemoryGap& gap : device->gaps) {
            auto* label = new ToneLabel(m_theme, ColorRole::Warning, this);
            label->setObjectName(QStringLiteral("allocatorGap"));
            label->setWordWrap(true);
            label->showText(tr("%1: %2").arg(capitalised(coreText(gap.what)), coreText(gap.why)));
            m_gaps->addWidget(label);
        }
    const bool hasOutOfMemory = m_state.nextOutOfMemory() != nullptr;
    m_toPeak->setEnabled(m_state.device() != nullptr);
    m_toOutOfMemory->setEnabled(hasOutOfMemory);
    m_toOutOfMemory->setToolTip(hasOutOfMemory ? tr("The next request that failed")
                                               : tr("No request failed in this history"));
    showLegend();
}

void AllocatorView::showLegend() {
    const OpenedDevice* device = m_state.device();
    QVector<LegendEntry> entries;
    if (device) {
        const auto key = static_cast<std::size_t>(m_state.key());
        const MemoryGroups& groups = device->groups[key];
        std::vector<Bytes> sums(groups.names.size() + 1);
        device->curves[key].sumsAt(m_state.cursor(), sums);
        for (std::size_t i = 0; i < groups.names.size(); ++i)
            entries.push_back({.id = QString::number(i),
                               .label = groupText(kCurveKeys[key], groups.names[i]),
                               .value = bytesText(sums[i]),
                               .color = groupColor(kCurveKeys[key], groups, i)});
        entries.push_back({.id = QStringLiteral("allocated"),
                           .label = tr("allocated"),
                           .value = bytesText(sums.back()),
                           .color = ColorRole::Text,
                           .swatch = LegendEntry::Swatch::Line});
        entries.push_back({.id = QStringLiteral("reserved"),
                           .label = tr("reserved"),
                           .value = bytesText(reservedAt(device->replay, m_state.cursor())),
                           .color = ColorRole::Measured,
                           .swatch = LegendEntry::Swatch::DashedLine});
        m_moment->showText(tr("%1: %2 live")
                               .arg(m_state.momentText(m_state.cursor()),
                                    bytesText(device->history.liveAt(m_state.cursor()))));
    } else {
        m_moment->showText({});
    }
    m_legend->setEntries(entries);
}

}  // namespace plumb::ui
