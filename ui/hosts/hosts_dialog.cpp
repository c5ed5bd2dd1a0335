// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hosts/hosts_dialog.h"

#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/text.h"
#include "ui/widgets/fix_button.h"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {

HostsDialog::HostsDialog(QList<RemoteHost> hosts, QString used, QWidget* parent)
    : QDialog(parent),
      m_hosts(std::move(hosts)),
      m_used(std::move(used)),
      m_list(new QListWidget(this)),
      m_says(new QLabel(this)) {
    setObjectName(QStringLiteral("hostsDialog"));
    setWindowTitle(tr("Hosts"));
    m_list->setObjectName(QStringLiteral("hostsList"));
    m_list->setAccessibleName(tr("Computers on which engines run"));
    m_says->setObjectName(QStringLiteral("hostsSays"));
    m_says->setWordWrap(true);
    m_says->setTextFormat(Qt::PlainText);
    m_says->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* left = new QVBoxLayout;
    left->addWidget(m_list, 1);
    auto* listButtons = new QHBoxLayout;
    m_add = addButton(*listButtons, tr("&New"), "hostsNew", tr("Enter a host"), &HostsDialog::add);
    m_remove = addButton(*listButtons, tr("&Remove"), "hostsRemove",
                         tr("Forget this host; nothing changes there"), &HostsDialog::remove);
    left->addLayout(listButtons);
    auto* form = new QFormLayout;
    m_name = addField(*form, tr("Name"), "hostsName", tr("As the window calls it, such as gpu-box"));
    m_host = addField(*form, tr("Address"), "hostsHost",
                      tr("As ssh calls it: a name, a number, or an entry of ~/.ssh/config"));
    m_user = addField(*form, tr("User"), "hostsUser", tr("Empty: what ssh takes"));
    m_port = addField(*form, tr("Port"), "hostsPort", tr("Empty: what ssh takes"));
    m_path = addField(*form, tr("Program"), "hostsPath",
                      tr("Path of plumbline-cli there; empty: it is looked for"));
    auto* right = new QVBoxLayout;
    right->addLayout(form);
    auto* buttons = new QHBoxLayout;
    m_test = addButton(*buttons, tr("&Test"), "hostsTest", tr("Connect, and look for an engine there"),
                       &HostsDialog::test);
    m_copy = addButton(*buttons, tr("Copy this &version there"), "hostsCopy",
                       tr("Copy the engine of this window to the host"), &HostsDialog::copyThere);
    m_cancel =
        addButton(*buttons, tr("C&ancel"), "hostsCancel", tr("End what goes on"), &HostsDialog::cancel);
    m_use = addButton(*buttons, tr("&Use"), "hostsUse", tr("Run on this computer from now on"),
                      &HostsDialog::use);
    right->addLayout(buttons);
    right->addWidget(m_says, 1);
    right->addWidget(new FixButton(*m_says), 0, Qt::AlignLeft);
    auto* close = new QPushButton(tr("&Close"), this);
    close->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    right->addWidget(close, 0, Qt::AlignRight);
    auto* columns = new QHBoxLayout(this);
    columns->addLayout(left);
    columns->addLayout(right, 1);
    connect(m_list, &QListWidget::currentRowChanged, this, &HostsDialog::showCurrent);
    connect(&m_check, &HostCheck::progressed, this, &HostsDialog::say);
    connect(&m_check, &HostCheck::finished, this, &HostsDialog::showReport);
    fillList(0);
}

QLineEdit* HostsDialog::addField(QFormLayout& form, const QString& label, const char* name,
                                 const QString& tip) {
    auto* field = new QLineEdit(this);
    field->setObjectName(QString::fromLatin1(name));
    field->setAccessibleName(label);
    field->setPlaceholderText(tip);
    field->setToolTip(tip);
    form.addRow(label, field);
    connect(field, &QLineEdit::textEdited, this, &HostsDialog::keepTyped);
    return field;
}

QPushButton* HostsDialog::addButton(QLayout& layout, const QString& text, const char* name,
                                    const QString& tip, void (HostsDialog::*action)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, action);
    layout.addWidget(button);
    return button;
}

int HostsDialog::current() const { return m_list->currentRow() - 1; }

RemoteHost HostsDialog::typed() const {
    const QString port = m_port->text().trimmed();
    bool isNumber = true;
    const int number = port.isEmpty() ? 0 : port.toInt(&isNumber);
    return {m_name->text().trimmed(), m_host->text().trimmed(), m_user->text().trimmed(),
            isNumber ? number : -1, m_path->text().trimmed()};
}

