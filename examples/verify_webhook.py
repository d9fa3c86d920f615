"""Tells whether a request comes from the warehouse service. Python 3.8 or later, standard library only.

Public keys (whpk_) need the package cryptography besides: the standard library has no ed25519.

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
PUBLIC = "whpk_"  # before a public key, which checks signatures and makes none


def verify_webhook(headers, body, keys, now=None):
    """True when these bytes are signed with one of our secrets, or for one of our public keys, by a clock that agrees with ours.

    headers: looked up by name whatever the case, as http.server, Flask and Django (request.headers) have them.
    body:    the bytes as they came. Parsed and written again they would be other bytes.
    keys:    secrets (whsec_) and public keys (whpk_), whole texts. While one is being rotated both may be given, in any
             order. A public key is no secret: it confirms signatures v1a, and nothing else. Without the package
             cryptography it raises an error, rather than refuse what is genuine.
    now:     our clock, in seconds.
    """
    timestamp = headers.get("X-Service-Timestamp") or ""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > WINDOW_S:
        return False

    # All schemes sign the same bytes. Right after a rotation only the first is not also signed with the old secret.
    claimed = [headers.get("X-Service-Signature") or ""]
    claimed += (headers.get("webhook-signature") or "").split(" ")
    message_id = headers.get("webhook-id") or ""
    prefix = f"{message_id}.{timestamp}."
    for key in keys:
        if key.startswith(PUBLIC):
            if any([_is_signed_by(key, claim, prefix.encode() + body) for claim in claimed]):
                return True
            continue
        own = _sign(key.encode(), f"{timestamp}.", body).hex()
        decoded = base64.b64decode(key[len("whsec_"):])
        standard = base64.b64encode(_sign(decoded, prefix, body)).decode()
        for claim in claimed:
            # Takes as long for a near miss as for a far one.
            if _is_same(claim, f"sha256={own}") or _is_same(claim, f"v1,{standard}"):
                return True
    return False


def _is_signed_by(public_key, claim, signed):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as missing:
        raise RuntimeError("public keys (whpk_) need a package: pip install cryptography") from missing
    signature = re.fullmatch(r"v1a,([A-Za-z0-9+/]{86}==)", claim)
    try:
        known = Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key[len(PUBLIC):]))
    except ValueError:  # a key that is none signed nothing
        return False
    try:
        if signature:
            known.verify(base64.b64decode(signature[1]), signed)
        return bool(signature)
    except InvalidSignature:
        return False


def _sign(key, prefix, body):
    return hmac.new(key, prefix.encode() + body, hashlib.sha256).digest()


def _is_same(left, right):
    return hmac.compare_digest(left.encode(), right.encode())
