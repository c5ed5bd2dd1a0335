// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <QString>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace plumb::ui {

class Theme;

/// The rounded panel that views stand in: a title at the left, a muted subtitle at the right, content below.
///
/// Draws itself from the theme and follows its changes. objectName is the owner's; the parts are called
/// "cardTitle", "cardSubtitle", "cardSubtitleBelow" and "cardOpen" inside it. The accessible name is the
/// title.
class Card final : public QFrame {
    Q_OBJECT
public:
    Card(Theme& theme, const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    [[nodiscard]] QString title() const;
    /// One line at the right of the title. Where that has no room it stands below the title, in as many lines
    /// as it takes; on a card that opens a full view it loses its last parts between dots, and has all of
    /// them in the tool tip.
    void setSubtitle(const QString& text, const QString& toolTip = {});
    [[nodiscard]] QString subtitle() const { return m_subtitleText; }

    /// The card takes ownership; a second call replaces the first content. It fills the card.
    void setContent(QWidget* content);
    [[nodiscard]] QWidget* content() const { return m_content; }
    /// Space around the content inside the card, logical pixels. Charts bring their own and want less.
    void setContentMargins(int left, int top, int right, int bottom);
    /// Puts a control into the header, right of the subtitle.
    void addHeaderWidget(QWidget* widget);
    /// A quiet button in the header.
    QPushButton* addHeaderButton(const QString& text, const QString& name, const QString& toolTip);

    /// Shows the button that opens the full view and makes a double click on the header do the same.
    void setOpenable(bool openable);

signals:
    void openRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void restyle();
    void fitTitle();
    void fitSubtitle();
    [[nodiscard]] QString shortened(int room) const;

    Theme& m_theme;
    QWidget* m_header;
    QHBoxLayout* m_headerLayout;
    QVBoxLayout* m_layout;
    QLabel* m_title;
    QLabel* m_subtitle;
    QLabel* m_below;  ///< the subtitle where it has no room beside the title
    QToolButton* m_open;
    QPointer<QWidget> m_lastOfHeader;  ///< behind which Tab reaches the next one, before the content
    QWidget* m_content = nullptr;
    QString m_subtitleText;
    QString m_subtitleToolTip;
    bool m_openable = false;
};

}  // namespace plumb::ui
