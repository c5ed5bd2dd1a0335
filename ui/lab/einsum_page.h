// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/protocol.h"
#include "ui/lab/einsum_state.h"
#include "ui/lab/lab_page.h"

#include <QWidget>

#include <memory>
#include <optional>

class QComboBox;
class QLineEdit;
class QPushButton;
class QSplitter;

namespace plumb::ui {

class ActionLink;
class EinsumCosts;
class EinsumRoofline;
class EinsumSizes;
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
    void take(const EinsumPreset& preset) { takeText(preset.text, preset.sizes); }
    void copy();

signals:
    /// Something of this page was taken back or made again: it wants to be seen.
    void revealed();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] QWidget* makeExpressionCard();
    [[nodiscard]] QWidget* makeCostCard();
    [[nodiscard]] QWidget* makeRooflineCard();
    void refreshDevices();
    [[nodiscard]] const Machine* machine() const;
    void typing();
    void commit();
    void change(const EinsumInput& input, const QString& what);
    void apply(const EinsumInput& input);
    void showState(EinsumState state);
    void showError(const QString& sentence);
    void showRoofline();
    void takeText(const QString& text, const DimensionSizes& sizes);
    void takeSize(const QString& name, qint64 size);
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
    EinsumSizes* m_sizes = nullptr;
    QSplitter* m_split = nullptr;  ///< what the expression costs
    EinsumCosts* m_costs = nullptr;
    std::unique_ptr<EinsumRoofline> m_roofline;
    QPushButton* m_time = nullptr;
    ToneLabel* m_timed = nullptr;
    ActionLink* m_calibrate = nullptr;  ///< where the device's ceilings are missing that it can have
    std::optional<EinsumMeasurement> m_measured;
    EinsumInput m_asked;  ///< what is being timed
    QString m_refusal;    ///< why the expression in force could not be timed
};

}  // namespace plumb::ui
