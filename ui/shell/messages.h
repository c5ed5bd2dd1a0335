// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QObject>
#include <QString>
#include <QWidget>

#include <functional>

namespace plumb::ui {

class Banner;
class EngineBanner;
enum class MessageSubject;
struct Session;

/// Tells in the banner what failed, with what would help where that is known, and what was done.
class Messages final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it. Hears of pictures of charts that were saved in `window`.
    Messages(Session& session, Banner& banner, QWidget& window);

    void showError(const Error& error);      ///< of a file, or of anything but the step
    void showStepError(const Error& error);  ///< which ends with other settings
    void showNotice(const QString& text);
    void offerSaveAs();                                ///< beside the error that is shown
    void offerToForget(std::function<void()> forget);  ///< what is in a list and not there any more

signals:
    void saveAsWanted();  ///< of a document that its file does not take

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void show(const Error& error, MessageSubject about);

    Session& m_session;
    Banner& m_banner;
    EngineBanner* m_engine;
};

}  // namespace plumb::ui
