"""Where a command writes what it is told to: looked at before there is anything to lose."""

from pathlib import Path

from infra.errors import ConfigurationError


def new_file(path: Path) -> None:
    """Refuse a file that cannot be written, or is there already.

    Raises:
        ConfigurationError: its folder is not there, or something of that name is.
    """
    if path.exists() and not path.is_dir():
        message = f"{path} is there already: name another file."
        raise ConfigurationError(message)
    file(path)


def file(path: Path) -> None:
    """Refuse a file that cannot be written; one that is there is written anew.

    Raises:
        ConfigurationError: it is a folder, or its folder is not there.
    """
    if path.is_dir():
        message = f"{path} is a folder: name a file."
        raise ConfigurationError(message)
    if not path.parent.is_dir():
        message = f"There is no folder {path.parent} to write {path.name} to."
        raise ConfigurationError(message)
