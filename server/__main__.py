"""The command line: `python -m server serve | work | all | migrate | demo | orphans | openapi`.

What is wrong with the set-up is one sentence on standard error and exit code 1. Heavy modules
are imported by the command that needs them, so that a wrong setting is told at once.
"""

import argparse
import asyncio
import importlib
import json
import signal
import sys
from collections.abc import Callable, Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from infra.errors import AppError
from infra.libraries import tell_libraries
from infra.settings import Settings, load_settings
from infra.supervision import Supervisor
from infra.telemetry import configure_logging
from server.outages import tell_outages_briefly
from server.parent import end_with

type Run = Callable[[Supervisor], Coroutine[None, None, None]]

_ASK_A_MODEL = frozenset({"all", "serve", "work", "demo"})
_out = Console(highlight=False)
_err = Console(stderr=True, highlight=False)


def main(arguments: list[str] | None = None) -> int:
    """Run a command and return the process's exit code."""
    tell_libraries()
    options = _parser().parse_args(arguments)
    if options.parent:
        how = signal.SIGKILL if options.command == "work" else signal.SIGTERM
        end_with(options.parent, how)
    try:
        settings = load_settings()
        if options.port is not None:
            settings = settings.model_copy(update={"port": options.port})
        configure_logging(settings.log_level, settings.log_format)
        tell_outages_briefly()
        return _run(options, settings)
    except AppError as error:
        _err.print(_sentence(error.message), markup=False, soft_wrap=True)
        return 1
    except KeyboardInterrupt:
        return 130


def _sentence(message: str) -> str:
    """Return a message on one line; what a driver said may have several, and its own full stop."""
    lines = (" ".join(line.split()) for line in message.splitlines())
    return "; ".join(line for line in lines if line).replace("?.", "?").replace("..", ".")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m server", description="Run Atelier.")
    parser.set_defaults(port=None, parent=0)
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")
    for name, what in (
        ("all", "everything: a database of its own, HTTP and a worker"),
        ("serve", "HTTP only; any number of them may run on one database"),
        ("work", "a worker only; any number of them may run on one database"),
    ):
        command = commands.add_parser(name, help=what, description=what)
        command.add_argument("--parent", type=int, default=0, help=argparse.SUPPRESS)
        if name != "work":
            command.add_argument("--port", type=_port, help="listen here; 0 takes any free port")
    commands.add_parser("migrate", help="bring the database's tables up to date")
    commands.add_parser("orphans", help="list live work without an owner, a timer or a person")
    commands.add_parser("openapi", help="print the description of the HTTP interface")
    demo = commands.add_parser("demo", help="make one work from a brief, without a question")
    demo.add_argument("brief", nargs="?", help="what to make, in your own words")
    demo.add_argument("--out", type=Path, default=Path("demo-output"), help="where the files go")
    demo.add_argument("--no-approve", action="store_true", help="leave every question to you")
    return parser


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:  # noqa: PLR2004 - the range of ports
        message = f"{text} is no port; it must be a whole number from 0 to 65535"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _run(options: argparse.Namespace, settings: Settings) -> int:
    if options.command in _ASK_A_MODEL:
        _check_model(settings)
        _services(settings)
    match options.command:
        case "work":
            return _work(settings, is_child=bool(options.parent))
        case "demo":
            from server.demo.run import run_demo  # noqa: PLC0415 - only this command needs it

            return run_demo(
                settings, options.brief, out=options.out, approves=not options.no_approve
            )
        case name:
            return _COMMANDS[name](settings)


def _check_model(settings: Settings) -> None:
    """Refuse a model that cannot be used now, rather than at the first message of a person."""
    if settings.model == "rehearsal":
        return
    from infra.providers.chat import get_chat_model  # noqa: PLC0415 - seconds, only for others

    get_chat_model(settings.model)


def _services(settings: Settings) -> list[str]:
    """Return the generation services that are set up, refusing at once one that cannot be used."""
    names = ("providers", "comfyui_url", "fal_key", "replicate_token", "openai_images_key")
    names += ("elevenlabs_key", "runway_key")
    if not any(getattr(settings, name) for name in names):
        return []
    from infra.providers.catalog import service_names  # noqa: PLC0415 - only where some are set

    return service_names(settings)


