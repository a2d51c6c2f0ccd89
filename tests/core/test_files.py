"""Files appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from replibandit.core.files import whole_file


def test_a_file_is_replaced_when_its_draft_is_done(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(path) as draft:
        draft.write_text("new")
        assert (path.read_text(), draft.suffix) == ("old", ".csv")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_leaves_what_was_there_and_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old")
    with pytest.raises(OSError, match="No space left") as failure:
        _torn(path, OSError(28, "No space left on device"))
    assert failure.value.filename == str(path)
    assert path.read_text() == "old"
    with pytest.raises(KeyboardInterrupt):
        _torn(tmp_path / "b.csv", KeyboardInterrupt())
    assert list(tmp_path.iterdir()) == [path]


def _torn(path: Path, failure: BaseException) -> None:
    with whole_file(path) as draft:
        draft.write_text("ne")
        raise failure


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with whole_file(tmp_path / "link") as draft:
        draft.write_text("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"
    with whole_file(Path("/dev/null")) as draft:
        assert draft == Path("/dev/null")
