// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/part_sizes.h"

#include "ui/settings/settings.h"
#include "ui/shell/view_stack.h"

#include <QEvent>
#include <QSplitter>
#include <QTimer>

namespace plumb::ui {
namespace {

/// The parts of one splitter.
class KeptParts final : public QObject {
public:
    KeptParts(QSplitter& splitter, Settings& settings)
        : QObject(&splitter), m_splitter(splitter), m_settings(settings) {
        splitter.installEventFilter(this);
        connect(&splitter, &QSplitter::splitterMoved, this, [this] {
            LayoutSettings now = m_settings.layout();
            now.shares.insert(key(), m_splitter.sizes());
            m_settings.setLayout(now);
        });
    }

protected:
    // Queued: a view that turns its parts, or is laid out first, gives them sizes of its own in the same
    // event.
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Resize && m_given != key()) {
            m_given = key();
            QTimer::singleShot(0, this, [this] { give(); });
        }
        return QObject::eventFilter(watched, event);
    }

private:
    // A view that puts its parts below each other in a narrow window has sizes for both directions.
    [[nodiscard]] QString key() const {
        return m_splitter.objectName() + (m_splitter.orientation() == Qt::Horizontal
                                              ? QStringLiteral("-beside")
                                              : QStringLiteral("-below"));
    }
    void give() {
        const QList<int> sizes = m_settings.layout().shares.value(key());
        if (sizes.size() == m_splitter.count()) m_splitter.setSizes(sizes);
    }

    QSplitter& m_splitter;
    Settings& m_settings;
    QString m_given;  ///< key of the sizes that it has
};

}  // namespace

PartSizes::PartSizes(ViewStack& views, Settings& settings, QObject* parent)
    : QObject(parent), m_settings(settings) {
    connect(&views, &ViewStack::viewMade, this, [this, &views](int tab) { follow(*views.viewAt(tab)); });
}

void PartSizes::follow(QWidget& view) {
    for (QSplitter* const splitter : view.findChildren<QSplitter*>()) {
        Q_ASSERT(!splitter->objectName().isEmpty());
        new KeptParts(*splitter, m_settings);
    }
}

}  // namespace plumb::ui
