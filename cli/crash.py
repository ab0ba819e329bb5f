"""The outermost layer of each command, which keeps tracebacks from users."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Callable, Sequence
from functools import wraps
from types import FrameType

EXTRAS = {
    "numpy": "run",
    "highspy": "optimal",
    "islpy": "proof",
    "z3": "proof",
    "ortools": "plan",
    "pygls": "lsp",
    "lsprotocol": "lsp",
    "distributed": "cluster",
    "xdsl": "xdsl",
}
"""Libraries that are no part of a plain installation, and the extra that each comes with."""

NOT_DONE = 2
"""The exit code where something could not be done at all; 1 is for what was found."""

RARE = 100_000
"""How many objects are made between two runs of the cyclic collector; Python's own is 700. What a command imports and reads lives
until it ends. 10 of 200 ms of a whole pipeline on ten lines."""

Main = Callable[[Sequence[str] | None], int]


def guarded(command: str, failed: int = 1) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a `main` return `failed` with a message instead of raising. BUFFERIZE_DEBUG=1 lets exceptions through."""

    def wrap(main: Callable[..., int]) -> Callable[..., int]:
        @wraps(main)
        def run(arguments: Sequence[str] | None = None) -> int:
            if os.environ.get("BUFFERIZE_DEBUG"):
                return main(arguments)
            _open_streams()
            usual = gc.get_threshold() if hasattr(gc, "get_threshold") else ()  # PyPy has none
            if usual:
                gc.set_threshold(RARE, *usual[1:])
            try:
                code = main(arguments)
                sys.stdout.flush()  # here, where a full disk or a closed pipe can still be reported
                if arguments is None:
                    leave(code, sys._getframe(1))
                return code
            except BrokenPipeError:
                # whoever read our output has seen enough, as with ruff; give the interpreter nothing left to flush
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                return 0
            except OSError as failure:
                # the user's files are opened where their errors are told: what is left is standard output, and our own files
                what = "cannot write the output" if failure.filename is None else f"'{failure.filename}'"
                sys.stderr.write(f"{command}: error: {what}: {failure.strerror or failure}\n")
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                return failed
            except KeyboardInterrupt:
                sys.stderr.write("\n")
                return 130
            except ModuleNotFoundError as failure:
                sys.stderr.write(missing_extra(command, failure) or internal_error(command, failure))
                return failed
            except Exception as failure:
                sys.stderr.write(internal_error(command, failure))
                return failed
            finally:
                if usual:
                    gc.set_threshold(*usual)

        return run

    return wrap


def leave(code: int, caller: FrameType) -> None:
    """End the process of a command that is done, without taking apart what it imported: a tenth of what a small command takes.

    Args:
        caller: who called the command. Nothing ends if that is not the script of the command, with which the process began.
    """
    threads = sys.modules.get("threading")
    is_script = caller.f_back is None and os.path.basename(sys.argv[0]).startswith("bufferize")
    if not is_script or sys.flags.inspect or (threads and threads.active_count() > 1):
        return
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code & 0xFF)


class _Closed:
    """Standard output where there is none: writing fails as it does to a file that cannot be written."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False


def _open_streams() -> None:
    """Python has None for a standard stream that was closed before it started."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = _Closed()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def missing_extra(command: str, failure: ModuleNotFoundError) -> str | None:
    """What to install, if what was not found belongs to an extra; None if it does not."""
    library = (failure.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    if extra is None:
        return None
    return (
        f"{command}: error: this needs {library}, which is not installed: pip install 'bufferize[{extra}]'\n"
    )


def internal_error(command: str, failure: BaseException) -> str:
    """What to say about a mistake of ours: that it is one, where it happened, and what helps us mend it."""
    place = ""
    trace = failure.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        place = f"{os.path.basename(code.co_filename)}:{trace.tb_lineno} in {code.co_name}"
        trace = trace.tb_next
    what = f"{type(failure).__name__}: {failure}".strip().splitlines()
    shown = what[0] if what else type(failure).__name__
    return (
        f"{command}: internal error: {shown} ({place})\n"
        "This is a mistake in bufferize, not in your program. Please report it with the input and the command line;\n"
        "BUFFERIZE_DEBUG=1 shows the full trace.\n"
    )
