"""A typed client of the Warehouse Execution Service. Python 3.9 or later, standard library only."""

from .pages import each
from .refusal import Refusal, Unreachable
from .routes import Routes as WarehouseClient
from .transport import new_key
from .webhooks import verify_webhook

__all__ = ["Refusal", "Unreachable", "WarehouseClient", "each", "new_key", "verify_webhook"]
