// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace plumb::ui {

/// A button that shows the name of the chosen file and opens the chooser, and one that clears it.
class FilePicker final : public QWidget {
    Q_OBJECT
public:
    /// Children: "NAMEButton", "NAMEClear".
    FilePicker(const QString& placeholder, const QString& name, QWidget* parent = nullptr);
    void showPath(const QString& path);

signals:
    void pickRequested();
    void cleared();

private:
    void elide();
    void resizeEvent(QResizeEvent* event) override;

    QString m_placeholder;
    QString m_path;
    QPushButton* m_button;
    QPushButton* m_clear;
};

}  // namespace plumb::ui
