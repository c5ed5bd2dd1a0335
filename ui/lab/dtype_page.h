// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/dtype_state.h"
#include "ui/lab/lab_page.h"

#include <QWidget>

class QLineEdit;
class QStackedWidget;

namespace plumb::ui {

class BlockPanel;
class DtypeTable;
class LivePanel;
class RangeChart;
class SegmentedControl;
class ToneLabel;

/// What every number format makes of one value: type it, or turn over a bit of any format, and all follow.
class DtypePage final : public QWidget {
    Q_OBJECT
public:
    explicit DtypePage(LabContext context, QWidget* parent = nullptr);
    ~DtypePage() override;

    [[nodiscard]] const DtypeInput& input() const { return m_input; }
    [[nodiscard]] const DtypeState& state() const { return m_state; }
    /// Brings the part below the table into sight that holds this control.
    void showControl(QWidget* control);
    void take(const DtypePreset& preset);  ///< these as edits that can be undone
    void takeNeighbours(const QString& text);
    void copy();  ///< the table to the clipboard
    /// Brings the live tensors into sight and exports from there: see LivePanel::exportOrSayWhyNot().
    void exportLive(bool allWeights);

signals:
    /// Something of this page was taken back or made again: it wants to be seen.
    void revealed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeValueCard();
    [[nodiscard]] QWidget* makeLowerCard();
    void typing();
    void commitTyped();
    /// As an edit that can be undone.
    void change(const DtypeInput& input, const QString& what);
    void apply(const DtypeInput& input);
    void showState();
    void showNote(const QString& error);
    void chooseLower(int index);

    LabContext m_context;
    DtypeInput m_input;  ///< in force
    DtypeState m_state;
    QLineEdit* m_value = nullptr;
    QVector<QWidget*> m_presets;
    ToneLabel* m_note = nullptr;
    DtypeTable* m_table = nullptr;
    SegmentedControl* m_lowerChoice = nullptr;
    QStackedWidget* m_lower = nullptr;
    RangeChart* m_range = nullptr;
    BlockPanel* m_blocks = nullptr;
    LivePanel* m_live = nullptr;
};

}  // namespace plumb::ui
