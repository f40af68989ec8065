"""What is missing on a machine, and what it is called there."""

import pytest
from system_libraries import (
    ALWAYS,
    WINDOW,
    Missing,
    can_load,
    current_name,
    find_missing,
    install_line,
    is_chinese_font,
)


def _find(missing: set[str], window: bool = False, font: bool = True, platform: str = "linux") -> Missing:
    return find_missing(
        window=window,
        loads=lambda library: library not in missing,
        has_font=lambda: font,
        exists=lambda package: True,
        platform=platform,
    )


def test_a_complete_machine_misses_nothing() -> None:
    assert _find(set(), window=True).is_empty


def test_window_libraries_matter_only_for_a_window() -> None:
    assert _find({"libxcb-cursor.so.0"}).is_empty
    found = _find({"libxcb-cursor.so.0", "libEGL.so.1"}, window=True, font=False)
    assert found.libraries == ("libEGL.so.1", "libxcb-cursor.so.0")
    assert found.packages == ("libegl1", "libxcb-cursor0", "fonts-noto-cjk")


def test_other_systems_bring_everything() -> None:
    assert _find({*ALWAYS, *WINDOW}, window=True, font=False, platform="darwin").is_empty


def test_renamed_packages_get_their_new_name_only_where_it_is_used() -> None:
    assert current_name("libglib2.0-0", lambda package: package == "libglib2.0-0t64") == "libglib2.0-0t64"
    assert current_name("libglib2.0-0", lambda package: True) == "libglib2.0-0"
    assert current_name("libglib2.0-0", lambda package: False) == "libglib2.0-0"
    assert current_name("libegl1", lambda package: False) == "libegl1"


def test_a_library_that_no_machine_has_cannot_be_loaded() -> None:
    assert not can_load("libno-such-library-anywhere.so.0")


@pytest.mark.parametrize(
    ("name", "chinese"),
    [
        ("NotoSansCJK-Regular.ttc", True),
        ("wqy-microhei.ttc", True),
        ("SourceHanSansSC-Regular.otf", True),
        ("LXGWWenKai-Regular.ttf", True),
        ("DejaVuSans.ttf", False),
        ("cjk-readme.txt", False),
    ],
)
def test_fonts_are_known_by_name(name: str, chinese: bool) -> None:
    assert is_chinese_font(name) is chinese


def test_the_command_is_complete() -> None:
    missing = Missing(("libEGL.so.1",), ("libegl1",), font=True)
    assert install_line(missing, sudo=False) == (
        "apt-get update && apt-get install -y --no-install-recommends libegl1 fonts-noto-cjk"
    )
    assert install_line(missing, sudo=True).count("sudo ") == 2
