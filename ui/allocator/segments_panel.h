// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"

#include <QWidget>

namespace plumb::ui {

class SegmentsPicture;
class Theme;
class ToneLabel;

/// The segments at the cursor with their sums, and what a request that failed there lacked.
class SegmentsPanel final : public QWidget {
    Q_OBJECT
public:
    SegmentsPanel(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

signals:
    void chosen(std::uint32_t allocation);

protected:
    void showEvent(QShowEvent* event) override;

private:
    /// Laying out takes time: while it is hidden nothing is laid out.
    void follow();
    void showMoment();
    [[nodiscard]] QString failureText(const LayoutSums& sums) const;

    AllocatorState& m_state;
    ToneLabel* m_sums;
    ToneLabel* m_failure;
    SegmentsPicture* m_picture;
    bool m_isStale = true;
};

}  // namespace plumb::ui