void HostsDialog::fillList(int row) {
    {
        const QSignalBlocker quiet(m_list);
        m_list->clear();
        m_list->addItem(m_used.isEmpty() ? tr("This computer (used)") : tr("This computer"));
        for (const RemoteHost& host : m_hosts)
            m_list->addItem(host.name == m_used && !m_used.isEmpty() ? tr("%1 (used)").arg(host.name)
                                                                     : host.name);
        m_list->setCurrentRow(row);
    }
    showCurrent();
}

void HostsDialog::add() {
    QStringList names;
    for (const RemoteHost& host : std::as_const(m_hosts)) names << host.name;
    int number = 1;
    while (names.contains(tr("host %1").arg(number))) ++number;
    m_hosts << RemoteHost{tr("host %1").arg(number), {}, {}, 0, {}};
    fillList(static_cast<int>(m_hosts.size()));
    m_name->setFocus();
    m_name->selectAll();
}

void HostsDialog::remove() {
    if (current() < 0) return;
    cancel();
    m_hosts.removeAt(current());
    fillList(0);
    emit changed();
}

void HostsDialog::showCurrent() {
    cancel();
    const RemoteHost host = current() < 0 ? RemoteHost{} : m_hosts.at(current());
    m_name->setText(host.name);
    m_host->setText(host.host);
    m_user->setText(host.user);
    m_port->setText(host.port == 0 ? QString() : QString::number(host.port));
    m_path->setText(host.path);
    for (QLineEdit* field : {m_name, m_host, m_user, m_port, m_path}) field->setEnabled(current() >= 0);
    m_canCopy = false;
    say(current() < 0 ? tr("The engine of this computer needs no connection.") : QString());
    updateButtons();
}

void HostsDialog::keepTyped() {
    if (current() < 0) return;
    m_check.cancel();
    const RemoteHost host = typed();
    QStringList others;
    for (qsizetype i = 0; i < m_hosts.size(); ++i)
        if (i != current()) others << m_hosts.at(i).name;
    const QString problem = problemOf(host, others);
    m_hosts[current()] = host;
    m_list->currentItem()->setText(host.name);
    say(sentenceText(problem));
    if (const auto better = repaired(host, others)) {
        const auto take = [this, better = *better] {
            m_hosts[current()] = better;
            fillList(m_list->currentRow());
            emit changed();
        };
        if (better->name != host.name)
            FixButton::of(*m_says)->offerUse(better->name, take);
        else
            FixButton::of(*m_says)->offer(tr("Leave the port out"), tr("ssh takes its own then"), take);
    }
    updateButtons();
    if (problem.isEmpty()) emit changed();
}

void HostsDialog::test() {
    m_canCopy = false;
    m_check.test(typed());
    updateButtons();
}

void HostsDialog::copyThere() {
    m_check.copyThere(typed());
    updateButtons();
}

void HostsDialog::cancel() {
    if (!m_check.running()) return;
    m_check.cancel();
    say(tr("Cancelled."));
    updateButtons();
}

void HostsDialog::use() {
    const RemoteHost host = current() < 0 ? RemoteHost{} : m_hosts.at(current());
    m_used = host.name;
    fillList(m_list->currentRow());
    emit useWanted(host);
}

void HostsDialog::showReport(const HostReport& report) {
    m_canCopy = report.canCopy;
    if (report.works()) {
        m_hosts[current()].path = report.program;
        m_path->setText(report.program);
        QStringList names;
        for (const protocol::DeviceEntry& device : report.devices)
            if (device.available)
                names << tr("%1 on %2").arg(deviceText(device.target.machine), m_hosts.at(current()).name);
        say(tr("%1 answers. It can run on: %2.").arg(report.version, listText(names)));
        emit changed();
    } else {
        say(tr("%1. %2.").arg(report.problem, report.remedy));
    }
    updateButtons();
}

// What is said of a host needs room of its own, and not that of the fields.
void HostsDialog::say(const QString& text) {
    m_says->setText(text);
    FixButton::of(*m_says)->withdraw();  // of what was said before
    layout()->activate();
    if (const int least = layout()->totalHeightForWidth(width()); height() < least) resize(width(), least);
}

void HostsDialog::updateButtons() {
    const bool isHost = current() >= 0;
    const bool isUsable = isHost && problemOf(typed()).isEmpty();
    m_remove->setEnabled(isHost);
    m_test->setEnabled(isUsable && !m_check.running());
    m_copy->setEnabled(isUsable && m_canCopy && !m_check.running());
    m_cancel->setEnabled(m_check.running());
    m_use->setEnabled(!isHost || isUsable);
}

}  // namespace plumb::ui
