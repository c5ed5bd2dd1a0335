// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class Settings;
class ViewStack;

/// Remembers how large the user made the parts that a splitter holds, in each view and each direction, and
/// gives them these sizes when the view is made.
class PartSizes final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    PartSizes(ViewStack& views, Settings& settings, QObject* parent);

private:
    void follow(QWidget& view);

    Settings& m_settings;
};

}  // namespace plumb::ui
