// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/dtype_state.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QLineEdit;

namespace plumb::ui {

class BitStrip;
class ToneLabel;

/// One row for each number format: its bits, which can be turned over, its code, which can be typed, what is
/// stored, the error, the neighbours and what happened. Children of the row of fp16: "fp16Bits", "fp16Code",
/// "fp16Stored", "fp16Error", "fp16Above", "fp16Below", "fp16Verdict".
class DtypeTable final : public QWidget {
    Q_OBJECT
public:
    explicit DtypeTable(Theme& theme, QWidget* parent = nullptr);
    ~DtypeTable() override;

    void showState(const DtypeState& state);
    /// Hides the neighbours, which the tool tips still name, and cuts off long numbers.
    void setCompact(bool compact);

signals:
    void bitFlipped(int row, int bit);
    void codeEntered(int row, quint64 code);
    void
    refused(const QString& sentence);  ///< why a code is refused; empty: what stands there is in force again

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        NumberFormat format;
        ToneLabel* name = nullptr;
        QLineEdit* code = nullptr;
        BitStrip* bits = nullptr;
        ToneLabel *stored = nullptr, *error = nullptr, *above = nullptr, *below = nullptr, *verdict = nullptr;
    };
    void addHeader();
    void addRow(const NumberFormat& format);
    void enterCode(std::size_t index);
    void moveTo(int row, const BitStrip& from);

    Theme& m_theme;
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
    QWidget* m_neighboursTitle = nullptr;
    DtypeState m_state;
    bool m_compact = false;
};

}  // namespace plumb::ui
