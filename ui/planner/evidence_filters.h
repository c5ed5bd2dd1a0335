// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/planner/evidence_model.h"
#include "ui/theme/theme.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPushButton;

namespace plumb::ui {

class SegmentedControl;

/// One line: which figure, which use, source, device, and words to search for.
class EvidenceFilters final : public QWidget {
    Q_OBJECT
public:
    /// Both outlive it.
    EvidenceFilters(Theme& theme, EvidenceModel& model, QWidget* parent);
    /// Shows the filter as it is; the choices are those of all rows.
    void refresh();

private:
    QComboBox* addParts(const char* name, const QString& label, std::size_t division);
    void fill(QComboBox& box, const QString& everything, std::size_t division);

    EvidenceModel& m_model;
    SegmentedControl *m_figure, *m_use;
    QComboBox *m_sources, *m_devices;
    QLineEdit* m_words;
    QPushButton* m_clear;
};

}  // namespace plumb::ui
