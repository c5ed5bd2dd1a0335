// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/picture_exporter.h"

#include "core/base/entry_at.h"
#include "ui/lab/lab_view.h"
#include "ui/planner/planner_inputs.h"
#include "ui/planner/planner_view.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/error_text.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/training/training_view.h"
#include "ui/workbench/empty_view.h"
#include "ui/workbench/view.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QSaveFile>
#include <QTimer>
#include <QWidget>

#include <array>
#include <utility>

namespace plumb::ui {
namespace {
constexpr int kLayoutRounds = 3;
/// Views gather changes for a frame before they draw; two frames later they have.
constexpr int kSettleMs = 60;
constexpr int kMostWaits = 500;  // for a view that is still working something out

QLatin1String endingOf(PictureForm form) {
    static constexpr std::array kEndings{".png", ".svg", ".pdf"};
    return QLatin1String(entryAt(kEndings, static_cast<std::size_t>(form)));
}

/// Without their endings, of all views and pages that there may be.
QStringList pictureNames() {
    QStringList names{QStringLiteral("window"), QStringLiteral("training-layers"),
                      QStringLiteral("planner-evidence")};
    for (const ViewSpec& view : ViewStack::views())
        if (view.isPictured) names << QString::fromLatin1(view.id);
    for (const QString& page : LabView::pageIds()) names << QStringLiteral("lab-") + page;
    for (const PlannerQuestion& question : plannerQuestions())
        names << QStringLiteral("planner-") + question.key;
    return names;
}

}  // namespace

PictureExporter::PictureExporter(ViewStack& views, QWidget& area, QObject* parent)
    : QObject(parent), m_views(views), m_area(area) {}

// Pages of a view that are pictures of their own. The evidence is about the program, not about the step of
// a report.
int PictureExporter::pagesOf(const QWidget* view) const {
    if (const auto* training = qobject_cast<const TrainingView*>(view)) return training->hasLayers() ? 2 : 1;
    if (qobject_cast<const LabView*>(view)) return static_cast<int>(LabView::pageIds().size());
    if (qobject_cast<const PlannerView*>(view))
        return m_report ? 1 : m_withQuestions ? PlannerView::pageCount() : 2;
    return 1;
}

int PictureExporter::pageOf(const QWidget* view) const {
    if (const auto* training = qobject_cast<const TrainingView*>(view))
        return static_cast<int>(training->page());
    if (const auto* lab = qobject_cast<const LabView*>(view)) return lab->page();
    if (const auto* planner = qobject_cast<const PlannerView*>(view))
        return m_withQuestions ? planner->page() : planner->isEvidenceShown() ? 1 : 0;
    return 0;
}

void PictureExporter::showPage(QWidget* view, int page) const {
    if (auto* training = qobject_cast<TrainingView*>(view))
        training->showPage(static_cast<TrainingView::Page>(page));
    if (auto* lab = qobject_cast<LabView*>(view)) lab->setPage(page);
    auto* planner = qobject_cast<PlannerView*>(view);
    if (planner && m_withQuestions) planner->showPage(page);
    if (planner && !m_withQuestions) planner->showEvidence(page == 1);
}

void PictureExporter::exportTo(const QString& folder, PictureForm form) {
    if (m_index >= 0) return;
    m_error.clear();
    m_folder = folder;
    m_form = form;
    if (!QDir().mkpath(folder)) m_error = tr("The folder %1 cannot be made: choose another").arg(folder);
    begin();
}

QStringList PictureExporter::picturesIn(const QString& folder, PictureForm form) {
    QStringList there;
    for (const QString& name : pictureNames())
        if (const QString file = name + endingOf(form); QDir(folder).exists(file)) there << file;
    return there;
}

void PictureExporter::printTo(const QString& path, const QString& heading, Theme& theme) {
    if (m_index >= 0) return;
    m_error.clear();
    m_report.emplace(heading);
    m_reportPath = path;
    m_restore = [&theme, mode = theme.mode()] { theme.setMode(mode); };
    theme.setMode(Theme::Mode::Light);
    begin();
}

void PictureExporter::begin() {
    emit m_views.gatherWanted(true);
    m_written = 0;
    m_firstTab = m_views.currentTab();
    m_index = 0;
    m_page = 0;
    m_views.setCurrentTab(0);
    QTimer::singleShot(kSettleMs, this, &PictureExporter::next);
}

void PictureExporter::end() {
    if (m_report && m_error.isEmpty())
        if (const Result<void> written = m_report->write(m_reportPath); !written.has_value())
            m_error = errorSentence(written.error());
    m_report.reset();
    if (m_restore) std::exchange(m_restore, {})();
    m_index = -1;
    m_views.setCurrentTab(m_firstTab);
    emit m_views.gatherWanted(false);
    emit finished(m_error, m_written);
}

void PictureExporter::next() {
    if (m_error.isEmpty() && m_views.currentView()->property(kBusyView).toBool() && m_waits++ < kMostWaits)
        return goOn();
    m_waits = 0;
    // On a busy machine parts of the page still wait for their size, and then for the height that their texts
    // ask for in it. A grab of one pixel gives them what they wait for.
    for (int round = 0; round < kLayoutRounds; ++round) {
        (void)m_area.grab(QRect(0, 0, 1, 1));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    }
    if (m_error.isEmpty() && !writeCurrent())
        m_error = tr("A picture could not be written to %1: check permission and space").arg(m_folder);
    if (m_error.isEmpty() && turnPage()) return goOn();
    do ++m_index;
    while (m_index < ViewStack::tabCount() &&
           !(m_views.isThere(m_index) && isAskedFor(entryAt(ViewStack::views(), m_index))));
    if (m_error.isEmpty() && m_index < ViewStack::tabCount()) {
        m_views.setCurrentTab(m_index);
        return goOn();
    }
    end();
}

bool PictureExporter::isAskedFor(const ViewSpec& view) const {
    return m_wholeSuffix.has_value() || (view.isPictured && (view.isInReport || !m_report));
}

void PictureExporter::goOn() { QTimer::singleShot(kSettleMs, this, &PictureExporter::next); }

bool PictureExporter::turnPage() {
    QWidget* view = m_views.currentView();
    const int count = pagesOf(view);
    if (m_page == 0) m_firstPage = pageOf(view);
    // All pages in turn from the one that the user was on, which is shown again once they are written.
    ++m_page;
    if (count > 1) showPage(view, (m_firstPage + m_page) % count);
    if (m_page < count) return true;
    m_page = 0;
    return false;
}

bool PictureExporter::write(QWidget& widget, const QString& name) {
    const QString path = QDir(m_folder).filePath(name + endingOf(m_form));
    bool ok = false;
    if (m_form == PictureForm::Png) {
        // Pixels are those of the screen. Encoded first and written in one go, so that a full disk leaves no
        // half picture.
        QByteArray png;
        QBuffer buffer(&png);
        QSaveFile file(path);
        ok = buffer.open(QIODevice::WriteOnly) && widget.grab().save(&buffer, "PNG") &&
             file.open(QIODevice::WriteOnly) && file.write(png) == png.size() && file.commit();
    } else {
        ok = savePicture(widget, widget.palette().color(QPalette::Window), path).has_value();
    }
    m_written += ok ? 1 : 0;
    return ok;
}

bool PictureExporter::writeCurrent() {
    if (m_report && m_views.currentView()->property(kEmptyView).toBool()) return true;
    if (m_report) {
        const QString title = withoutMnemonic(ViewStack::tr(entryAt(ViewStack::views(), m_index).title));
        m_report->addPage(m_area, title);
        // What cards of the Overview cut stands whole in views of their own.
        const bool isOverview = m_index == 0;
        m_written += 1 + (isOverview ? 0 : m_report->addTables(*m_views.currentView(), title));
        return true;
    }
    QString id = QString::fromLatin1(entryAt(ViewStack::views(), m_index).id);
    const auto* training = qobject_cast<TrainingView*>(m_views.currentView());
    if (training && training->page() == TrainingView::Page::Layers) id += QStringLiteral("-layers");
    if (m_index == 0 && !m_wholeSuffix && !write(*m_area.window(), QStringLiteral("window"))) return false;
    // The first page of the Lab has the name of the view.
    const auto* lab = qobject_cast<LabView*>(m_views.currentView());
    if (lab && lab->page() > 0) id += QLatin1Char('-') + LabView::pageIds().at(lab->page());
    auto* planner = qobject_cast<PlannerView*>(m_views.currentView());
    if (planner && planner->isEvidenceShown())
        id += QStringLiteral("-evidence");
    else if (planner && m_page > 0)
        id += QLatin1Char('-') + planner->model().question().key;
    return m_wholeSuffix ? write(*m_area.window(), id + *m_wholeSuffix) : write(m_area, id);
}

}  // namespace plumb::ui
