"""Stages that share their name with their main function, such as ``crownbase.build``.

``crownbase.build`` is a sub-package, and ``crownbase.build("db")`` is a promised function. Python
binds a sub-package's name in its parent whenever it is imported, so the function cannot have the
name for itself; instead, the package can be called. No ordinary way gives both: a module is called
only through its class. What looks at the package (``help``, ``inspect``) is shown the function.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    _main: Callable[..., Any]
    _about: str

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._main(*arguments, **options)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        """The function's signature and text, and what the package is."""
        call = f"{self._main.__name__}{inspect.signature(self._main)}"
        return f"{call}\n\n{inspect.getdoc(self._main)}\n\n{self._about}"

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._main)


def make_callable(package: str, main: Callable[..., Any]) -> None:
    """Let a call of the imported *package* be a call of *main*."""
    module = sys.modules[package]
    module._about = module.__dict__.pop("__doc__") or ""  # type: ignore[attr-defined]
    module.__class__ = _CallablePackage
    module._main = main  # type: ignore[attr-defined]
