// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/machine.h"

#include <QWidget>

#include <functional>
#include <string>
#include <vector>

class QLineEdit;
class QListWidget;
class QListWidgetItem;

namespace plumb::ui {

class DeviceLibrary;
class Theme;

/// All devices by where they are from, of which one is current, below a filter by name.
class DeviceList final : public QWidget {
    Q_OBJECT
public:
    /// `isDraft` says of an id whether something is typed for it that is not saved; the empty id is that of a
    /// new device.
    DeviceList(Theme& theme, const DeviceLibrary& library, std::function<bool(const std::string& id)> isDraft,
               QWidget* parent = nullptr);

    /// Shows the devices as they are now. A filter that hides the current one is kept; without one, this
    /// machine takes the place of a device that is gone.
    void refresh();
    /// To be followed by refresh(), when the library has it.
    void setCurrent(const std::string& id) { m_current = id; }
    [[nodiscard]] const std::string& current() const { return m_current; }
    void clearFilter();

signals:
    void currentChanged();  ///< by the user
    void chosen(const std::string& id);
    void deleteRequested();

private:
    void addHeading(const QString& text);
    void addEntry(const std::string& id, const QString& name, const QString& toolTip);
    void addGroup(const QString& title, const std::vector<Machine>& machines, bool own);

    Theme& m_theme;
    const DeviceLibrary& m_library;
    std::function<bool(const std::string& id)> m_isDraft;
    QLineEdit* m_filter = nullptr;
    QListWidget* m_list = nullptr;
    QListWidgetItem* m_currentItem = nullptr;
    std::string m_current;
    bool m_filling = false;
};

}  // namespace plumb::ui
