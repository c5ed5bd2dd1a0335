// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QCommandLineParser>
#include <QSize>
#include <QString>
#include <QStringList>

#include <string>

namespace plumb::gui {

/// What the window's program is started with. Its --help and its errors are in the language of --language,
/// else of the environment, as those of plumbline-cli are. Needs no application: it is read before there is
/// one.
class ProgramOptions final {
public:
    /// Chooses the language that texts of core have from here on (core/base/words.h).
    explicit ProgramOptions(const QStringList& arguments);

    /// Errors: BadInput for an option that is not known, lacks its value or has an impossible one.
    [[nodiscard]] Result<void> check() const;
    [[nodiscard]] std::string help() const;
    [[nodiscard]] bool isSet(const char* option) const { return m_parser.isSet(QString::fromLatin1(option)); }
    [[nodiscard]] QString value(const char* option) const {
        return m_parser.value(QString::fromLatin1(option));
    }
    /// Of --size; invalid where that is not given.
    [[nodiscard]] QSize size() const;
    [[nodiscard]] QStringList files() const { return m_parser.positionalArguments(); }
    /// Writes pictures or the manual and ends.
    [[nodiscard]] bool exports() const { return isSet("export-pictures") || isSet("export-manual"); }

private:
    [[nodiscard]] Error wrongUse() const;

    QCommandLineParser m_parser;
    bool m_isParsed = false;
};

}  // namespace plumb::gui
