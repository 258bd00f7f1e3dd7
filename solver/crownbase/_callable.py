"""Stages that share their name with their main function, such as ``crownbase.build``.

``crownbase.build`` is a sub-package, and ``crownbase.build("db")`` is a promised function. Python
binds a sub-package's name in its parent whenever it is imported, so the function cannot have the
name for itself; instead, the package can be called.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    _main: Callable[..., Any]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        return self._main(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._main)


def make_callable(package: str, main: Callable[..., Any]) -> None:
    """Let a call of the imported *package* be a call of *main*."""
    module = sys.modules[package]
    module.__class__ = _CallablePackage
    module._main = main  # type: ignore[attr-defined]
