// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QLabel;

namespace plumb::ui {

/// Keeps a label that wraps as high as its text at the width that it has, in places that ask for no height by
/// width: the parts of a splitter. It belongs to the label.
class WholeLabel final : public QObject {
    Q_OBJECT
public:
    explicit WholeLabel(QLabel& label);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QLabel& m_label;
};

}  // namespace plumb::ui
