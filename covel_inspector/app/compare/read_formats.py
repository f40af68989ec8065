"""The formats of a document of passages, made once a document: each carries a font, and fonts are slow to make."""

from dataclasses import dataclass
from typing import Self

from PySide6.QtGui import QColor, QFont, QTextCharFormat

from covel_inspector.app.theme_colours import Colours


@dataclass(frozen=True, slots=True)
class ReadFormats:
    """How captions, headings, prose and the player's lines are set; ``changed`` is laid over changed words."""

    small: QTextCharFormat
    link: QTextCharFormat
    heading: QTextCharFormat
    prose: QTextCharFormat
    player: QTextCharFormat
    changed: QTextCharFormat

    @classmethod
    def of(cls, font: QFont, colours: Colours, changed_ground: str) -> Self:
        """For a font and colours; ``changed_ground`` names the colour behind changed words."""
        changed = QTextCharFormat()
        changed.setBackground(QColor(getattr(colours, changed_ground)))
        return cls(
            small=_format(font, colours.quiet, 0.85),
            link=_format(font, colours.link, 0.85),
            heading=_format(font, colours.text, 1.2, QFont.Weight.Bold),
            prose=_format(font, colours.text, 1.08),
            player=_format(font, colours.text, 1.08, QFont.Weight.DemiBold),
            changed=changed,
        )


def _format(font: QFont, colour: str, share: float, weight: QFont.Weight = QFont.Weight.Normal) -> QTextCharFormat:
    sized = QFont(font)
    sized.setPointSizeF(font.pointSizeF() * share)
    sized.setWeight(weight)
    made = QTextCharFormat()
    made.setFont(sized)
    made.setForeground(QColor(colour))
    return made
