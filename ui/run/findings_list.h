// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/finding.h"

#include <QWidget>

#include <vector>

class QVBoxLayout;

namespace plumb::ui {

class Theme;

/// What the numbers of a step say, each with what to try and a button that leads there.
class FindingsList final : public QWidget {
    Q_OBJECT
public:
    explicit FindingsList(Theme& theme, QWidget* parent = nullptr);

    void setFindings(const std::vector<Finding>& findings);

signals:
    /// The view with this id is to show this operation.
    void wanted(const QString& view, const QString& opId);

private:
    Theme& m_theme;
    QVBoxLayout* m_layout = nullptr;
    QWidget* m_rows = nullptr;
};

}  // namespace plumb::ui
