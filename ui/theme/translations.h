// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

#include <memory>
#include <optional>

class QCoreApplication;

namespace plumb::ui {

/// The words of the window. System: those of the desktop, where there are some, else English.
enum class Language { System, English, SimplifiedChinese };
constexpr Language lastOf(Language /*type*/) { return Language::SimplifiedChinese; }

/// "system", "en", "zh_CN": of the setting and of the option --language.
[[nodiscard]] QString languageId(Language language);
/// "English", "简体中文": a language is called by its own name, so that whoever reads no other finds it.
/// Empty for System.
[[nodiscard]] QString languageName(Language language);
/// Empty for anything that languageId() does not return.
[[nodiscard]] std::optional<Language> languageOf(const QString& id);

/// Puts the words of a language on the application; one instance, made in main(). What is on screen keeps its
/// words: WindowHost makes it anew.
class Translations final {
public:
    explicit Translations(QCoreApplication& application);
    /// Takes them off again.
    ~Translations();
    Translations(const Translations&) = delete;
    Translations& operator=(const Translations&) = delete;

    void use(Language language);
    /// English or Chinese: what System stands for is decided.
    [[nodiscard]] Language language() const { return m_language; }

private:
    class Catalogue;
    class OfQt;
    void remove();

    QCoreApplication& m_application;
    std::unique_ptr<OfQt> m_ofQt;
    std::unique_ptr<Catalogue> m_ours;
    Language m_language = Language::English;
};

}  // namespace plumb::ui
