import { COLLECTIONS, shipByRows } from "../support/carrier-requests.js";
import {
  accountWith,
  CARRIER_ENV,
  LABELS,
  type LocalCarrier,
  labelIn,
  openCarrier,
  PARCELS,
  parcelTo,
} from "../support/carriers.js";
import { warehouse } from "../support/fixtures.js";
import { openService, type TestService } from "../support/service.js";
import { codeOf } from "../support/shown-floor.js";
import { endsCancelled, TIME, temporalUi } from "../support/temporal-ui.js";

/** Labels and collections of carriers, in Temporal's own UI, as in temporal-ui-messages.test.ts. */
describe("the Temporal UI shows of what carriers are asked:", function () {
  this.timeout(120_000);
  const ui = temporalUi();
  let service: TestService;
  let carrier: LocalCarrier;
  let warehouse_id: number;
  before(async () => {
    service = await openService({ worker: true, env: CARRIER_ENV });
    carrier = await openCarrier();
    warehouse_id = await warehouse();
    await accountWith(service.admin, warehouse_id, carrier);
  });
  after(async () => {
    await service.close();
    await carrier.close();
  });

  /** The workflow of the label of a new parcel. */
  async function label(body: object = {}) {
    const { parcel_id } = await parcelTo(warehouse_id);
    const { purchase_id } = await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, body);
    return { id: `label-purchase-${parcel_id}`, purchase_id, parcel_id };
  }

  it("that it was bought, taken back, or refused", async () => {
    const { id, purchase_id, parcel_id } = await label();
    await ui.check("label-bought", id, {
      list: ["COMPLETED", "labelPurchase", "bought"],
      details: [/label of .* has ended: bought/, "the carrier sold it"],
    });
    await service.admin.ok("POST", `${LABELS}/${purchase_id}/void`);
    await labelIn(service.admin, parcel_id, "voided");
    await ui.check("label-voided", id, {
      list: ["COMPLETED", "labelPurchase", "voided"],
      page: [/Attempt 1 of 30 to take it back: label of/],
      details: ["the carrier took it back; it has not paid back yet"],
    });
    await ui.check("label-failed", (await label({ service: "Balloon" })).id, {
      list: ["FAILED", "labelPurchase", "failed"],
      page: [/was not bought/, /Balloon does not take this parcel/],
      details: [/has ended: failed/, "mend the cause, then ask for it again"],
    });
  });

  it("why it is tried again, and when; that it was given up there", async () => {
    await carrier.fault({ status: 500, path: "/v2/", times: 99 });
    const { id } = await label();
    await ui.look("label-retrying", id, {
      list: ["RUNNING", "labelPurchase", "retrying", await codeOf(warehouse_id)],
      page: [/attempt \d failed: EasyPost answered with HTTP status 500/],
      details: [/label of .* waits for its next attempt/, /attempt \d of 30 at/, TIME],
    });
    await ui.pressCancel(id);
    await endsCancelled(id);
    await ui.check("label-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI"],
    });
    await carrier.mended();
  });

  it("what a collection waits for, why its manifest is late, and that it left", async () => {
    const here = await warehouse();
    const account_id = await accountWith(service.admin, here, carrier, { collection_at: "23:59", scan_out: true });
    const { parcel_id } = await parcelTo(here);
    await service.admin.ok("POST", `${PARCELS}/${parcel_id}/label`, {});
    const { carrier: by } = await labelIn(service.admin, parcel_id, "bought", "failed");
    const { collection_id } = await service.admin.ok("POST", COLLECTIONS, { account_id, carrier: by });
    const id = `carrier-collection-${collection_id}`;
    await ui.look("collection-waits", id, {
      list: ["RUNNING", "carrierCollection", "collecting", await codeOf(here)],
      page: [/takes labels until its cut-off/],
      details: [
        /collection of .* takes labels until its cut-off/,
        "parcels in it: 1",
        /manifest is asked for at/,
        TIME,
      ],
    });
    await carrier.fault({ status: 503, path: "/v2/", times: 99 });
    await service.admin.ok("POST", `${COLLECTIONS}/${collection_id}/close`, {});
    await ui.check("collection-retrying", id, {
      list: ["RUNNING", "carrierCollection", "retrying"],
      details: [/waits for its next attempt to get the manifest/, "HTTP status 503", TIME],
    });
    await carrier.mended();
    await ui.check("collection-at-the-truck", id, {
      list: ["RUNNING", "carrierCollection", "collecting"],
      details: [/has its manifest and waits for the truck/, /0 of 1 loaded at/, "somebody hands it over"],
    });
    await shipByRows(parcel_id);
    const scanned_barcode = `PCL-${parcel_id}`;
    await service.admin.ok("POST", `${COLLECTIONS}/${collection_id}/scan`, { scanned_barcode });
    await service.admin.ok("POST", `${COLLECTIONS}/${collection_id}/hand-over`, {});
    await ui.check("collection-left", id, {
      list: ["COMPLETED", "carrierCollection", "collected"],
      details: [/collection of .* has ended: collected/],
    });
  });
});
