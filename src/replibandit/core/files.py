"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """A draft beside ``path`` to write to: it takes the place of ``path`` in the end, or vanishes after a failure.

    What was at ``path`` before stays as it was until then. A device, or a file in a folder that takes no new ones, is
    written to directly.
    """
    target = path.resolve()  # a link stays one
    direct = (path.exists() and not path.is_file()) or not os.access(target.parent, os.W_OK)
    draft = target if direct else target.with_name(f".{secrets.token_hex(8)}.draft{target.suffix}")
    try:
        yield draft
        if not direct:
            if target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
    except OSError as error:  # told of the file that was asked for, not of the draft
        raise OSError(error.errno, error.strerror or str(error), str(path)) from error
    finally:
        if not direct:
            draft.unlink(missing_ok=True)
