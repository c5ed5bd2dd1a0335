// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/help_anchor.h"

#include "ui/theme/text.h"

#include <QAbstractItemModel>
#include <QHeaderView>
#include <QHelpEvent>
#include <QToolTip>

namespace plumb::ui {
namespace {

constexpr const char* kHelpAnchor = "helpAnchor";

/// Shows the tool tips of columns with the hint; what they say comes from the model.
class HeaderHint final : public QObject {
public:
    explicit HeaderHint(QHeaderView& header) : QObject(&header), m_header(header) {
        header.viewport()->installEventFilter(this);
    }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::ToolTip || m_header.model() == nullptr)
            return QObject::eventFilter(watched, event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const int section = m_header.logicalIndexAt(help->pos());
        const QString text =
            section < 0 ? QString()
                        : m_header.model()->headerData(section, Qt::Horizontal, Qt::ToolTipRole).toString();
        if (text.isEmpty()) return QObject::eventFilter(watched, event);
        QToolTip::showText(help->globalPos(), withHelpHint(text), m_header.viewport());
        return true;
    }

private:
    QHeaderView& m_header;
};

}  // namespace

void setHelpAnchor(QWidget& widget, const QString& anchor) { widget.setProperty(kHelpAnchor, anchor); }

QString ownHelpAnchor(const QWidget& widget) { return widget.property(kHelpAnchor).toString(); }

QString withHelpHint(const QString& toolTip) {
    return toolTip.isEmpty() ? toolTip : tr("%1\nF1: more in the manual").arg(toolTip);
}

void hintAtHelp(QHeaderView& header) { new HeaderHint(header); }

}  // namespace plumb::ui
