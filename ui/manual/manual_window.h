// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/manual/manual_book.h"

#include <QWidget>

#include <memory>

class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace plumb::ui {

class ManualContents;
class Theme;

/// The manual beside the window: contents and search at the left, a page at the right. It follows the theme
/// and the language of the window. Esc closes it.
class ManualWindow final : public QWidget {
    Q_OBJECT
public:
    explicit ManualWindow(Theme& theme);
    ~ManualWindow() override;

    /// Shows the place, in front of what else is open. A place that is not there is its page, and a page that
    /// is not there the first one.
    void open(const ManualPlace& place);
    [[nodiscard]] ManualPlace place() const;
    [[nodiscard]] const ManualBook& book() const { return *m_book; }

    /// Where the program finds the pictures of the pages in this language; empty: nowhere.
    [[nodiscard]] static QString pictureFolder(Language language);

protected:
    void changeEvent(QEvent* event) override;

private:
    class Browser;

    void build();
    void buildKeys();
    void readBook();  ///< in the language of the window
    void restyle();   ///< the colours of the theme
    void scaleBy(int steps);
    void search();
    void openFirstHit();
    void markWords();
    void follow();  ///< contents, buttons and title of what is shown

    Theme& m_theme;
    int m_scale = 0;  ///< steps by which the letters are larger than those of the window
    std::unique_ptr<ManualBook> m_book;
    Browser* m_browser;
    ManualContents* m_contents;
    QLineEdit* m_search;
    QLabel* m_found;
    QPushButton *m_back, *m_forward, *m_smaller, *m_larger;
};

}  // namespace plumb::ui
