"""Tells whether a request comes from the warehouse service. Python 3.8 or later, standard library only.

    class Receiver(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if not verify_webhook(self.headers, body, [SECRET]):
                return self.send_error(401)
            store(json.loads(body))  # unless its event_id was stored before
            self.send_response(204)
            self.end_headers()
"""

import base64
import hashlib
import hmac
import re
import time

WINDOW_S = 300  # how far the sender's clock may be from ours


def verify_webhook(headers, body, secrets, now=None):
    """True when one of our secrets signed these bytes, by a clock that agrees with ours.

    headers: looked up by name whatever the case, as http.server, Flask and Django (request.headers) have them.
    body:    the bytes as they came. Parsed and written again they would be other bytes.
    secrets: the whole texts, whsec_ included. While a secret is being rotated both may be given, in any order.
    now:     our clock, in seconds.
    """
    timestamp = headers.get("X-Service-Timestamp") or ""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > WINDOW_S:
        return False

    # Two schemes sign the same bytes. Right after a rotation only the second is also signed with the old secret.
    claimed = [headers.get("X-Service-Signature") or ""]
    claimed += (headers.get("webhook-signature") or "").split(" ")
    message_id = headers.get("webhook-id") or ""
    for secret in secrets:
        own = _sign(secret.encode(), f"{timestamp}.", body).hex()
        decoded = base64.b64decode(secret[len("whsec_"):])
        standard = base64.b64encode(_sign(decoded, f"{message_id}.{timestamp}.", body)).decode()
        for claim in claimed:
            # Takes as long for a near miss as for a far one.
            if _is_same(claim, f"sha256={own}") or _is_same(claim, f"v1,{standard}"):
                return True
    return False


def _sign(key, prefix, body):
    return hmac.new(key, prefix.encode() + body, hashlib.sha256).digest()


def _is_same(left, right):
    return hmac.compare_digest(left.encode(), right.encode())
