"""The locale order that breaks ties between lorebook ids: the root order of ICU, as far as ids need it.

Follows the reference on the assembler, section 1: punctuation, then digits, then letters. Accents count only
between texts that are the same without them, and case (small letters first) only where accents are the same too; a
number counts digit by digit. Letters outside Latin come behind it in the order of their code points, which is near the
root order but not proved.
"""

import unicodedata

_PUNCTUATION = "\t\n\v\f\r \u2028\u2029_-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
_RANK = {character: number for number, character in enumerate(_PUNCTUATION)}

CollationKey = tuple[list[tuple[int, str | int]], list[int], list[int]]


def collation_key(text: str) -> CollationKey:
    """Sort key of a text in the root order: base characters, then accents, then case."""
    primary: list[tuple[int, str | int]] = []
    accents: list[int] = []
    cases: list[int] = []
    for character in unicodedata.normalize("NFD", text):
        if unicodedata.combining(character):
            accents.append(ord(character))
            continue
        primary.append(_primary(character))
        accents.append(0)
        cases.append(int(character.isupper()))
    return primary, accents, cases


def _primary(character: str) -> tuple[int, str | int]:
    rank = _RANK.get(character)
    if rank is not None:
        return 0, rank
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return 2, digit
    if character.isalpha():
        return 3, character.casefold()
    return 1, ord(character)
