// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/run_config.h"

#include <QObject>

#include <string>

namespace plumb::ui {

class Banner;
struct Session;

/// Takes the message of the banner back when what it tells of is over, for all who write there:
/// - of the step: when other settings, another device or another document are shown, when the engine begins
///   something else, and when another engine is started;
/// - of the engine: when it answers, and when another one is started or ready;
/// - of a document, and all others: when another document is shown. What is told while that is read stays.
class MessageEnds final : public QObject {
    Q_OBJECT
public:
    /// Both outlive it.
    MessageEnds(Session& session, Banner& banner, QObject* parent);

private:
    void followReading();
    void followOpened();
    void endOfDocument();
    void followScene();
    void followWork();

    Session& m_session;
    Banner& m_banner;
    RunConfig m_config;
    std::string m_device;   ///< id of the device that the step is planned for
    bool m_isRecording;     ///< a recorded step is shown
    bool m_isBusy = false;  ///< the engine is
    bool m_isReading = false;
    int m_saidBefore = 0;  ///< messages before the newest reading began
};

}  // namespace plumb::ui
