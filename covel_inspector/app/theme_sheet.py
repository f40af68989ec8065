"""The style sheet that goes with a theme: only what a palette cannot say."""

from covel_inspector.app.theme_colours import Colours


def style_sheet(colours: Colours, points: float) -> str:
    """The whole style sheet, with its object names and dynamic properties; ``points`` is the size of ordinary text."""
    return "\n".join((_bars(colours), _controls(colours), _inputs(colours), _lists(colours), _texts(colours, points)))


def _bars(c: Colours) -> str:
    return f"""
QMenuBar {{ background: {c.ground}; border-bottom: 1px solid {c.border}; padding: 2px 8px; }}
QMenuBar::item {{ padding: 4px 8px; background: transparent; border-radius: 4px; }}
QMenuBar::item:selected {{ background: {c.hover}; }}
QMenu {{ background: {c.ground}; border: 1px solid {c.border}; padding: 4px; }}
QMenu::item {{ padding: 5px 24px 5px 24px; border-radius: 4px; }}
QMenu::item:selected {{ background: {c.selected}; color: {c.text}; }}
QMenu::item:disabled {{ color: {c.disabled}; }}
QMenu::separator {{ height: 1px; background: {c.border}; margin: 4px 8px; }}
QToolBar {{ background: {c.bar}; border: 0; border-bottom: 1px solid {c.border}; padding: 6px 8px; spacing: 8px; }}
QStatusBar {{ background: {c.bar}; border-top: 1px solid {c.border}; color: {c.quiet}; }}
QStatusBar::item {{ border: 0; }}
QSplitter::handle {{ background: {c.border}; }}
QSplitter::handle:horizontal {{ width: 1px; }}
QSplitter::handle:vertical {{ height: 1px; }}
QToolTip {{ background: {c.ground}; color: {c.text}; border: 1px solid {c.border}; padding: 4px; }}
#panelDock {{ background: {c.ground}; }}
QTabBar#panelTabs {{ background: transparent; }}
QTabBar#panelTabs::tab {{ background: transparent; color: {c.quiet}; border: 0; border-bottom: 2px solid transparent;
  padding: 6px 12px 4px 12px; }}
QTabBar#panelTabs::tab:hover {{ color: {c.text}; }}
QTabBar#panelTabs::tab:selected {{ color: {c.text}; border-bottom-color: {c.accent}; font-weight: 600; }}
QTabBar#panelTabs::tab:focus {{ background: {c.hover}; }}
#panelTitle {{ background: {c.bar}; color: {c.quiet}; border-bottom: 1px solid {c.border}; padding: 8px 12px;
  font-weight: 600; }}
"""


def _controls(c: Colours) -> str:
    return f"""
QToolButton, QPushButton {{ background: {c.field}; border: 1px solid {c.border}; border-radius: 4px;
  padding: 4px 10px; min-height: 18px; color: {c.text}; }}
QToolButton:hover, QPushButton:hover {{ background: {c.hover}; }}
QToolButton:pressed, QPushButton:pressed {{ background: {c.selected}; }}
QToolButton:focus, QPushButton:focus {{ border-color: {c.accent}; }}
QToolButton:disabled, QPushButton:disabled {{ color: {c.disabled}; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
QToolButton:checked {{ background: {c.accent}; border-color: {c.accent}; color: {c.on_accent}; }}
QToolButton:checked:focus {{ border: 2px solid {c.text}; padding: 3px 9px; }}
QToolButton[filter="true"] {{ border-color: transparent; background: transparent; color: {c.quiet}; }}
QToolButton[filter="true"]:checked {{ background: {c.field}; border-color: {c.border}; color: {c.text}; }}
QToolButton[filter="true"]:focus {{ border: 1px solid {c.accent}; padding: 4px 10px; }}
QToolButton[segment="first"] {{ border-top-right-radius: 0; border-bottom-right-radius: 0; }}
QToolButton[segment="middle"] {{ border-radius: 0; border-left: 0; }}
QToolButton[segment="last"] {{ border-top-left-radius: 0; border-bottom-left-radius: 0; border-left: 0; }}
QToolButton[flat="true"] {{ border: 0; background: transparent; color: {c.quiet}; padding: 1px 6px; }}
QToolButton[flat="true"]:hover {{ color: {c.text}; background: {c.hover}; }}
QToolButton[flat="true"]:focus {{ border: 1px solid {c.accent}; padding: 0 5px; }}
QPushButton[primary="true"] {{ background: {c.accent}; border-color: {c.accent}; color: {c.on_accent}; }}
QPushButton[primary="true"]:focus {{ border: 2px solid {c.text}; padding: 3px 9px; }}
QProgressBar {{ background: {c.track}; border: 0; border-radius: 4px; }}
QProgressBar::chunk {{ background: {c.accent}; border-radius: 4px; }}
QTableWidget {{ border: 1px solid {c.border}; }}
QTableWidget::item {{ padding: 4px 8px; }}
#chooser {{ background: {c.ground}; border: 1px solid {c.border}; border-radius: 6px; }}
#notice {{ color: {c.text}; }}
QPushButton:default {{ background: {c.accent}; border-color: {c.accent}; color: {c.on_accent}; }}
QPushButton[link="true"] {{ border: 1px solid transparent; background: transparent; color: {c.link}; text-align: left;
  padding: 1px 0; }}
QPushButton[link="true"]:hover {{ text-decoration: underline; }}
QPushButton[link="true"]:focus {{ border-color: {c.accent}; }}
QLineEdit {{ background: {c.field}; border: 1px solid {c.border}; border-radius: 4px; padding: 4px 8px;
  min-height: 18px; selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
QLineEdit:focus {{ border-color: {c.accent}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {c.border}; border-radius: 4px; margin: 1px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {c.disabled}; }}
QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def _inputs(c: Colours) -> str:
    return f"""
