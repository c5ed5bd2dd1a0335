// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/devices_dialog.h"

#include "core/base/quantity.h"
#include "ui/theme/house_style.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/banner.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/slider_row.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr int kListWidth = 340;
constexpr int kNumberWidth = 150;
constexpr int kTextWidth = 330;

/// "80 GB · 3.35 TB/s · bf16 989 TFLOP/s"
QString shortFigures(const Machine& machine) {
    QStringList parts;
    const auto add = [&](std::optional<double> value, const char* unit, const QString& name) {
        if (value) parts << name + quantityText(*value, unit);
    };
    add(machine.memoryBytes ? std::optional(static_cast<double>(*machine.memoryBytes)) : std::nullopt, "B",
        {});
    add(machine.bandwidthBytesPerSecond, "B/s", {});
    if (const auto bf16 = machine.peak(Dtype::Bf16))
        add(bf16, "FLOP/s", QStringLiteral("bf16 "));
    else
        add(machine.peak(Dtype::Fp32), "FLOP/s", QStringLiteral("fp32 "));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

DevicesDialog::DevicesDialog(Theme& theme, DeviceLibrary& library, QWidget* parent)
    : QDialog(parent), m_theme(theme), m_library(library), m_current(library.known().local.id) {
    setObjectName(QStringLiteral("devicesDialog"));
    setWindowTitle(tr("Devices"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(16, 14, 16, 14);
    outer->setSpacing(10);
    m_banner = new Banner(theme, this);
    outer->addWidget(m_banner);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(18);
    auto* left = new QVBoxLayout;
    left->setSpacing(8);
    buildList();
    left->addWidget(m_filter);
    left->addWidget(m_list, 1);
    buildButtons(*left);
    columns->addLayout(left);
    buildForm();
    columns->addWidget(m_form, 1);
    outer->addLayout(columns, 1);
    connect(&library, &DeviceLibrary::changed, this, [this] {
        fillList();
        showSheet();
    });
    connect(&theme, &Theme::changed, this, &DevicesDialog::fillList);
    connect(&library, &DeviceLibrary::failed, this, [this](const Error& error) {
        m_banner->showMessage(Banner::Kind::Error, QString::fromStdString(error.text()) + QLatin1Char('.'));
    });
    if (const auto& problem = library.known().problem)
        m_banner->showMessage(Banner::Kind::Error,
                              QString::fromStdString(problem->text()) + QLatin1Char('.'));
    resize(960, 680);
    fillList();
    showSheet();
}

DevicesDialog::~DevicesDialog() = default;

void DevicesDialog::buildList() {
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("devicesFilter"));
    m_filter->setAccessibleName(tr("Filter devices"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(kListWidth);
    connect(m_filter, &QLineEdit::textChanged, this, &DevicesDialog::fillList);
    m_list = new QListWidget(this);
    m_list->setObjectName(QStringLiteral("devicesList"));
    m_list->setAccessibleName(tr("Devices"));
    m_list->setFixedWidth(kListWidth);
    m_list->setUniformItemSizes(false);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    connect(m_list, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (m_filling || !item) return;
        m_current = item->data(kIdRole).toString().toStdString();
        showSheet();
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const std::string id = item->data(kIdRole).toString().toStdString();
        if (!id.empty()) emit chosen(id);
    });
}

QPushButton* DevicesDialog::addButton(const QString& text, const char* name, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

void DevicesDialog::buildButtons(QVBoxLayout& layout) {
    m_new = addButton(tr("&New"), "devicesNew", tr("Enter a device by hand"));
    m_duplicate =
        addButton(tr("D&uplicate"), "devicesDuplicate", tr("Begin a record of your own from this one"));
    m_delete = addButton(tr("&Delete"), "devicesDelete", tr("Delete this record; Undo brings it back"));
    m_import = addButton(tr("&Import…"), "devicesImport", tr("Add the records of a file"));
    m_export = addButton(tr("&Export…"), "devicesExport", tr("Write your own records to a file"));
    m_undo = addButton(tr("Undo"), "devicesUndo", tr("Take back the last change of the records"));
    m_redo = addButton(tr("Redo"), "devicesRedo", tr("Make the change again that was taken back"));
    auto* grid = new QGridLayout;
    grid->setSpacing(6);
    int place = 0;
    for (QPushButton* button : {m_new, m_duplicate, m_delete, m_import, m_export, m_undo, m_redo}) {
        grid->addWidget(button, place / 4, place % 4);
        place += place == 2 ? 2 : 1;  // files and history in a line of their own
    }
    for (int column = 0; column < 4; ++column) grid->setColumnStretch(column, 1);
    layout.addLayout(grid);
    connect(m_new, &QPushButton::clicked, this, [this] {
        Machine machine;
        machine.source = tr("entered by hand").toStdString();
        beginDraft(std::move(machine));
    });
    connect(m_duplicate, &QPushButton::clicked, this, [this] {
        if (const Machine* machine = shown()) {
            Machine copy = *machine;
            copy.costs.reset();
            copy.checked.reset();
            copy.perOpOverhead.reset();
            copy.measuredMatmulFlopPerSecond.clear();
            copy.source =
                tr("copied from %1 (%2)")
                    .arg(QString::fromStdString(machine->name), QString::fromStdString(machine->source))
                    .toStdString()
                    .substr(0, kMostSourceBytes);
            copy.id.clear();
            copy = renamedApart(std::move(copy), m_library.known().all());
            copy.id.clear();
            beginDraft(std::move(copy));
        }
    });
    connect(m_delete, &QPushButton::clicked, this, &DevicesDialog::removeCurrent);
    connect(m_import, &QPushButton::clicked, this, &DevicesDialog::askImport);
    connect(m_export, &QPushButton::clicked, this, &DevicesDialog::askExport);
    QUndoStack& stack = m_library.stack();
    connect(m_undo, &QPushButton::clicked, &stack, &QUndoStack::undo);
    connect(m_redo, &QPushButton::clicked, &stack, &QUndoStack::redo);
    connect(&stack, &QUndoStack::indexChanged, this, &DevicesDialog::updateButtons);
    connect(new QShortcut(QKeySequence::Undo, this), &QShortcut::activated, &stack, &QUndoStack::undo);
    connect(new QShortcut(QKeySequence::Redo, this), &QShortcut::activated, &stack, &QUndoStack::redo);
    auto* erase = new QShortcut(QKeySequence::Delete, m_list);
    erase->setContext(Qt::WidgetShortcut);
    connect(erase, &QShortcut::activated, this, &DevicesDialog::removeCurrent);
}

void DevicesDialog::buildForm() {
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->viewport()->setAutoFillBackground(false);
    auto* content = new QWidget(scroll);
    content->setAutoFillBackground(false);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 12, 0);
    layout->setSpacing(7);
    m_kind = new QLabel(content);
    m_kind->setObjectName(QStringLiteral("devicesKind"));
    m_kind->setTextFormat(Qt::PlainText);
    m_kind->setWordWrap(true);
    followColor(m_kind, m_theme, ColorRole::TextMuted);
    layout->addWidget(m_kind);
    const auto addRow = [&](const std::string& key, const DeviceFigure* figure, const QString& label) {
        QString name = QStringLiteral("device-") + QString::fromStdString(key);
        name.replace(QLatin1Char('.'), QLatin1Char('-'));
        auto* row = new FieldRow(m_theme, label, name, content);
        row->setFieldWidth(figure ? kNumberWidth : kTextWidth);
        if (!figure) row->alignText(Qt::AlignLeft);
        const auto at = m_rows.size();
        m_rows.push_back({key, figure, row});
        connect(row, &FieldRow::edited, this, &DevicesDialog::keepDraft);
        connect(row, &FieldRow::entered, this, [this, at] { checkRow(m_rows[at]); });
        layout->addWidget(row);
    };
    addRow("name", nullptr, tr("Name"));
    for (const DeviceFigure& figure : deviceFigures()) {
        addRow(std::string(figure.key), &figure, toText(figure.label));
        m_rows.back().field->setHelp(toText(figure.help));
        m_rows.back().field->setPlaceholder(tr("not known"));
    }
    addRow("source", nullptr, tr("Source"));
    m_rows.back().field->setHelp(tr("Where the figures are from: a data sheet, a measurement"));
    m_hint = new QLabel(content);
    m_hint->setTextFormat(Qt::PlainText);
    m_hint->setWordWrap(true);
    followColor(m_hint, m_theme, ColorRole::TextMuted);
    layout->addSpacing(4);
    m_hint->setMinimumHeight(3 * m_hint->fontMetrics().lineSpacing());  // it wraps, and is not to be cut
    m_hint->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_hint);
    layout->addStretch(1);
    scroll->setWidget(content);

    m_form = new QWidget(this);
    auto* column = new QVBoxLayout(m_form);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    column->addWidget(scroll, 1);
    m_save = addButton(tr("&Save"), "devicesSave", tr("Keep this record; it can be chosen everywhere then"));
    m_save->setProperty(kPrimaryButton, true);
    m_save->setDefault(false);
    m_revert = addButton(tr("&Revert"), "devicesRevert", tr("Forget what was typed"));
    auto* close = addButton(tr("&Close"), "devicesClose", tr("Close this window; what was typed stays"));
    connect(m_save, &QPushButton::clicked, this, &DevicesDialog::save);
    connect(m_revert, &QPushButton::clicked, this, &DevicesDialog::revert);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_save);
    buttons->addWidget(m_revert);
    buttons->addStretch(1);
    buttons->addWidget(close);
    column->addLayout(buttons);
}

const Machine* DevicesDialog::shown() const {
    if (const auto draft = m_drafts.find(m_current); draft != m_drafts.end()) return &draft->second.base;
    return m_library.find(m_current);
}

bool DevicesDialog::editable() const { return m_current.empty() || m_library.isOwn(m_current); }

std::vector<Machine> DevicesDialog::others() const {
    std::vector<Machine> machines = m_library.known().all();
    std::erase_if(machines, [this](const Machine& machine) { return machine.id == m_current; });
    return machines;
}

void DevicesDialog::fillList() {
    m_filling = true;
    m_list->clear();
    const QString wanted = m_filter->text().trimmed();
    const auto heading = [this](const QString& text) {
        auto* item = new QListWidgetItem(text.toUpper(), m_list);
        item->setFlags(Qt::NoItemFlags);
        QFont font = item->font();
        font.setPointSizeF(font.pointSizeF() - 1);
        font.setWeight(QFont::DemiBold);
        item->setFont(font);
        item->setData(Qt::ForegroundRole, m_theme.color(ColorRole::TextMuted));
    };
    QListWidgetItem* current = nullptr;
    const auto entry = [&](const std::string& id, QString name, const QString& tip) {
        if (m_drafts.contains(id)) name += QStringLiteral(" •");
        auto* item = new QListWidgetItem(QStringLiteral("   ") + name, m_list);
        item->setData(kIdRole, QString::fromStdString(id));
        item->setToolTip(tip);
        if (id == m_current) current = item;
    };
    const auto group = [&](const QString& title, const std::vector<Machine>& machines, bool own) {
        bool any = false;
        for (const Machine& machine : machines) {
            const QString name = QString::fromStdString(machine.name);
            if (!name.contains(wanted, Qt::CaseInsensitive) || m_library.isOwn(machine.id) != own) continue;
            if (!any) heading(title);
            any = true;
            entry(machine.id, name, name + QLatin1Char('\n') + shortFigures(machine));
        }
    };
    group(tr("This machine"), {m_library.known().local}, false);
    if (m_drafts.contains({}) && wanted.isEmpty()) {
        heading(tr("New"));
        entry({}, tr("New device"), tr("Not saved yet"));
    }
    group(tr("Your own"), m_library.known().own, true);
    group(tr("Built in"), m_library.known().database.machines, false);
    if (m_list->count() == 0) {
        auto* item = new QListWidgetItem(tr("No device is called “%1”").arg(wanted), m_list);
        item->setFlags(Qt::NoItemFlags);
    } else if (current) {
        m_list->setCurrentItem(current);
    } else if (wanted.isEmpty()) {
        m_current = m_library.known().local.id;
        m_list->setCurrentRow(1);
    }
    m_filling = false;  // the callers show the sheet: one that is typed in must not be written over
}

QString DevicesDialog::textOf(const Machine& machine, const Row& row) const {
    if (const auto draft = m_drafts.find(m_current); draft != m_drafts.end())
        if (const auto typed = draft->second.texts.find(row.key); typed != draft->second.texts.end())
            return typed->second;
    if (row.key == "name") return QString::fromStdString(machine.name);
    if (row.key == "source") return QString::fromStdString(machine.source);
    const auto value = figureOf(machine, *row.figure);
    return value ? QString::fromStdString(formatEditable(*value, row.figure->unit)) : QString();
}

void DevicesDialog::showSheet() {
    const Machine* machine = shown();
    if (!machine) return;
    m_filling = true;
    const bool canEdit = editable();
    for (const Row& row : m_rows) {
        const QString text = textOf(*machine, row);
        row.field->showText(text);
        row.field->setReadOnly(!canEdit);
        const bool hasLink = row.key == "link_bytes_per_s" && !machine->linkName.empty();
        row.field->showNote(hasLink ? QString::fromStdString(machine->linkName) : QString());
        if (!row.figure) row.field->setHelp(text);
    }
    const bool local = m_current == m_library.known().local.id;
    m_kind->setText(m_current.empty() ? tr("New record. Give a name and at least one figure.")
                    : local
                        ? tr("This machine. Its peaks and its bandwidth come from Calibrate in the menu Run.")
                    : canEdit ? tr("A record of your own.")
                              : tr("Built in, to read. Duplicate it to change a figure."));
    m_hint->setText(
        canEdit ? tr("Write numbers with their unit: 989.5 TFLOP/s, 3.35 TB/s, 80 GB. Peaks are dense. "
                     "What is not known is left out; nothing is ever guessed from another figure.")
                : QString());
    m_filling = false;
    if (m_drafts.contains(m_current))
        for (const Row& row : m_rows) checkRow(row);
    updateButtons();
}

void DevicesDialog::updateButtons() {
    const bool draft = m_drafts.contains(m_current);
    m_save->setVisible(editable());
    m_revert->setVisible(editable());
    m_save->setEnabled(draft);
    m_revert->setEnabled(draft);
    m_delete->setEnabled(m_current.empty() || m_library.isOwn(m_current));
    m_duplicate->setEnabled(!m_current.empty());
    m_export->setEnabled(!m_library.known().own.empty());
    m_undo->setEnabled(m_library.stack().canUndo());
    m_redo->setEnabled(m_library.stack().canRedo());
}

}  // namespace plumb::ui
