"""The program `python -m engine`: its subcommands, and how a command ends."""

from __future__ import annotations

import argparse
import io
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from cache import StoreWarning
from engine.cli.attack import ATTACK
from engine.cli.audit import AUDIT
from engine.cli.choose import CHOOSE
from engine.cli.command import Command
from engine.cli.datasets import DATASETS
from engine.cli.describe import DESCRIBE
from engine.cli.evaluate import EVALUATE
from engine.cli.front import FRONT
from engine.cli.messages import say, warn
from engine.cli.reproduce import REPRODUCE
from engine.cli.sweep import SWEEP
from engine.cli.users import USERS
from engine.destination import OutputError, check_destination
from engine.errors import InputError
from engine.starting import INTERRUPTED

#: A new command is a module of this package, and its entry here.
COMMANDS = (
    EVALUATE, REPRODUCE, SWEEP, FRONT, CHOOSE, USERS, ATTACK, AUDIT, DESCRIBE, DATASETS,
)  # fmt: skip

_PROGRAM = "python -m engine"
_BAD_INPUT = 2


class _Once(argparse.Action):
    """Keeps the value of an option. A second value is refused: one of them would not count."""

    _given = False

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if self._given:
            raise argparse.ArgumentError(self, "given twice; give it once")
        self._given = True
        setattr(namespace, self.dest, values)


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number such as 0.2") from None


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line; capitals do not matter unless an option has a type."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("type", None, str.lower)
        self.register("type", int, _whole_number)
        self.register("type", float, _number)
        self.register("action", None, _Once)
        # argparse takes -5 for a value, but -5% and -1e-3 for options. No option begins so.
        self._negative_number_matcher = re.compile(r"-(\.?\d|inf|nan)", re.IGNORECASE)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message[:1].upper()}{message[1:]}. See `{self.prog} --help`.")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit status.

    It is 0, or what the command says about its result, 2 for bad input, 130 when interrupted.
    """
    warnings.showwarning = _show_warning
    warnings.simplefilter("once", StoreWarning)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that lacks a letter
    options = argparse.Namespace(no_cache=False)
    try:
        _parse(arguments, options)
        check_destination(options.out, getattr(options, "source", None))
        return options.command.run(options) or 0
    except InputError as error:
        say(f"error: {error}")
        if isinstance(error, OutputError):
            _forget_stdout()
        return _BAD_INPUT
    except KeyboardInterrupt:
        afterwards = (
            "nothing is kept." if options.no_cache else "the same command goes on from there."
        )
        say(f"Interrupted; {afterwards}")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing is wrong, and Python must not flush again.
        _forget_stdout()
    except MemoryError:
        say("error: There is not enough memory: take a sample of the users with --sample-users.")
        return _BAD_INPUT
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        say(f"error: {name}{error.strerror or error}.")
        return _BAD_INPUT
    return 0


def _forget_stdout() -> None:
    """Keep Python from writing at the end what could not be written before."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, *_: object, **__: object) -> None:
    warn(message)


def _parse(arguments: Sequence[str] | None, options: argparse.Namespace) -> None:
    """Read the arguments into `options`; an error names the help of the command it is about."""
    _, unknown = _make_parser().parse_known_args(arguments, options)
    if unknown:
        options.parser.error(f"unrecognized arguments: {' '.join(unknown)}")


def _make_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog=_PROGRAM,
        allow_abbrev=False,
        description="Reproduce the figures of ReuseKNN on your ratings.",
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[:1].upper()}{command.summary[1:]}.",
            usage=_usage(command),
            allow_abbrev=False,
        )
        command.add_options(subparser)
        subparser.set_defaults(command=command, parser=subparser)
    return parser


def _usage(command: Command) -> str:
    source = " SOURCE" if command.reads_source else ""
    return f"{_PROGRAM} {command.name}{source} [options]"
