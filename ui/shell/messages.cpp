// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/messages.h"

#include "core/engine/lost_device.h"
#include "ui/charts/chart_picture.h"
#include "ui/run/offered_fix.h"
#include "ui/shell/engine_banner.h"
#include "ui/shell/message_ends.h"
#include "ui/shell/session.h"
#include "ui/theme/error_text.h"
#include "ui/widgets/banner.h"
#include "ui/workbench/option_titles.h"

#include <utility>

namespace plumb::ui {

Messages::Messages(Session& session, Banner& banner, QWidget& window)
    : QObject(&window),
      m_session(session),
      m_banner(banner),
      m_engine(new EngineBanner(session, banner, this)) {
    new MessageEnds(session, banner, this);
    connect(&session.controller, &RunController::failed, this, &Messages::showStepError);
    connect(&session.controller, &RunController::noticed, this, &Messages::showNotice);
    connect(&session.document, &Document::failed, this, &Messages::showError);
    connect(&session.document, &Document::noticed, this, &Messages::showNotice);
    connect(&session.openedFiles, &OpenedFiles::failed, this, &Messages::showError);
    window.installEventFilter(this);
}

bool Messages::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != PictureSaved::kType) return QObject::eventFilter(watched, event);
    showNotice(tr("The picture is in %1").arg(static_cast<PictureSaved*>(event)->path()));
    event->accept();
    return true;
}

void Messages::offerSaveAs() {
    m_banner.offer(tr("Save as…"), [this] { emit saveAsWanted(); });
}

void Messages::offerToForget(std::function<void()> forget) {
    m_banner.offer(tr("Take it off the list"), std::move(forget));
}

void Messages::showNotice(const QString& text) { m_banner.showMessage(Banner::Kind::Notice, text); }

void Messages::showError(const Error& error) { show(error, MessageSubject::Document); }

// A file that cannot be written stays so whatever the settings are.
void Messages::showStepError(const Error& error) {
    show(error, error.code == ErrorCode::Io ? MessageSubject::Document : MessageSubject::Step);
}

void Messages::show(const Error& error, MessageSubject about) {
    // Another process can use the device again.
    if (isLost(error)) return m_engine->offerRestart(errorSentence(error));
    const Scene& scene = *m_session.workbench.session();
    const auto fix =
        offeredFix(error, scene.config(), m_session.workbench.traits(), scene.whatIf.machine().memoryBytes);
    m_banner.showMessage(
        Banner::Kind::Error, about == MessageSubject::Step ? settingSentence(error) : errorSentence(error),
        fix ? fix->text : QString(),
        [this, fix] {
            if (const auto changed = m_session.history.change(fix->config, fix->setting);
                !changed.has_value())
                showStepError(changed.error());
        },
        // What would help does so to the settings that are shown.
        fix ? MessageSubject::Step : about);
}

}  // namespace plumb::ui
