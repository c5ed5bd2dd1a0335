// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/planned_step.h"
#include "ui/workbench/view.h"

#include <QWidget>

#include <cstdint>
#include <optional>

class QLabel;
class QPushButton;

namespace plumb::ui {

class ConfigHistory;
class SizeField;
class ToneLabel;
class WrapLayout;

/// Asks what the step would cost with another number of ranks, without putting it into force: the peak of a
/// rank, the step, and what each sends, as one walks through the numbers. Apply puts it into force, as an
/// edit that can be undone.
class WhatIfRow final : public QWidget {
    Q_OBJECT
public:
    WhatIfRow(ViewContext context, ConfigHistory& history, QWidget* parent = nullptr);

    /// The scene changed. Of another configuration the question begins anew, at its number of ranks.
    void follow();
    void reset();
    /// How many ranks are asked about.
    [[nodiscard]] std::int64_t ranks() const { return m_ranks; }
    void ask(std::int64_t ranks);

    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    /// One figure: its title above "41.5 GB → 35.1 GB −6.44 GB".
    struct Figure {
        QLabel* title = nullptr;
        ToneLabel* now = nullptr;
        ToneLabel* then = nullptr;
        ToneLabel* change = nullptr;
    };
    [[nodiscard]] Figure addFigure(WrapLayout& layout, const QString& title, const char* name,
                                   const QString& toolTip);
    void buildStepper(WrapLayout& layout);
    void step(int by);
    void apply();
    void show();
    void showFigure(const Figure& figure, std::optional<double> now, std::optional<double> then,
                    const char* unit) const;
    [[nodiscard]] bool isOther() const;
    /// Those that divide matrices included, which stay as many.
    [[nodiscard]] std::int64_t ranksOfAll() const;

    ViewContext m_context;
    ConfigHistory& m_history;
    RunConfig m_config;  ///< that is asked about
    std::int64_t m_ranks = 1;
    std::optional<PlannedStep> m_planned;  ///< with as many; absent: it is that of the scene, or refused
    QString m_refused;
    QPushButton* m_fewer = nullptr;
    QPushButton* m_more = nullptr;
    SizeField* m_field = nullptr;
    QLabel* m_all = nullptr;
    Figure m_peak, m_step, m_sent;
    QPushButton* m_reset = nullptr;
    QPushButton* m_apply = nullptr;
    QLabel* m_note = nullptr;   ///< why there is no time
    QLabel* m_error = nullptr;  ///< why there cannot be so many
};

}  // namespace plumb::ui
