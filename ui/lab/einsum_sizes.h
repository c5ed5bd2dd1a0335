// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/lab/einsum_state.h"

#include <QGridLayout>
#include <QObject>
#include <QStringList>

#include <map>

namespace plumb::ui {

class SizeField;
class Theme;
class ToneLabel;

/// The fields for the sizes of an expression's dimensions, in the order in which it names them.
class EinsumSizes final : public QObject {
    Q_OBJECT
public:
    /// The fields are children of `parent` and stand in layout(), which the caller places; the tab key
    /// reaches them after `before`. All outlive it.
    EinsumSizes(Theme& theme, QWidget* parent, QWidget* before);

    [[nodiscard]] QGridLayout* layout() const { return m_grid; }
    void show(const EinsumState& state);

signals:
    void entered(const QString& name, qint64 size);
    void rejected(const QString& sentence);
    void accepted();

private:
    struct Entry {
        ToneLabel* label = nullptr;
        SizeField* field = nullptr;
    };
    void layOut(const QStringList& names);
    Entry& entryOf(const QString& name);

    Theme& m_theme;
    QWidget* m_parent;
    QWidget* m_before;
    QGridLayout* m_grid;
    std::map<QString, Entry> m_entries;  ///< entries of every dimension that there ever was
    QStringList m_shown;
};

}  // namespace plumb::ui
