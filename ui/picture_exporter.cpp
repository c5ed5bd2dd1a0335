// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/picture_exporter.h"

#include "ui/lab/lab_view.h"
#include "ui/main_window.h"
#include "ui/views/training_view.h"
#include "ui/views/view.h"

#include <QBuffer>
#include <QDir>
#include <QSaveFile>
#include <QTimer>
#include <QWidget>

namespace plumb::ui {
namespace {
/// Views gather changes for a frame before they draw; two frames later they have.
constexpr int kSettleMs = 60;
constexpr int kMostWaits = 100;  // for a view that is still working something out
}  // namespace

PictureExporter::PictureExporter(MainWindow& window, QObject* parent) : QObject(parent), m_window(window) {}

void PictureExporter::exportTo(const QString& folder) {
    if (m_index >= 0) return;
    m_folder = folder;
    m_error.clear();
    m_written = 0;
    m_firstTab = m_window.currentTab();
    m_index = 0;
    if (!QDir().mkpath(folder)) m_error = tr("The folder %1 cannot be made: choose another").arg(folder);
    m_window.setCurrentTab(0);
    QTimer::singleShot(kSettleMs, this, &PictureExporter::next);
}

void PictureExporter::next() {
    if (m_error.isEmpty() && m_window.currentView()->property(kBusyView).toBool() && m_waits++ < kMostWaits)
        return goOn();
    m_waits = 0;
    if (m_error.isEmpty() && !writeCurrent())
        m_error = tr("A picture could not be written to %1: check permission and space").arg(m_folder);
    if (m_error.isEmpty() && turnPage()) return goOn();
    if (m_error.isEmpty() && ++m_index < MainWindow::tabCount()) {
        m_window.setCurrentTab(m_index);
        return goOn();
    }
    m_index = -1;
    m_window.setCurrentTab(m_firstTab);
    emit finished(m_error, m_written);
}

void PictureExporter::goOn() { QTimer::singleShot(kSettleMs, this, &PictureExporter::next); }

bool PictureExporter::turnPage() {
    auto* training = qobject_cast<TrainingView*>(m_window.currentView());
    if (!training) return false;
    // Back to the page that the user was on, once both are written.
    const bool layers = training->page() == TrainingView::Page::Layers;
    training->showPage(layers ? TrainingView::Page::Curves : TrainingView::Page::Layers);
    m_onSecondPage = !m_onSecondPage;
    return m_onSecondPage;
}

bool PictureExporter::writeCurrent() {
    const auto write = [this](QWidget* widget, const QString& name) {
        // Encoded first and written in one go, so that a full disk leaves no half picture.
        QByteArray png;
        QBuffer buffer(&png);
        QSaveFile file(QDir(m_folder).filePath(name + QStringLiteral(".png")));
        const bool ok = buffer.open(QIODevice::WriteOnly) && widget->grab().save(&buffer, "PNG") &&
                        file.open(QIODevice::WriteOnly) && file.write(png) == png.size() && file.commit();
        m_written += ok ? 1 : 0;
        return ok;
    };
    QString id = QString::fromLatin1(MainWindow::views()[static_cast<std::size_t>(m_index)].id);
    const auto* training = qobject_cast<TrainingView*>(m_window.currentView());
    if (training && training->page() == TrainingView::Page::Layers) id += QStringLiteral("-layers");
    if (m_index == 0 && !write(&m_window, QStringLiteral("window"))) return false;
    if (auto* lab = m_window.findChild<LabView*>(); lab && id == QLatin1String("lab")) {
        // Every page of the Lab; the first one under the name of the view.
        const int before = lab->page();
        bool written = true;
        for (int page = 1; page < LabView::pageIds().size(); ++page) {
            lab->setPage(page);
            written =
                written && write(m_window.viewArea(), QStringLiteral("lab-") + LabView::pageIds().at(page));
        }
        lab->setPage(0);
        written = written && write(m_window.viewArea(), id);
        lab->setPage(before);
        return written;
    }
    return write(m_window.viewArea(), id);
}

}  // namespace plumb::ui
