// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QPair>
#include <QString>
#include <QVector>

class QButtonGroup;
class QComboBox;
class QVBoxLayout;

namespace plumb::ui {

class Theme;

/// Something that can be exported: what it is, what it holds, and the forms in which it is written.
struct ExportChoice {
    QString what;    ///< "Operations"
    QString holds;   ///< a phrase
    QString absent;  ///< why there is none and what would give it, a sentence; empty: it can be written
    QVector<QPair<QString, QString>> forms;  ///< "CSV" and the id of the format; never empty
};

/// Asks what is to be exported and in which form. What cannot be is there too, with the reason.
class ExportDialog final : public QDialog {
    Q_OBJECT
public:
    ExportDialog(const QVector<ExportChoice>& choices, Theme& theme, QWidget* parent);

signals:
    void chosen(const QString& id);  ///< of the format

private:
    void addRow(QVBoxLayout& rows, int index);
    void accept() override;

    QVector<ExportChoice> m_choices;
    Theme& m_theme;
    QButtonGroup* m_group;
    QVector<QComboBox*> m_forms;  ///< null where there is one form
};

}  // namespace plumb::ui
