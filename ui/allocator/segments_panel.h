// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/allocator/allocator_state.h"
#include "ui/workbench/late_view.h"

namespace plumb::ui {

class SegmentsPicture;
class Theme;
class ToneLabel;

/// The segments at the cursor with their sums, and what a request that failed there lacked. Laying out
/// takes time: a late view.
class SegmentsPanel final : public LateView {
    Q_OBJECT
public:
    SegmentsPanel(Theme& theme, AllocatorState& state, QWidget* parent = nullptr);

signals:
    void chosen(std::uint32_t allocation);

private:
    void follow();
    void catchUp() override;
    [[nodiscard]] QString failureText(const LayoutSums& sums) const;

    AllocatorState& m_state;
    ToneLabel* m_sums;
    ToneLabel* m_failure;
    SegmentsPicture* m_picture;
};

}  // namespace plumb::ui
