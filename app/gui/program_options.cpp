// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/program_options.h"

#include "core/base/environment_language.h"
#include "core/base/words.h"
#include "ui/theme/translations.h"

#include <QRegularExpression>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace plumb::gui {
namespace {

struct Option {
    const char* name;
    const char* value;  ///< empty: it takes none
    const char* help;
};
constexpr std::array kOptions{
    Option{"export-pictures", "DIR",
           "write every view of the FILEs as PNG into DIR and end; needs no display"},
    Option{"export-manual", "DIR", "write the manual as web pages into DIR and end; needs no display"},
    Option{"theme", "THEME", "light or dark, instead of the desktop's"},
    Option{"language", "LANGUAGE",
           "en or zh_CN, or system for the desktop's, instead of the one in the menu"},
    Option{"size", "WxH",
           "size of the window, as 1600x1000 (what the screen has room for; pictures: 1600x1000)"},
    Option{"self-test", "", "open the window, draw it once and end"}};

/// "1600x1000"; an invalid QSize for anything else.
QSize sizeFrom(const QString& text) {
    constexpr QSize kLeast(640, 480), kMost(16384, 16384);
    const QStringList parts = text.toLower().split(QLatin1Char('x'));
    bool wide = false, high = false;
    const QSize size(parts.value(0).toInt(&wide), parts.value(1).toInt(&high));
    const bool sensible =
        wide && high && parts.size() == 2 && size.expandedTo(kLeast) == size && size.boundedTo(kMost) == size;
    return sensible ? size : QSize();
}

}  // namespace

ProgramOptions::ProgramOptions(const QStringList& arguments) {
    m_parser.addHelpOption();
    m_parser.addVersionOption();
    for (const Option& option : kOptions)
        m_parser.addOption({QString::fromLatin1(option.name), QString(), QString::fromLatin1(option.value)});
    m_isParsed = m_parser.parse(arguments);
    const auto language = ui::languageOf(value("language"));
    const bool isChosen = language && *language != ui::Language::System;
    setWordsLanguage(isChosen ? ui::languageId(*language).toStdString() : languageOfEnvironment());
}

Error ProgramOptions::wrongUse() const {
    if (const QStringList unknown = m_parser.unknownOptionNames(); !unknown.isEmpty()) {
        const std::string dashes = unknown.front().size() > 1 ? "--" : "-";
        return badInput(fmt::format("plumbline has no option {:s}", dashes + unknown.front().toStdString()),
                        "see plumbline --help");
    }
    // Qt says of which it was in its text alone: "Missing value after '--theme'."
    const QRegularExpressionMatch named =
        QRegularExpression(QStringLiteral("'(.*)'")).match(m_parser.errorText());
    const std::string option = named.captured(1).toStdString();
    return badInput(m_parser.errorText().startsWith(QLatin1String("Missing"))
                        ? fmt::format("option without a value ({:s})", option)
                        : fmt::format("the option takes no value ({:s})", option),
                    "see plumbline --help");
}

Result<void> ProgramOptions::check() const {
    if (!m_isParsed) return wrongUse();
    const std::string theme = value("theme").toStdString();
    if (isSet("theme") && theme != "light" && theme != "dark")
        return badInput(fmt::format("unknown theme ({:s})", theme), "use light or dark");
    if (isSet("language") && !ui::languageOf(value("language")))
        return badInput(fmt::format("unknown language ({:s})", value("language").toStdString()),
                        "use en, zh_CN or system");
    if (isSet("size") && !size().isValid())
        return badInput(
            fmt::format("the size of the window cannot be used ({:s})", value("size").toStdString()),
            "write WxH, from 640x480 to 16384x16384, as in 1600x1000");
    if (isSet("export-pictures") && files().isEmpty())
        return badInput("--export-pictures needs a FILE", "name one, or several that belong together");
    return {};
}

QSize ProgramOptions::size() const { return sizeFrom(value("size")); }

std::string ProgramOptions::help() const {
    const auto line = [](std::string name, const std::string& help) {
        constexpr std::size_t kColumn = 26;
        name.insert(0, "  ");
        name.resize(std::max(name.size() + 2, kColumn), ' ');
        return name + help + '\n';
    };
    std::string text =
        inWords("Shows what a training step costs before it runs, runs it, and shows what it really cost") +
        '\n' + inWords("Usage") + ": plumbline [" + inWords("OPTIONS") + "] [FILE ...]\n\n" +
        inWords("Options") + ":\n" + line("-h,--help", inWords("print this help and exit")) +
        line("-v,--version", inWords("print the version and exit"));
    for (const Option& option : kOptions) {
        std::string name = std::string("--") + option.name;
        if (*option.value != '\0') name += std::string(" ") + option.value;
        text += line(std::move(name), inWords(option.help));
    }
    return text + '\n' + inWords("Positionals") + ":\n" +
           line(
               "FILE",
               inWords(
                   "snapshots, recorded steps, traces and plans to open; a folder of the traces of one job"));
}

}  // namespace plumb::gui
