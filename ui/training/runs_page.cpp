// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/training/runs_page.h"

#include "ui/theme/house_style.h"
#include "ui/training/run_palette.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/slider_row.h"
#include "ui/workbench/first_focus.h"
#include "ui/workbench/workbench.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPixmap>
#include <QPushButton>
#include <QShortcut>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kNameWidth = 220;  // logical pixels

QIcon swatchIcon(const QColor& color) {
    QPixmap patch(kSwatch, kSwatch);
    patch.fill(color);
    return {patch};
}

}  // namespace

RunsPage::RunsPage(ViewContext context, QWidget* parent)
    : QWidget(parent),
      m_context(context),
      m_model(new RunsModel(context.theme, this)),
      m_table(new QTableView(this)) {
    setObjectName(QStringLiteral("runsPage"));
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    buildButtons();
    column->addWidget(m_table, 1);
    setTabOrder(m_remove, m_table);
    setFirstFocus(*this, m_table);
    connect(m_model, &RunsModel::renamed, this, [this](std::size_t index, const QString& name) {
        const auto& runs = m_context.workbench.runs().all();
        const bool isTitle = index < runs.size() && runs[index]->title == name;
        changeOf(index, [&](RunLook& look) { look.name = isTitle ? std::string() : name.toStdString(); });
    });
    connect(m_model, &RunsModel::shown, this, [this](std::size_t index, bool on) {
        changeOf(index, [on](RunLook& look) { look.isShown = on; });
    });
    enableButtons();
}

void RunsPage::buildTable() {
    m_table->setObjectName(QStringLiteral("runsTable"));
    m_table->setAccessibleName(tr("Runs of this session"));
    m_table->setModel(m_model);
    setUpDataTable(*m_table);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    QHeaderView* header = m_table->horizontalHeader();
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    header->setSectionResizeMode(RunsModel::Run, QHeaderView::Stretch);
    header->setMinimumSectionSize(fontMetrics().horizontalAdvance(u'0') * 6);
    m_table->setColumnWidth(RunsModel::Run, kNameWidth);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RunsPage::enableButtons);
    auto* remove = new QShortcut(QKeySequence(Qt::Key_Delete), m_table);
    remove->setContext(Qt::WidgetShortcut);
    connect(remove, &QShortcut::activated, this, &RunsPage::removeChosen);
}

void RunsPage::buildButtons() {
    auto* row = new QHBoxLayout;
    const auto add = [&](const QString& text, const char* name, const QString& toolTip) {
        auto* button = new QPushButton(text, this);
        button->setObjectName(QLatin1String(name));
        button->setProperty(kQuietButton, true);
        button->setToolTip(toolTip);
        row->addWidget(button);
        return button;
    };
    m_rename = add(tr("Rename"), "runsRename", tr("Gives the chosen run a name of its own (F2)"));
    m_color = add(tr("Colour"), "runsColor", tr("Colour of the chosen run's curves"));
    m_baseline = add(tr("Baseline"), "runsBaseline",
                     tr("Compares the other runs with the chosen one, or with none again"));
    m_baseline->setCheckable(true);
    m_remove = add(tr("Remove"), "runsRemove", tr("Forgets the chosen run (Delete)"));
    auto* hint =
        new QLabel(tr("A mark draws the curve. Names, colours, marks and the baseline are kept in the "
                      "saved file."),
                   this);
    hint->setWordWrap(true);
    followColor(hint, m_context.theme, ColorRole::TextMuted);
    row->addWidget(hint, 1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_rename, &QPushButton::clicked, this, [this] {
        m_table->setFocus();
        m_table->edit(m_table->currentIndex().siblingAtColumn(RunsModel::Run));
    });
    connect(m_baseline, &QPushButton::clicked, this,
            [this](bool on) { change([on](RunLook& look) { look.isBaseline = on; }); });
    connect(m_remove, &QPushButton::clicked, this, &RunsPage::removeChosen);
    auto* colors = new QMenu(m_color);
    colors->setObjectName(QStringLiteral("runsColors"));
    m_color->setMenu(colors);
    connect(colors, &QMenu::aboutToShow, this, [this, colors] {
        colors->clear();
        colors->addAction(tr("By its place"), this,
                          [this] { change([](RunLook& look) { look.color = 0; }); });
        for (std::int64_t color = 1; color <= RunLook::kColors; ++color)
            colors->addAction(swatchIcon(resolve(m_context.theme, runColor(color))),
                              tr("Colour %1").arg(color), this,
                              [this, color] { change([color](RunLook& look) { look.color = color; }); });
    });
}

const RunRow* RunsPage::chosen() const {
    const QModelIndex current = m_table->currentIndex();
    return current.isValid() ? &m_model->row(current.row()) : nullptr;
}

void RunsPage::changeOf(std::size_t index, const std::function<void(RunLook&)>& act) {
    TrainingRuns& runs = m_context.workbench.runs();
    if (index >= runs.all().size()) return;
    RunLook look = runs.all()[index]->look;
    act(look);
    runs.setLook(index, look);
    showRuns();
}

void RunsPage::change(const std::function<void(RunLook&)>& act) {
    if (const RunRow* row = chosen()) changeOf(row->index, act);
}

void RunsPage::removeChosen() {
    const RunRow* row = chosen();
    if (row == nullptr || row->goesOn) return;
    const std::weak_ptr<TrainingRun> run = m_context.workbench.runs().all().at(row->index);
    const auto remove = [this, run] {
        // The runs may have changed meanwhile.
        TrainingRuns& runs = m_context.workbench.runs();
        const auto found = std::ranges::find(runs.all(), run.lock());
        if (found == runs.all().end() || *found == nullptr || (*found)->outcome.isEmpty()) return;
        runs.remove(static_cast<std::size_t>(found - runs.all().begin()));
        showRuns();
    };
    askBefore(*this,
              {.name = "runsQuestion",
               .title = tr("Remove a run"),
               .text = tr("Forget “%1”, its curves and its figures?").arg(row->name),
               .act = tr("Remove")},
              remove);
}

void RunsPage::enableButtons() {
    const RunRow* row = chosen();
    for (QPushButton* button : {m_rename, m_color, m_baseline}) button->setEnabled(row != nullptr);
    m_baseline->setChecked(row != nullptr && row->isBaseline);
    m_remove->setEnabled(row != nullptr && !row->goesOn);
}

void RunsPage::setStretch(const MarkedStretch& stretch) {
    m_stretch = stretch;
    m_table->setAccessibleName(stretch.window ? tr("Runs of this session in the marked steps")
                                              : tr("Runs of this session"));
}

void RunsPage::showRuns() {
    const bool isRecorded = m_context.workbench.recording() != nullptr;
    // A name that is being typed is not taken away.
    if (m_table->isPersistentEditorOpen(m_table->currentIndex())) return;
    m_model->setRows(isRecorded ? std::vector<RunRow>()
                                : runRows(shownTrainings(m_context.workbench), m_stretch));
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->setCurrentIndex(m_model->index(0, RunsModel::Run));
    enableButtons();
}

}  // namespace plumb::ui
