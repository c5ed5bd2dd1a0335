// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/allocator/segments_panel.h"

#include "ui/allocator/segments_picture.h"
#include "ui/theme/text.h"
#include "ui/widgets/tone_label.h"

#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

SegmentsPanel::SegmentsPanel(Theme& theme, AllocatorState& state, QWidget* parent)
    : LateView(parent),
      m_state(state),
      m_sums(new ToneLabel(theme, ColorRole::Text, this)),
      m_failure(new ToneLabel(theme, ColorRole::Bad, this)),
      m_picture(new SegmentsPicture(theme, state)) {
    m_sums->setObjectName(QStringLiteral("allocatorSegmentSums"));
    m_sums->setWordWrap(true);
    m_failure->setObjectName(QStringLiteral("allocatorFailure"));
    m_failure->setWordWrap(true);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);  // the picture takes the focus
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(m_picture);
    scroll->viewport()->setAutoFillBackground(false);
    m_picture->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_sums);
    layout->addWidget(m_failure);
    layout->addWidget(scroll, 1);
    connect(m_picture, &SegmentsPicture::chosen, this, &SegmentsPanel::chosen);
    connect(&state, &AllocatorState::deviceChanged, this, &SegmentsPanel::follow);
    connect(&state, &AllocatorState::cursorChanged, this, &SegmentsPanel::follow);
    follow();
}

void SegmentsPanel::follow() {
    // Without a device, what was laid out is gone at once: it points into what was closed.
    if (m_state.device())
        invalidate();
    else
        refresh();
}

QString SegmentsPanel::failureText(const LayoutSums& sums) const {
    const auto& all = m_state.device()->replay.outOfMemory;
    const auto at = std::ranges::find(all, m_state.cursor(), &OutOfMemory::position);
    if (at == all.end()) return {};
    const RequestFit fit = fitOf(at->requested, sums);
    const QString asked =
        tr("%1 were asked for (%2 in a block); the device had %3 free. ")
            .arg(bytesText(at->requested), bytesText(fit.rounded), bytesText(at->deviceFree));
    return asked + (fit.shortBy ? tr("The largest free block has %1, %2 too few.")
                                      .arg(bytesText(fit.largestFree), bytesText(*fit.shortBy))
                                : tr("The largest free block known has %1, enough: it may be of another "
                                     "stream or pool.")
                                      .arg(bytesText(fit.largestFree)));
}

void SegmentsPanel::catchUp() {
    const OpenedDevice* device = m_state.device();
    MemoryLayout layout = device ? device->segments.layoutAt(m_state.cursor()) : MemoryLayout{};
    m_sums->showText(device ? layoutText(layout) : QString());
    m_sums->setToolTip(tr("Rounded bytes. Before the end of the history a block has the size that it has at "
                          "least, so that what is free is an upper bound."));
    m_failure->showText(device ? failureText(layout.sums) : QString());
    m_failure->setVisible(!m_failure->text().isEmpty());
    m_picture->setLayoutShown(std::move(layout));
}

}  // namespace plumb::ui
