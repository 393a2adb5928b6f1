"""The embedded Postgres under real processes: killed, started twice, confused by what was left."""

import os
import select
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import psycopg
import pytest

from infra.db import cluster
from infra.db.cluster import embedded_dsn, socket_folder
from infra.db.embedded import embedded_postgres
from infra.db.errors import (
    DataFolderUnusableError,
    PostgresFailedError,
    PostgresMissingError,
)
from infra.errors import DiskFullError

pytestmark = pytest.mark.faults

# An application: says the server's process, then ends in order at the end of its input.
APPLICATION = """
import sys
from pathlib import Path
import psycopg
from infra.db import cluster
from infra.db.embedded import embedded_postgres
from infra.telemetry import configure_logging
configure_logging("error")
cluster._HOW = sys.argv[2]
with embedded_postgres(Path(sys.argv[1])) as dsn:
    folder = Path(sys.argv[1]) / "postgres"
    try:
        print((folder / "postmaster.pid").read_text().split()[0], flush=True)
        sys.stdin.readline()
    except KeyboardInterrupt:
        with psycopg.connect(dsn) as conn:
            print("served", conn.execute("select 1").fetchone()[0], flush=True)
"""

type Application = subprocess.Popen[str]
type Start = Callable[..., Application]


@pytest.fixture
def start() -> Generator[Start]:
    """Start an application on a data folder; whatever a test leaves running is killed."""
    running: list[Application] = []

    def run(data_dir: Path, how: str = "signal") -> Application:
        process = subprocess.Popen(
            [sys.executable, "-c", APPLICATION, str(data_dir), how],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        process.kill()
        process.communicate()


def server_pid(application: Application) -> int:
    assert application.stdout
    return int(application.stdout.readline())


def ends(pid: int, seconds: float = 10.0) -> bool:
    """Whether a process that need not be our child ends in time."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def execute(data_dir: Path, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(embedded_dsn(data_dir), autocommit=True) as conn:
        cursor = conn.execute(statement.encode())
        return cursor.fetchall() if cursor.description else []


def persistently(data_dir: Path, statement: str) -> list[tuple[object, ...]]:
    """Execute as an application would whose server has just been replaced."""
    give_up = time.monotonic() + 20
    while True:
        try:
            return execute(data_dir, statement)
        except psycopg.OperationalError:
            assert time.monotonic() < give_up


def pretend_server(folder: Path, pid: int) -> None:
    """Leave behind what a server that was cut off leaves, naming a process of our choice."""
    (folder / "postmaster.pid").write_text(
        f"{pid}\n{folder}\n1760000000\n5432\n{folder}\n\n  1234 0\nready\n"
    )
    (folder / ".s.PGSQL.5432.lock").write_text(f"{pid}\n{folder}\n1760000000\n5432\n{folder}\n")


def test_data_is_there_again_at_the_next_start(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path):
        execute(tmp_path, "create table kept as select 42 as answer")
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()
    with embedded_postgres(tmp_path):
        assert execute(tmp_path, "select answer from kept") == [(42,)]


def test_the_server_is_safe_private_and_knows_vectors(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path):
        assert execute(tmp_path, "show fsync") == [("on",)]
        assert execute(tmp_path, "show full_page_writes") == [("on",)]
        assert execute(tmp_path, "show listen_addresses") == [("",)]
        assert execute(tmp_path, "show data_checksums") == [("on",)]
        assert execute(tmp_path, "select lower('ÄÖ한') || '[1]'") == [("äö한[1]",)]
        execute(tmp_path, "create extension vector")
    assert stat.S_IMODE((tmp_path / "postgres").stat().st_mode) == 0o700


@pytest.mark.parametrize("how", ["signal", "watch"])
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_application_takes_its_server_along(
    tmp_path: Path, start: Start, killed_by: signal.Signals, how: str
) -> None:
    application = start(tmp_path, how)
    server = server_pid(application)
    execute(tmp_path, "create table kept as select 42 as answer")
    application.send_signal(killed_by)
    assert ends(server)
    with embedded_postgres(tmp_path):
        assert execute(tmp_path, "select answer from kept") == [(42,)]


def test_a_start_right_after_a_kill_gets_past_the_old_server(tmp_path: Path, start: Start) -> None:
    for number in range(5):
        application = start(tmp_path)
        server_pid(application)
        persistently(tmp_path, f"create table t{number} ()")
        application.kill()
    with embedded_postgres(tmp_path):
        found = persistently(
            tmp_path, "select count(*) from pg_tables where tablename ~ '^t[0-4]$'"
        )
    assert found == [(5,)]


def test_a_server_that_dies_is_started_again(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path):
        execute(tmp_path, "create table kept as select 42 as answer")
        for _ in range(4):
            server = int((tmp_path / "postgres" / "postmaster.pid").read_text().split()[0])
            os.kill(server, signal.SIGKILL)
            assert ends(server)
            assert persistently(tmp_path, "select answer from kept") == [(42,)]


def test_a_guest_takes_over_when_the_keeper_is_killed(tmp_path: Path, start: Start) -> None:
    keeper = start(tmp_path)
    server = server_pid(keeper)
    with embedded_postgres(tmp_path):
        execute(tmp_path, "create table kept as select 42 as answer")
        keeper.kill()
        assert ends(server)
        assert persistently(tmp_path, "select answer from kept") == [(42,)]
        assert int((tmp_path / "postgres.lock").read_text()) == os.getpid()


def test_a_server_that_nobody_looks_after_is_replaced(tmp_path: Path, start: Start) -> None:
    orphaned = start(tmp_path, "watch")
    server = server_pid(orphaned)
    os.kill(_parent(server), signal.SIGKILL)  # the watcher itself: nothing is left to stop it
    orphaned.kill()
    orphaned.wait()
    assert not ends(server, seconds=0.2)
    with embedded_postgres(tmp_path):
        assert ends(server, seconds=0)
        assert execute(tmp_path, "select 1") == [(1,)]


def _parent(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


def test_a_stranger_with_the_old_servers_number_is_no_obstacle(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path):
        pass
    owner = (tmp_path / "postgres").stat()
    as_owner = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    with subprocess.Popen(["/bin/sleep", "600"], **as_owner) as stranger:  # type: ignore[call-overload]
        try:
            pretend_server(tmp_path / "postgres", stranger.pid)
            with embedded_postgres(tmp_path):
                assert execute(tmp_path, "select 1") == [(1,)]
            assert stranger.poll() is None
        finally:
            stranger.kill()


def test_two_starts_at_once_share_one_server(tmp_path: Path, start: Start) -> None:
    applications = [start(tmp_path), start(tmp_path)]
    servers = {server_pid(application) for application in applications}
    assert len(servers) == 1
    holder = int((tmp_path / "postgres.lock").read_text())
    guest = next(each for each in applications if each.pid != holder)
    owner = next(each for each in applications if each.pid == holder)
    guest.communicate("end\n")
    assert execute(tmp_path, "select 1") == [(1,)]
    owner.communicate("end\n")
    assert ends(servers.pop(), seconds=0)


def test_an_interrupt_from_the_terminal_reaches_the_application_first(
    tmp_path: Path, start: Start
) -> None:
    application = start(tmp_path)
    server = server_pid(application)
    os.killpg(application.pid, signal.SIGINT)
    said, _ = application.communicate()
    assert said == "served 1\n"
    assert ends(server, seconds=0)


def test_a_first_start_that_is_killed_half_way_leaves_nothing_in_the_way(
    tmp_path: Path, start: Start
) -> None:
    application = start(tmp_path)
    while not list(tmp_path.glob("postgres.new-*/PG_VERSION")):
        assert application.poll() is None
    application.kill()
    with embedded_postgres(tmp_path):
        assert execute(tmp_path, "select 1") == [(1,)]
    with embedded_postgres(tmp_path):
        assert not list(tmp_path.glob("postgres.new-*"))


def test_a_long_path_gets_a_short_private_socket(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 30)
    with embedded_postgres(data_dir):
        assert execute(data_dir, "select 1") == [(1,)]
        sockets = socket_folder(data_dir)
        assert len(str(sockets)) < 40
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    sockets.rmdir()


def test_a_socket_folder_that_others_may_enter_is_refused(tmp_path: Path) -> None:
    data_dir = tmp_path / ("long" * 30)
    sockets = socket_folder(data_dir)
    sockets.mkdir()
    sockets.chmod(0o755)
    try:
        with (
            pytest.raises(DataFolderUnusableError, match="is not ours"),
            embedded_postgres(data_dir),
        ):
            pass
    finally:
        sockets.rmdir()


def test_a_folder_below_a_private_one_can_be_used(tmp_path: Path) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    with embedded_postgres(private / "data"):
        assert execute(private / "data", "select 1") == [(1,)]


def test_a_database_of_another_version_is_named(tmp_path: Path) -> None:
    with embedded_postgres(tmp_path):
        pass
    (tmp_path / "postgres" / "PG_VERSION").write_text("15\n")
    with pytest.raises(DataFolderUnusableError, match="version 15"), embedded_postgres(tmp_path):
        pass


def test_a_database_of_another_user_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "postgres").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    with pytest.raises(DataFolderUnusableError, match="belongs to"), embedded_postgres(tmp_path):
        pass


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    with (
        pytest.raises(DataFolderUnusableError, match="exists"),
        embedded_postgres(tmp_path / "data"),
    ):
        pass


def scripted_programs(folder: Path, last_words: str) -> Path:
    """Programs that end at once with what Postgres says in a situation hard to arrange."""
    for name in ("initdb", "postgres"):
        (folder / name).write_text(f"#!/bin/sh\necho '{last_words}' >&2\nexit 1\n")
        (folder / name).chmod(0o755)
    return folder


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    words = 'initdb: error: could not write to file "global/1262": No space left on device'
    programs = scripted_programs(tmp_path, words)
    with (
        pytest.raises(DiskFullError, match="is full"),
        embedded_postgres(tmp_path / "data", programs=programs),
    ):
        pass


def test_any_other_failure_carries_the_logs_last_lines(tmp_path: Path) -> None:
    programs = scripted_programs(tmp_path, "FATAL: could not create shared memory segment")
    with (
        pytest.raises(PostgresFailedError, match="could not create shared memory segment"),
        embedded_postgres(tmp_path / "data", programs=programs),
    ):
        pass


def test_missing_programs_are_named(tmp_path: Path) -> None:
    with (
        pytest.raises(PostgresMissingError, match="ATELIER_POSTGRES_BIN"),
        embedded_postgres(tmp_path, programs=tmp_path / "nowhere"),
    ):
        pass


def test_a_long_log_is_put_aside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with embedded_postgres(tmp_path):
        pass
    monkeypatch.setattr(cluster, "_LOG_LIMIT", 10)
    with embedded_postgres(tmp_path):
        pass
    assert (tmp_path / "postgres.log.1").stat().st_size > 10
