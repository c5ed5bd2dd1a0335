// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/lab/einsum_state.h"
#include "ui/lab/lab_page.h"

#include <QWidget>

#include <map>

class QComboBox;
class QGridLayout;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QStandardItemModel;
class QTableView;

namespace plumb::ui {

class ChartPanel;
class SegmentedControl;
class SizeField;
class ToneLabel;

/// What an expression over named dimensions costs, what bounds it on a device, and its gradients.
class EinsumPage final : public QWidget {
    Q_OBJECT
public:
    explicit EinsumPage(LabContext context, QWidget* parent = nullptr);
    ~EinsumPage() override;

    [[nodiscard]] const EinsumInput& input() const { return m_input; }
    [[nodiscard]] const EinsumState& state() const { return m_state; }
    /// Brings the details into sight that hold this control.
    void showControl(QWidget* control);
    void copy();

signals:
    /// Something of this page was taken back or made again: it wants to be seen.
    void revealed();

private:
    struct SizeEntry {
        ToneLabel* label = nullptr;
        SizeField* field = nullptr;
    };
    [[nodiscard]] QWidget* makeExpressionCard();
    [[nodiscard]] QWidget* makeCostCard();
    [[nodiscard]] QWidget* makeRooflineCard();
    [[nodiscard]] QTableView* makeTable(const char* name, const QString& title, QStandardItemModel* model);
    void refreshDevices();
    [[nodiscard]] const Machine* machine() const;
    void typing();
    void commit();
    void change(const EinsumInput& input, const QString& what);
    void apply(const EinsumInput& input);
    void showState(EinsumState state);
    void showSizes();
    void showFigures();
    void showTables();
    void showRoofline();
    void takePoint(int tag);
    void timeOrCancel();
    void takeTime(const protocol::EinsumTimed& result);
    void showTiming();
    /// What is asked of the engine for the expression in force.
    [[nodiscard]] DimensionSizes sizesInForce() const;

    LabContext m_context;
    std::vector<Machine> m_machines;
    EinsumInput m_input;  ///< in force
    EinsumState m_state;
    QLineEdit* m_text = nullptr;
    QComboBox *m_dtype = nullptr, *m_device = nullptr;
    ToneLabel* m_error = nullptr;
    QGridLayout* m_sizes = nullptr;
    std::map<QString, SizeEntry> m_sizeEntries;
    QStringList m_sizeOrder;  ///< dimensions as they are laid out
    QWidget* m_results = nullptr;
    struct FigureLabels {
        ToneLabel *name = nullptr, *value = nullptr, *formula = nullptr;
    };
    std::vector<FigureLabels> m_figures;
    QGridLayout* m_figureGrid = nullptr;
    SegmentedControl* m_detailChoice = nullptr;
    QStackedWidget* m_details = nullptr;
    QStandardItemModel *m_gradients = nullptr, *m_order = nullptr;
    ToneLabel* m_orderNote = nullptr;
    QPlainTextEdit* m_loops = nullptr;
    ChartPanel* m_roofline = nullptr;
    QPushButton* m_time = nullptr;
    ToneLabel* m_timed = nullptr;
    struct Measurement {
        EinsumInput of;
        protocol::EinsumTimed result;
        Machine machine;  ///< where
    };
    std::optional<Measurement> m_measured;
    EinsumInput m_asked;  ///< what is being timed
    QString m_refusal;    ///< why the expression in force could not be timed
};

}  // namespace plumb::ui
