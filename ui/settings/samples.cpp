// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/samples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>

namespace plumb::ui {
namespace {

/// Samples of ours, by the names of their files.
struct Title {
    const char* file;
    const char* title;
};
constexpr std::array kTitles{
    Title{"digits-cpu", QT_TRANSLATE_NOOP("plumb::ui", "Digits, trained on a CPU")},
    Title{"pytorch-decoder-cpu", QT_TRANSLATE_NOOP("plumb::ui", "PyTorch decoder on a CPU")},
    Title{"pytorch-perceptron-cpu", QT_TRANSLATE_NOOP("plumb::ui", "PyTorch perceptron on a CPU")}};

constexpr int kFoldersUp = 5;  // from the program to the root of a source tree, at most

QString sampleFolder() {
    if (QString named = qEnvironmentVariable("PLUMBLINE_SAMPLES"); !named.isEmpty()) return named;
    QDir folder(QCoreApplication::applicationDirPath());
    for (int up = 0; up <= kFoldersUp; ++up) {
        for (const char* place : {"share/plumbline/samples", "resources/samples"}) {
            QString path = folder.filePath(QLatin1String(place));
            if (QFileInfo(path).isDir()) return path;
        }
        if (!folder.cdUp()) break;
    }
    return {};
}

}  // namespace

QStringList sampleFiles() {
    const QString folder = sampleFolder();
    QStringList files;
    if (folder.isEmpty()) return files;
    const auto entries = QDir(folder).entryInfoList({QStringLiteral("*.plumb")}, QDir::Files, QDir::Name);
    for (const QFileInfo& entry : entries) files << entry.absoluteFilePath();
    return files;
}

QString sampleTitle(const QString& path) {
    QString name = QFileInfo(path).completeBaseName();
    for (const auto& [file, title] : kTitles)
        if (name == QLatin1String(file)) return QCoreApplication::translate("plumb::ui", title);
    return name.replace(u'-', u' ').replace(u'_', u' ');
}

bool isSampleFile(const QString& path) {
    const QString canonical = QFileInfo(path).canonicalFilePath();
    const QStringList files = sampleFiles();
    return !canonical.isEmpty() && std::any_of(files.begin(), files.end(), [&](const QString& file) {
        return QFileInfo(file).canonicalFilePath() == canonical;
    });
}

}  // namespace plumb::ui
