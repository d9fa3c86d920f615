from __future__ import annotations

from typing import Any, Callable, Iterator


def each(read: Callable[..., Any], *args: Any, per_page: int = 200, **query: Any) -> Iterator[Any]:
    """The records of a list, of all its pages: for item in each(api.list_items, q="mug"): ...

    The next page is read once the last record of this one was taken.
    """
    page = query.pop("page", 1)
    while True:
        answer = read(*args, page=page, per_page=per_page, **query)
        yield from next((value for value in answer.values() if isinstance(value, list)), [])
        if page >= answer["pages"]:
            return
        page += 1
