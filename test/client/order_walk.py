"""What a program does with the client for Python. It is run by test/client/python.test.ts, with the address, a user and
a password, and prints the order's status at each desk, and how many items there are."""

import json
import sys

from warehouse_client import WarehouseClient, each


def walk_order(base_url, username, password):
    api = WarehouseClient(base_url)
    api.token = api.log_in({"username": username, "password": password})["token"]

    warehouse_id = api.create_warehouse({"warehouse_code": "WHP", "warehouse_name": "Columbus"})["warehouse_id"]
    zone = {"warehouse_id": warehouse_id, "zone_code": "A", "zone_name": "Aisle zone A", "zone_type": "STORAGE"}
    zone_id = api.create_zone(zone)["zone_id"]

    def bin_of(code, kind):
        place = {"warehouse_id": warehouse_id, "zone_id": zone_id}
        return api.create_bin({**place, "bin_code": code, "bin_barcode": code, "bin_type": kind})["bin_id"]

    staging, shelf = bin_of("P-STAGE-1", "Staging"), bin_of("P-01-02", "Pickable")
    upc = "0400000000022"
    item_id = api.create_item({"sku": "MUG-02", "item_name": "Red mug", "upc": upc})["item_id"]

    lines = [{"item_id": item_id, "quantity_ordered": 2}]
    bought = api.create_purchase_order({"po_number": "PO-3001", "warehouse_id": warehouse_id, "lines": lines})
    po_id = bought["purchase_order"]["po_id"]
    received = api.receive_items({"po_id": po_id, "items": [{"item_id": item_id, "quantity": 2, "bin_id": staging}]})
    api.confirm_put_away({"item_id": item_id, "from_bin_id": staging, "to_bin_id": shelf, "quantity": 2})

    ordered = api.create_sales_order({"so_number": "SO-3001", "warehouse_id": warehouse_id, "lines": lines})
    so_id = ordered["sales_order"]["so_id"]
    wave = api.create_pick_wave({"so_ids": [so_id], "warehouse_id": warehouse_id})
    pick = wave["first_pick"]
    api.confirm_pick(
        {
            "pick_task_id": pick["pick_task_id"],
            "scanned_barcode": upc,
            "quantity_picked": pick["quantity_to_pick"],
        }
    )
    summary = api.complete_pick_batch({"batch_id": wave["batch_id"]})["summary"]
    api.verify_packed_item({"so_id": so_id, "scanned_barcode": upc, "quantity": 2})
    packed = api.complete_packing({"so_id": so_id})
    api.ship_sales_order({"so_id": so_id, "tracking_number": "1Z999AA10123456784", "carrier": "UPS"})
    order = api.get_sales_order(so_id)["sales_order"]
    picked = [order["status"] for order in summary["orders"]]
    statuses = [received["po_status"], *picked, packed["status"], order["status"]]

    # Page after page of one record each.
    skus = [item["sku"] for item in each(api.list_items, per_page=1, sort="sku")]
    return {"statuses": statuses, "skus": skus, "total": api.list_items()["total"]}


print(json.dumps(walk_order(*sys.argv[1:])))