def _serve(settings: Settings) -> int:
    from server.app import create_app  # noqa: PLC0415 - seconds that `work` need not wait
    from server.serving import address_of, bind, serve  # noqa: PLC0415

    with bind(settings) as listener, _database(settings) as dsn:

        async def run(supervisor: Supervisor) -> None:
            app = create_app(settings, dsn)
            await serve(app, listener, supervisor, lambda: _welcome(settings, address_of(listener)))

        return _until_stopped("serve", run)


def _all(settings: Settings) -> int:
    from server.everything import announced, keep_worker  # noqa: PLC0415
    from server.serving import address_of, bind, serve  # noqa: PLC0415

    with bind(settings) as listener, _database(settings) as dsn:
        address = address_of(listener)

        async def run(supervisor: Supervisor) -> None:
            worker = supervisor.start(keep_worker(supervisor), name="worker", essential=True)
            # The worker's imports and these take seconds each, at the same time.
            app = await asyncio.to_thread(importlib.import_module, "server.app")
            with announced(settings, address) as announce:

                def ready() -> None:
                    announce()
                    _welcome(settings, address)

                await serve(app.create_app(settings, dsn), listener, supervisor, ready)
                await asyncio.wait([worker])

        return _until_stopped("all", run)


def _work(settings: Settings, *, is_child: bool) -> int:
    from infra.db.migrate import migrate  # noqa: PLC0415
    from server.workers.run import run_workers  # noqa: PLC0415

    with _database(settings, is_ours=not is_child) as dsn:

        async def run(supervisor: Supervisor) -> None:
            await migrate(dsn)
            await run_workers(settings, dsn, supervisor)

        return _until_stopped("work", run)


def _migrate(settings: Settings) -> int:
    from infra.db.migrate import migrate  # noqa: PLC0415

    with _database(settings) as dsn:
        ran = asyncio.run(migrate(dsn))
    for name in ran:
        _out.print(f"ran {name}", markup=False)
    _out.print("The database is up to date.")
    return 0


def _orphans(settings: Settings) -> int:
    from server.orphans import list_orphans  # noqa: PLC0415

    with _database(settings) as dsn:
        found = asyncio.run(list_orphans(dsn))
    for line in found:
        _out.print(line, markup=False, soft_wrap=True)
    _out.print(f"{len(found)} found." if found else "Nothing is left without an owner.")
    return 1 if found else 0


def _openapi(settings: Settings) -> int:
    from server.app import create_app  # noqa: PLC0415

    described = create_app(settings, "").openapi()
    sys.stdout.write(json.dumps(described, indent=2, ensure_ascii=False) + "\n")
    return 0


@contextmanager
def _database(settings: Settings, *, is_ours: bool = True) -> Generator[str]:
    """Yield the database's address: the configured one, or the embedded one of the data folder."""
    if settings.database_url is not None:
        yield settings.database_url
        return
    from infra.db.cluster import embedded_dsn  # noqa: PLC0415
    from infra.db.embedded import embedded_postgres  # noqa: PLC0415

    if not is_ours:
        yield embedded_dsn(settings.data_dir)
        return
    with embedded_postgres(settings.data_dir, programs=settings.postgres_bin) as dsn:
        yield dsn


def _until_stopped(name: str, run: Run) -> int:
    """Run until Ctrl-C or SIGTERM; a second one ends the process at once."""

    async def body() -> None:
        loop = asyncio.get_running_loop()
        async with Supervisor(name) as supervisor:

            def stop() -> None:
                for number in (signal.SIGINT, signal.SIGTERM):
                    loop.remove_signal_handler(number)
                    signal.signal(number, signal.SIG_DFL)
                supervisor.stop()

            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, stop)
            await run(supervisor)

    asyncio.run(body())
    return 0


def _welcome(settings: Settings, address: str) -> None:
    _out.print(f"Atelier is ready: [bold]{address}[/bold]")
    if services := _services(settings):
        _out.print(f"[dim]Works are made with: {', '.join(services)}.[/dim]")
    if settings.model == "rehearsal":
        _out.print(
            "[dim]The rehearsal model plans by rules; set ATELIER_MODEL to use a language model."
            "[/dim]"
        )
    _out.print("[dim]Ctrl-C ends it.[/dim]")


_COMMANDS = {
    "all": _all,
    "serve": _serve,
    "migrate": _migrate,
    "orphans": _orphans,
    "openapi": _openapi,
}

if __name__ == "__main__":
    sys.exit(main())
