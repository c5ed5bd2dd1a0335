// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/block_state.h"

#include <QWidget>

class QLineEdit;
class QTableView;

namespace plumb::ui {

class BlockModel;
class ToneLabel;

/// The typed value among neighbours that share a scale with it, in the MX formats and NVFP4.
class BlockPanel final : public QWidget {
    Q_OBJECT
public:
    explicit BlockPanel(Theme& theme, QWidget* parent = nullptr);

    void showValue(double value);
    [[nodiscard]] QString neighbours() const;
    void setNeighbours(const QString& text);                      ///< emits nothing
    void take(const QString& neighbours) { commit(neighbours); }  ///< as if they were typed
    [[nodiscard]] const BlockState& state() const { return m_state; }

signals:
    /// Says that the user edited them; `before` is what stood there.
    void neighboursEdited(const QString& text, const QString& before);

private:
    void refresh();
    void commit(const QString& text);

    Theme& m_theme;
    QLineEdit* m_field;
    ToneLabel* m_note;
    QTableView* m_table;
    BlockModel* m_model;
    BlockState m_state;
    QString m_committed;
    double m_value = 0.1;
};

}  // namespace plumb::ui
