// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/workbench/view.h"

#include <QWidget>

class QLabel;

namespace plumb::ui {

/// The trace that is open.
class TraceView final : public QWidget {
    Q_OBJECT
public:
    TraceView(const ViewContext& context, OpenedAs<OpenedTrace>& file, QWidget* parent = nullptr);

private:
    void refresh();

    OpenedAs<OpenedTrace>& m_file;
    QLabel* m_name;
    QLabel* m_report;
};

}  // namespace plumb::ui
