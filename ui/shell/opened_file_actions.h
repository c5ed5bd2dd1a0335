// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace plumb::ui {

class ActionRegistry;
class Banner;
class OpenedFile;
class ViewStack;
struct Session;

/// Goes to the tab of a file that was opened, closes it again, and says above the views how far reading is.
class OpenedFileActions final : public QObject {
    Q_OBJECT
public:
    OpenedFileActions(ActionRegistry& actions, Session& session, ViewStack& views, Banner& banner,
                      QWidget& window);

private:
    void showProgress(OpenedFile& file);

    Banner& m_banner;
    const OpenedFile* m_shown = nullptr;  ///< the one whose progress the banner shows
};

}  // namespace plumb::ui
