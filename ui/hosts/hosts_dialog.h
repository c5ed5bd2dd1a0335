// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/engine/host_check.h"
#include "ui/engine/remote_host.h"

#include <QDialog>
#include <QList>

class QFormLayout;
class QLabel;
class QLayout;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace plumb::ui {

/// The computers on which engines run: add, test, remove, and which one is used.
class HostsDialog final : public QDialog {
    Q_OBJECT
public:
    /// `used`: name of the host whose engine is used; empty: this computer's.
    HostsDialog(QList<RemoteHost> hosts, QString used, QWidget* parent = nullptr);

    [[nodiscard]] const QList<RemoteHost>& hosts() const { return m_hosts; }
    [[nodiscard]] HostCheck& check() { return m_check; }

signals:
    void changed();  ///< the hosts
    /// The engine of that host is to be used; an empty name: that of this computer.
    void useWanted(const plumb::ui::RemoteHost& host);

private:
    [[nodiscard]] QLineEdit* addField(QFormLayout& form, const QString& label, const char* name,
                                      const QString& tip);
    [[nodiscard]] QPushButton* addButton(QLayout& layout, const QString& text, const char* name,
                                         const QString& tip, void (HostsDialog::*action)());
    [[nodiscard]] int current() const;  ///< index of the host; -1: this computer
    [[nodiscard]] RemoteHost typed() const;
    void add();
    void remove();
    void test();
    void copyThere();
    void cancel();
    void use();
    void keepTyped();
    void showCurrent();
    void showReport(const HostReport& report);
    void say(const QString& text);
    void fillList(int row);
    void updateButtons();

    QList<RemoteHost> m_hosts;
    QString m_used;
    HostCheck m_check;
    QListWidget* m_list;
    QLineEdit *m_name = nullptr, *m_host = nullptr, *m_user = nullptr, *m_port = nullptr, *m_path = nullptr;
    QPushButton *m_add = nullptr, *m_remove = nullptr, *m_test = nullptr, *m_copy = nullptr,
                *m_cancel = nullptr, *m_use = nullptr;
    QLabel* m_says;
    bool m_canCopy = false;
};

}  // namespace plumb::ui
