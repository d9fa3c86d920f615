from __future__ import annotations

import json
from typing import Any


class Refusal(Exception):
    """The service answered, and refused.

    status: of HTTP.
    code:   what kind of refusal it is, such as over_receipt: for programs, while the message is for people.
    body:   the whole answer, with the fields that some kinds have.
    """

    def __init__(self, status: int, code: str, message: str, body: dict[str, Any]):
        super().__init__(message)
        self.status, self.code, self.body = status, code, body


class Unreachable(Exception):
    """No answer came, however often it was tried. Whether the request was carried out is not known."""


def refusal_of(status: int, content: bytes) -> Refusal:
    text = content.decode("utf-8", "replace")
    try:
        body = json.loads(text)
    except ValueError:
        body = {}
    if not isinstance(body, dict):
        body = {}
    code = str(body.get("code") or body.get("error_kind") or f"http_{status}")
    details = body.get("details")
    first = details[0] if isinstance(details, list) and details and isinstance(details[0], dict) else {}
    if first.get("msg"):
        message = " ".join(str(part) for part in [*(first.get("loc") or []), first["msg"]])
    else:
        message = str(body.get("message") or body.get("error") or text)
    return Refusal(status, code, message, body)
