"""The outermost layer of each command, which turns exceptions into messages."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys

TYPE_CHECKING = False  # see `bufferize/__init__.py`
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
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
    "shtab": "completion",
    "watchfiles": "watch",
    "xdsl": "xdsl",
}
"""Libraries outside the default installation, and the extra that provides each."""

NOT_DONE = 2
"""The exit code if the command could not do its work; 1 means findings."""

RARE = 100_000
"""Allocations between two runs of the cyclic collector; Python's default is 700. A command's imports and input live
until it ends, and the default costs 10 of 200 ms for a whole pipeline on ten lines.
"""


def guarded(command: str, failed: int = 1) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Make a `main` return `failed` with a message instead of raising. BUFFERIZE_DEBUG=1 lets exceptions through."""

    def wrap(main: Callable[..., int]) -> Callable[..., int]:
        def run(arguments: Sequence[str] | None = None) -> int:
            if os.environ.get("BUFFERIZE_DEBUG"):
                return main(arguments)
            _open_streams()
            usual = gc.get_threshold() if hasattr(gc, "get_threshold") else ()  # PyPy has none
            if usual:
                gc.set_threshold(RARE, *usual[1:])
            try:
                code = main(arguments)
                sys.stdout.flush()  # flush here, where a full disk or a closed pipe can still be reported
                if arguments is None:
                    leave(code, sys._getframe(1))
                return code
            except BrokenPipeError:
                # the reader closed the pipe, as `head` does; leave the interpreter nothing to flush
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                return 0
            except OSError as failure:
                # errors of input files are handled where they are read: only standard output and our own files remain
                what = "cannot write the output" if failure.filename is None else f"'{failure.filename}'"
                sys.stderr.write(f"{command}: error: {what}: {failure.strerror or failure}\n")
                os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
                return failed
            except KeyboardInterrupt:
                sys.stderr.write("\n")
                return 130
            except ModuleNotFoundError as failure:
                sys.stderr.write(missing_extra(command, failure) or unexpected(command, failure))
                return failed
            except Exception as failure:
                sys.stderr.write(unexpected(command, failure))
                return failed
            finally:
                if usual:
                    gc.set_threshold(*usual)

        run.__name__, run.__doc__ = main.__name__, main.__doc__
        return run

    return wrap


def leave(code: int, caller: FrameType) -> None:
    """Exit without tearing down the imported modules, which would take a tenth of the time of a small command.

    Args:
        caller: the frame that called the command. Only exits if that is the process's entry script.
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
    """Stands in for a missing standard output: writing fails as for an unwritable file."""

    encoding = "utf-8"

    def write(self, text: str) -> int:
        raise OSError(errno.EBADF, "standard output is closed")

    def flush(self) -> None: ...

    def isatty(self) -> bool:
        return False


def _open_streams() -> None:
    """Replace standard streams that are None because they were closed before Python started."""
    if sys.stdout is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stdout = _Closed()
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def missing_extra(command: str, failure: ModuleNotFoundError) -> str | None:
    """The installation hint if the missing library belongs to an extra; else None."""
    library = (failure.name or "").partition(".")[0]
    extra = EXTRAS.get(library)
    if extra is None:
        return None
    return (
        f"{command}: error: this needs {library}, which is not installed: pip install 'bufferize[{extra}]'\n"
    )


def unexpected(command: str, failure: BaseException) -> str:
    """The message for an unexpected exception: an error of the user's own Python code, or an internal one."""
    return error_of_user_code(command, failure) or internal_error(command, failure)


def error_of_user_code(command: str, failure: BaseException) -> str | None:
    """The message if the exception passed through Python code of the user, such as a dialect or an analysis; else None."""
    import sysconfig

    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
    installed = tuple(sysconfig.get_paths().values())
    place, is_inside = "", False
    trace = failure.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename.startswith(own):
            is_inside = True
        elif is_inside and not code.co_filename.startswith(("<", *installed)):
            place = f"{code.co_filename}:{trace.tb_lineno}: in {code.co_name}"
        trace = trace.tb_next
    if not place:
        return None
    what = f"{type(failure).__name__}: {failure}".strip().splitlines()[0]
    return f"{command}: error: {place}: {what}\nBUFFERIZE_DEBUG=1 shows the full trace.\n"


def internal_error(command: str, failure: BaseException) -> str:
    """The message for an internal error: where it happened, and what to report."""
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
