"""Blocks as text and as Markdown."""

from covel_inspector.report.document import Bullets, Heading, Paragraph, Table, markdown_lines, text_lines
from covel_inspector.report.terminal import Column

BLOCKS = [
    Heading(1, "第一次 *守夜*"),
    Paragraph("A <b>bold</b> claim\nand more"),
    Bullets((("one", ("below",)), ("two", ()))),
    Table((Column("Name"), Column("N", right=True)), (("a|b", "1"),)),
]


def test_text_underlines_by_columns() -> None:
    assert text_lines(BLOCKS) == [
        "第一次 *守夜*",
        "=" * 13,
        "",
        "A <b>bold</b> claim ⏎ and more",
        "",
        "- one",
        "  - below",
        "- two",
        "",
        "Name  N",
        "a|b   1",
    ]


def test_markdown_escapes_what_a_story_may_hold() -> None:
    assert markdown_lines(BLOCKS) == [
        "# 第一次 \\*守夜\\*",
        "",
        "A \\<b\\>bold\\</b\\> claim ⏎ and more",
        "",
        "- one",
        "  - below",
        "- two",
        "",
        "| Name | N |",
        "| --- | ---: |",
        "| a\\|b | 1 |",
    ]
