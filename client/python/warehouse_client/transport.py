from __future__ import annotations

import http.client
import json
import random
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from email.utils import parsedate_to_datetime
from typing import Any, Callable, Optional, Union

from .refusal import Unreachable, refusal_of

# Too many requests; and what a service or its proxy answers while it starts, stops or is overloaded.
_AGAIN = {429, 502, 503, 504}
_LONGEST_WAIT_S = 5.0

Token = Union[str, Callable[[], Optional[str]], None]


def new_key() -> str:
    """A key that nobody had before."""
    return secrets.token_hex(16)


class Transport:
    """Sends requests until there is an answer.

    base_url:          such as https://warehouse.example.com
    token:             of a login, or a function that is asked for it before each request
    integration_token: of a partner that polls events, or of a shop that pushes records
    give_up_after:     how long a request may take with all its retries, in seconds; 0 is one attempt
    attempt_timeout:   how long one attempt may wait for the server, in seconds
    first_wait:        before the second attempt; it doubles with each further one up to 5 s
    """

    def __init__(
        self,
        base_url: str,
        *,
        token: Token = None,
        integration_token: Token = None,
        give_up_after: float = 30.0,
        attempt_timeout: float = 15.0,
        first_wait: float = 0.2,
    ):
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url begins with https:// or http://")
        self.base_url = base_url.rstrip("/")
        self.token, self.integration_token = token, integration_token
        self.give_up_after, self.attempt_timeout, self.first_wait = give_up_after, attempt_timeout, first_wait
        # A token goes nowhere but to the service, so redirects are not followed.
        self._opener = urllib.request.build_opener(_NoRedirect)

    def _call(
        self,
        method: str,
        path: str,
        in_path: dict[str, Any],
        query: dict[str, Any],
        body: Any = None,
        idempotency_key: str | None = None,
    ) -> Any:
        url = self.base_url + _url_of(path, in_path, query)
        headers = {"Accept": "application/json, */*;q=0.1"}
        # With the same key in all its attempts, a change happens once.
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or new_key()
        data = None
        if body is not None:
            data = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
            headers["Content-Type"] = "application/json"
        token, partner = _said(self.token), _said(self.integration_token)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if partner:
            headers["X-WMS-Token"] = partner
        status, kind, content = self._until_answered(method, url, headers, data)
        if not 200 <= status < 300:
            raise refusal_of(status, content)
        if not content:
            return None
        return json.loads(content) if "json" in kind else content

    def _until_answered(self, method: str, url: str, headers: dict[str, str], data: bytes | None):
        until = time.monotonic() + self.give_up_after
        attempt = 0
        while True:
            answer, cause = None, None
            request = urllib.request.Request(url, data, headers, method=method)
            try:
                with self._opener.open(request, timeout=self.attempt_timeout) as response:
                    return response.status, response.headers.get("Content-Type", ""), response.read()
            except urllib.error.HTTPError as error:
                with error:
                    try:
                        content = error.read()
                    except (OSError, http.client.HTTPException):
                        content = b""
                    answer = error.code, error.headers.get("Content-Type", ""), content
                if error.code not in _AGAIN:
                    return answer
                asked = _asked_wait(error.headers.get("Retry-After"))
            except (OSError, http.client.HTTPException) as error:
                cause, asked = error, 0.0
            back_off = min(_LONGEST_WAIT_S, self.first_wait * 2**attempt) * random.uniform(0.5, 1.0)
            wait = max(back_off, asked)
            if time.monotonic() + wait > until:
                if answer:
                    return answer
                raise Unreachable("The service does not answer") from cause
            time.sleep(wait)
            attempt += 1


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _said(token: Token) -> str | None:
    return token() if callable(token) else token


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _url_of(path: str, in_path: dict[str, Any], query: dict[str, Any]) -> str:
    for name, value in in_path.items():
        path = path.replace("{%s}" % name, urllib.parse.quote(_text(value), safe=""))
    pairs = [
        (name, _text(one))
        for name, value in query.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return f"{path}?{urllib.parse.urlencode(pairs)}" if pairs else path


def _asked_wait(value: str | None) -> float:
    """What the server asks to wait, in seconds; it may be a number of them or a date."""
    if not value:
        return 0.0
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return 0.0
