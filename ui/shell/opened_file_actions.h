// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>

namespace plumb::ui {

class ActionRegistry;
class Banner;
class Document;
class OpenedFile;
class DocumentTab;
class ViewStack;
struct Session;

/// Goes to the tab of a file that was opened, closes it again (or else the tab of the document), and says
/// above the views how far reading is.
class OpenedFileActions final : public QObject {
    Q_OBJECT
public:
    OpenedFileActions(ActionRegistry& actions, Session& session, ViewStack& views, Banner& banner,
                      DocumentTab& tabs, QWidget& window);

private:
    void showProgress(OpenedFile& file);
    void showProgress(Document& document);
    /// Of what `reader` reads; an empty path: nothing any more.
    void showProgress(const QObject& reader, const QString& path, double share, std::function<void()> cancel);

    Banner& m_banner;
    const QObject* m_shown = nullptr;  ///< the one whose progress the banner shows
};

}  // namespace plumb::ui
