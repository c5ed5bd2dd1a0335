// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QString>

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
    void fit();

    QLabel& m_label;
    // What it is high enough for.
    QString m_text;
    QFont m_font;
    int m_width = -1;
};

}  // namespace plumb::ui
