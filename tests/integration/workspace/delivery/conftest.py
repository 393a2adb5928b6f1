"""The film is made once for all tests of this folder; nobody changes its files."""

from pathlib import Path

import pytest

from tests.integration.workspace.delivery.films import Film, make_film


@pytest.fixture(scope="session")
def film(tmp_path_factory: pytest.TempPathFactory) -> Film:
    folder: Path = tmp_path_factory.mktemp("film")
    return make_film(folder)
