"""An attribute that is opened once, on first use, also when several threads ask at the same time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar, overload

T = TypeVar("T")


class HasLock(Protocol):
    """What the owner needs: a reentrant lock, since opening one service may open another."""

    @property
    def opening(self) -> Any: ...


class opened(Generic[T]):  # noqa: N801 - used as a decorator, like cached_property
    """Like ``functools.cached_property``, which takes no lock since Python 3.12."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> opened[T]: ...
    @overload
    def __get__(self, instance: HasLock, owner: type) -> T: ...
    def __get__(self, instance: HasLock | None, owner: type) -> opened[T] | T:
        if instance is None:
            return self
        with instance.opening:
            kept: dict[str, T] = vars(instance)
            if self._name not in kept:
                kept[self._name] = self._make(instance)
            return kept[self._name]
