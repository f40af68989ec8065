"""The language of the window: one object that turns sentences into text and says when the language changes."""

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QTranslator, Signal
from PySide6.QtWidgets import QApplication

from covel_inspector.app.figures import figure, percent
from covel_inspector.domain import Sentence
from covel_inspector.report.wording import CHINESE, LANGUAGES, best_language, catalogue

__all__ = ["SYSTEM", "Wording", "figure", "percent"]

SYSTEM = ""
"""The setting that means: the language of the system."""


class Wording(QObject):
    """Sentences in the reader's language. ``changed`` asks every widget to say its texts again."""

    changed = Signal()

    def __init__(self, language: str = SYSTEM, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chosen = SYSTEM
        self._catalogue = catalogue("en")
        self._qt_texts: QTranslator | None = None
        self._take(language)

    @property
    def language(self) -> str:
        """Tag of the language in force, one of LANGUAGES."""
        return self._catalogue.language

    @property
    def chosen(self) -> str:
        """What the user chose: a tag of LANGUAGES, or SYSTEM."""
        return self._chosen

    def choose(self, language: str) -> None:
        """Switch the language at once; a tag that is not ours means the system's."""
        self._take(language)
        self.changed.emit()

    def text(self, sentence: Sentence) -> str:
        """A sentence, filled and in the reader's language."""
        return self._catalogue.text(sentence)

    def _take(self, language: str) -> None:
        self._chosen = language if language in LANGUAGES else SYSTEM
        self._catalogue = catalogue(self._chosen or _system_language())
        self._take_qt_texts()

    def _take_qt_texts(self) -> None:
        """Qt's own dialogs speak the same language, where Qt ships its texts."""
        application = QApplication.instance()
        if application is None:
            return
        if self._qt_texts is not None:
            application.removeTranslator(self._qt_texts)
            self._qt_texts = None
        if self.language != CHINESE:
            return
        translator = QTranslator(self)
        folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        if translator.load("qtbase_zh_CN", folder):
            application.installTranslator(translator)
            self._qt_texts = translator


def _system_language() -> str:
    """Qt knows the system's language on all three systems; the first language the user reads decides."""
    tags = QLocale.system().uiLanguages()
    return best_language(tags[0] if tags else "")
