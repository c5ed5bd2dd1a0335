// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/comparison.h"
#include "ui/compare/compare_detail.h"
#include "ui/theme/theme.h"

#include <QPointF>

#include <cstddef>
#include <memory>
#include <vector>

class QWidget;

namespace plumb::ui {

class Card;
class ChartPanel;
class SegmentedControl;

/// Memory of both steps over one another, or as their difference.
class ComparedMemory final {
public:
    ComparedMemory(Theme& theme, QWidget* parent);
    [[nodiscard]] Card& card() { return *m_card; }
    void show(std::shared_ptr<const CompareDetail> detail);  ///< never null

private:
    void draw();
    void showCardAt(const QPointF& data);

    Card* m_card;
    ChartPanel* m_chart;
    SegmentedControl* m_form;
    std::shared_ptr<const CompareDetail> m_detail;
};

/// Where operations stand in the roofline of the baseline, and by arrows where in that of the other step.
class ComparedRoofline final {
public:
    ComparedRoofline(Theme& theme, QWidget* parent);
    [[nodiscard]] Card& card() { return *m_card; }
    void show(const Comparison& comparison, std::size_t index, const ComparedShifts& shifts, bool onlyReal);

private:
    void drawRoofs(const Comparison& comparison, std::size_t index);
    void showCardAt(const QPointF& pixel);

    Card* m_card;
    ChartPanel* m_chart;
    std::vector<RooflineShift> m_shifts;
};

/// Losses of both trainings, or their difference.
class ComparedLosses final {
public:
    ComparedLosses(Theme& theme, QWidget* parent);
    [[nodiscard]] Card& card() { return *m_card; }
    /// False where none of both was trained: there is nothing to see.
    bool show(const Comparison& comparison, std::size_t index);

private:
    void draw();

    Card* m_card;
    ChartPanel* m_chart;
    SegmentedControl* m_form;
    ComparedStep m_baseline, m_other;
};

}  // namespace plumb::ui
