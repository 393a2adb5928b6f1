"""Log lines for operators: an event name in snake_case and its values, on standard error.

Our lines and those of libraries share one format, text on a terminal or one JSON object a line.
Whoever starts a run binds `task_id`, `run_id` and `generation` once with `bound`. The product's own
record is the events table, not this; bodies of prompts are never logged above debug.
"""

import logging
import sys
from contextlib import AbstractContextManager
from typing import Literal
from uuid import UUID

import structlog
from structlog.typing import Processor

type Level = Literal["debug", "info", "warning", "error"]

# These libraries tell each request or wake-up at info, some with addresses that carry a key.
_CHATTY = ("httpx", "httpcore", "openai", "anthropic", "procrastinate", "uvicorn.access", "mem0")


def configure_logging(level: Level = "info", style: Literal["console", "json"] = "console") -> None:
    """Set up logging for this process; calling it again replaces the set-up."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *_renderers(style),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name in _CHATTY:
        logging.getLogger(name).setLevel(max(logging.WARNING, root.level))


def get_logger(name: str) -> structlog.stdlib.BoundLogger:
    """Return the logger of a module, named as the module is."""
    return structlog.stdlib.get_logger(name)


def bound(**values: UUID | int | str) -> AbstractContextManager[None]:
    """Add values to every log line written within the `with` block, in tasks started there too."""
    return structlog.contextvars.bound_contextvars(
        **{key: value if isinstance(value, int) else str(value) for key, value in values.items()}
    )


def _renderers(style: Literal["console", "json"]) -> list[Processor]:
    if style == "json":
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    return [
        structlog.dev.ConsoleRenderer(
            colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
        )
    ]
