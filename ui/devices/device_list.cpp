// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/devices/device_list.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/workbench/device_library.h"

#include <QLineEdit>
#include <QListWidget>
#include <QShortcut>
#include <QVBoxLayout>

#include <optional>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kIdRole = Qt::UserRole;
constexpr int kListWidth = 340;

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

DeviceList::DeviceList(Theme& theme, const DeviceLibrary& library,
                       std::function<bool(const std::string& id)> isDraft, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_library(library),
      m_isDraft(std::move(isDraft)),
      m_current(library.known().local.id) {
    m_filter = new QLineEdit(this);
    m_filter->setObjectName(QStringLiteral("devicesFilter"));
    m_filter->setAccessibleName(tr("Filter devices"));
    m_filter->setPlaceholderText(tr("Filter by name"));
    m_filter->setClearButtonEnabled(true);
    m_filter->setFixedWidth(kListWidth);
    connect(m_filter, &QLineEdit::textChanged, this, &DeviceList::refresh);
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
        emit currentChanged();
    });
    connect(m_list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const std::string id = item->data(kIdRole).toString().toStdString();
        if (!id.empty()) emit chosen(id);
    });
    auto* erase = new QShortcut(QKeySequence::Delete, m_list);
    erase->setContext(Qt::WidgetShortcut);
    connect(erase, &QShortcut::activated, this, &DeviceList::deleteRequested);
    connect(&theme, &Theme::changed, this, &DeviceList::refresh);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(m_list, 1);
}

void DeviceList::clearFilter() { m_filter->clear(); }

void DeviceList::addHeading(const QString& text) {
    auto* item = new QListWidgetItem(text.toUpper(), m_list);
    item->setFlags(Qt::NoItemFlags);
    QFont font = item->font();
    font.setPointSizeF(font.pointSizeF() - 1);
    font.setWeight(QFont::DemiBold);
    item->setFont(font);
    item->setData(Qt::ForegroundRole, m_theme.color(ColorRole::TextMuted));
}

void DeviceList::addEntry(const std::string& id, const QString& name, const QString& toolTip) {
    const QString mark = m_isDraft(id) ? QStringLiteral(" •") : QString();
    auto* item = new QListWidgetItem(QStringLiteral("   ") + name + mark, m_list);
    item->setData(kIdRole, toText(id));
    item->setToolTip(toolTip);
    if (id == m_current) m_currentItem = item;
}

void DeviceList::addGroup(const QString& title, const std::vector<Machine>& machines, bool own) {
    bool any = false;
    for (const Machine& machine : machines) {
        const QString name = deviceText(machine);
        if (!name.contains(m_filter->text().trimmed(), Qt::CaseInsensitive) ||
            m_library.isOwn(machine.id) != own)
            continue;
        if (!any) addHeading(title);
        any = true;
        addEntry(machine.id, name, name + QLatin1Char('\n') + shortFigures(machine));
    }
}

void DeviceList::refresh() {
    m_filling = true;
    m_list->clear();
    m_currentItem = nullptr;
    const QString wanted = m_filter->text().trimmed();
    std::vector<Machine> here{m_library.known().local};
    here.insert(here.end(), m_library.gpus().begin(), m_library.gpus().end());
    addGroup(tr("This machine"), here, false);
    if (m_isDraft({}) && wanted.isEmpty()) {
        addHeading(tr("New"));
        addEntry({}, tr("New device"), tr("Not saved yet"));
    }
    addGroup(tr("Your own"), m_library.known().own, true);
    addGroup(tr("Built in"), m_library.known().database.machines, false);
    if (m_list->count() == 0) {
        auto* item = new QListWidgetItem(tr("No device is called “%1”").arg(wanted), m_list);
        item->setFlags(Qt::NoItemFlags);
    } else if (m_currentItem) {
        m_list->setCurrentItem(m_currentItem);
    } else if (wanted.isEmpty()) {
        m_current = m_library.known().local.id;
        m_list->setCurrentRow(1);
    }
    m_filling = false;  // the callers show the sheet: one that is typed in must not be written over
}

}  // namespace plumb::ui