QSpinBox {{ background: {c.field}; border: 1px solid {c.border}; border-radius: 4px; padding: 2px;
  selection-background-color: {c.accent}; selection-color: {c.on_accent}; }}
QSpinBox:focus {{ border-color: {c.accent}; }}
QSpinBox::up-button, QSpinBox::down-button {{ width: 0; height: 0; border: 0; }}
QSpinBox QLineEdit {{ border: 0; padding: 0 5px; min-height: 0; background: transparent; }}
QSlider::groove:horizontal {{ height: 4px; background: {c.track}; border-radius: 2px; }}
QSlider::sub-page:horizontal {{ background: {c.accent}; border-radius: 2px; }}
QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -5px 0; border-radius: 7px; background: {c.field};
  border: 1px solid {c.accent}; }}
QSlider::handle:horizontal:hover, QSlider::handle:horizontal:focus {{ background: {c.accent}; }}
QSlider::groove:horizontal:disabled, QSlider::sub-page:horizontal:disabled {{ background: {c.grid}; }}
QSlider::handle:horizontal:disabled {{ background: {c.bar}; border-color: {c.border}; }}
#editor {{ border: 1px solid {c.border}; border-radius: 4px; padding: 4px; }}
#editor:focus {{ border-color: {c.accent}; }}
#whatIfBanner {{ background: {c.what_if}; border-left: 3px solid {c.what_if_mark}; }}
#whatIfBanner QLabel {{ color: {c.what_if_mark}; font-weight: 600; }}
QLabel[tone="whatif"] {{ background: {c.what_if}; border-left: 3px solid {c.what_if_mark}; padding: 8px; }}
"""


def _lists(c: Colours) -> str:
    return f"""
QAbstractItemView {{ background: {c.ground}; border: 0; outline: 0; selection-background-color: {c.selected};
  selection-color: {c.text}; }}
QAbstractItemView::item:selected {{ background: {c.selected}; color: {c.text}; }}
QTableView::item {{ padding: 0 6px; }}
QAbstractScrollArea::corner {{ background: {c.ground}; border: 0; }}
QHeaderView::section {{ background: {c.ground}; color: {c.quiet}; border: 0; border-bottom: 1px solid {c.border};
  padding: 4px 11px; }}
RowsHeader::section {{ padding: 4px 8px; }}
"""


def _texts(c: Colours, points: float) -> str:
    large, huge = round(points * 1.15, 1), round(points * 1.8, 1)
    return f"""
QScrollArea, QScrollArea > QWidget > QWidget {{ border: 0; background: {c.ground}; }}
QScrollArea[page="true"] {{ border: 1px solid transparent; }}
QScrollArea[page="true"]:focus {{ border-color: {c.accent}; }}
QPlainTextEdit, QTextEdit, QTextBrowser {{ background: {c.ground}; border: 0; selection-background-color: {c.accent};
  selection-color: {c.on_accent}; }}
QLabel[tone="quiet"] {{ color: {c.quiet}; }}
QLabel[tone="error"] {{ color: {c.error}; }}
QLabel[tone="heading"] {{ font-weight: 600; }}
QLabel[tone="quote"] {{ background: {c.bar}; border: 1px solid {c.border}; border-radius: 4px; padding: 4px 8px; }}
#whyBody {{ background: {c.ground}; }}
QLabel[tone="title"] {{ font-weight: 600; font-size: {large}pt; }}
QLabel[tone="display"] {{ font-weight: 600; font-size: {huge}pt; }}
QLabel[tone="note"] {{ background: {c.note}; border-left: 3px solid {c.warning}; padding: 8px; }}
"""
