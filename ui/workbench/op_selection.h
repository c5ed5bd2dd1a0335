// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workbench/op_range.h"

#include <QObject>
#include <QString>

namespace plumb::ui {

/// The one op that is chosen, in all views, and the stretch of ops that they are narrowed to.
class OpSelection final : public QObject {
    Q_OBJECT
public:
    [[nodiscard]] QString op() const { return m_op; }  ///< opId(), or empty
    [[nodiscard]] OpRange& range() { return m_range; }
    void select(const QString& id) {
        if (m_op == id) return;
        m_op = id;
        emit changed(id);
    }

signals:
    void changed(const QString& id);

private:
    QString m_op;
    OpRange m_range;
};

}  // namespace plumb::ui
