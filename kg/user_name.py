"""Who runs a command."""

from __future__ import annotations

import getpass
import os


def user_name() -> str:
    """The name of the user; in a container that knows none, the number, as "uid 1234".

    >>> bool(user_name())
    True
    """
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no entry in the password database; OSError since Python 3.13
        return f"uid {os.getuid()}"
