// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_map.h"

#include "core/base/quantity.h"
#include "ui/charts/heat_map.h"
#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/slider_row.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

using planner::Input;

}  // namespace

PlannerMap::PlannerMap(Theme& theme, PlannerModel& model, PlannerEdits& edits, QWidget* parent)
    : QObject(parent), m_model(model), m_edits(edits), m_card(new Card(theme, tr("Map"), parent)) {
    m_card->setContentMargins(8, 2, 8, 8);
    m_value = new SegmentedControl(theme, {tr("step time"), tr("memory")}, QStringLiteral("plannerMapValue"),
                                   m_card);
    m_value->setAccessibleName(tr("What the map shows"));
    connect(m_value, &SegmentedControl::chosen, this,
            [this](int index) { m_model.setMapOfMemory(index == 1); });
    const auto axis = [&](const char* name, const QString& label) {
        auto* box = new QComboBox(m_card);
        box->setObjectName(QString::fromLatin1(name));
        box->setAccessibleName(label);
        box->setToolTip(label);
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(7);
        box->setMaxVisibleItems(20);
        for (const Input input : mapInputs())
            box->addItem(coreText(planner::info(input).label), static_cast<int>(input));
        connect(box, &QComboBox::activated, this, [this] {
            m_edits.setMapAxes(static_cast<Input>(m_x->currentData().toInt()),
                               static_cast<Input>(m_y->currentData().toInt()));
        });
        return box;
    };
    m_x = axis("plannerMapX", tr("Input to the right"));
    m_y = axis("plannerMapY", tr("Input upwards"));
    m_cancel = m_card->addHeaderButton(tr("Cancel"), QStringLiteral("plannerCancel"),
                                       tr("Stops working out the pictures; the answer stays"));
    connect(m_cancel, &QPushButton::clicked, &m_model.explorer(), &PlannerExplorer::cancel);
    m_card->addHeaderWidget(m_value);
    auto* content = new QWidget(m_card);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(4);
    auto* axes = new QHBoxLayout;
    axes->setContentsMargins(8, 0, 8, 0);
    axes->setSpacing(6);
    const auto word = [&](const QString& text, QComboBox* box) {
        auto* label = new QLabel(text, content);
        label->setBuddy(box);
        followColor(label, theme, ColorRole::TextMuted);
        axes->addWidget(label);
        axes->addWidget(box, 1);
    };
    word(tr("over"), m_x);
    word(tr("and"), m_y);
    column->addLayout(axes);
    m_map = new HeatMap(theme, content);
    column->addWidget(m_map, 1);
    m_map->setObjectName(QStringLiteral("plannerMap"));
    m_map->setAccessibleName(tr("Map over two inputs"));
    connect(m_map, &HeatMap::chosen, &m_edits, &PlannerEdits::takeCell);
    m_card->setContent(content);
}

void PlannerMap::showAxes() {
    const QSignalBlocker x(m_x), y(m_y);
    m_x->setCurrentIndex(m_x->findData(static_cast<int>(m_model.inputs().mapX)));
    m_y->setCurrentIndex(m_y->findData(static_cast<int>(m_model.inputs().mapY)));
}

void PlannerMap::show() {
    const auto& map = m_model.explorer().map();
    const bool memory = m_model.inputs().mapOfMemory;
    m_value->setCurrent(memory ? 1 : 0);
    const auto progress = m_model.explorer().progress();
    showProgress();
    HeatMap::Content content{
        .valueTitle = memory ? tr("memory per device") : tr("step time"),
        .notAllowed = tr("does not fit"),
        .format = [memory](double value) { return quantityText(value, memory ? "B" : "s"); }};
    if (map) {
        const auto axis = [&](const planner::Axis& from, HeatMap::Axis& to, int& current) {
            const planner::InputInfo& info = planner::info(from.input);
            to.title = coreText(info.label);
            const auto now = planner::numberOf(m_model.inputs().scenario, from.input);
            for (std::size_t i = 0; i < from.values.size(); ++i) {
                to.ticks << shortInputText(from.input, from.values[i]);
                if (now.has_value() && *now == from.values[i]) current = static_cast<int>(i);
            }
        };
        axis(map->x, content.x, content.currentX);
        axis(map->y, content.y, content.currentY);
        for (const planner::MapCell& cell : map->cells) {
            HeatMap::Cell shown;
            if (cell.possible && (memory || cell.stepSeconds > 0)) {
                shown.value = memory ? cell.memoryBytes : cell.stepSeconds;
                shown.allowed = cell.fits;
                shown.rows.push_back(
                    memory ? HoverCardContent::Row{tr("step time"),
                                                   {cell.stepSeconds > 0 ? quantityText(cell.stepSeconds, "s")
                                                                         : QStringLiteral("–")},
                                                   std::nullopt,
                                                   false}
                           : HoverCardContent::Row{tr("memory per device"),
                                                   {quantityText(cell.memoryBytes, "B")},
                                                   std::nullopt,
                                                   false});
                shown.footer = cell.fits ? tr("click takes these values") : tr("does not fit");
            } else {
                shown.footer = forWindow(coreText(cell.problem));
            }
            content.cells.push_back(shown);
        }
    }
    m_map->setContent(content);
    QString empty = m_model.explorer().mapProblem();
    if (empty.isEmpty() && !memory && map && m_model.inputs().scenario.model.count())
        empty = tr("A mere number of parameters has no operations to time; there is a map of its memory");
    if (empty.isEmpty() && (!map || map->cells.empty()) && !progress)
        empty = tr("Cancelled: change an input to try again");
    m_map->setEmptyText(progress && !map ? QString() : empty);
}

void PlannerMap::showProgress() {
    m_map->setProgress(m_model.explorer().progress());
    m_cancel->setVisible(m_model.explorer().progress().has_value());
}

}  // namespace plumb::ui
