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

/** Labels of carriers, in Temporal's own UI, as in temporal-ui-messages.test.ts. */
describe("the Temporal UI shows of a label of a carrier:", function () {
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
      details: ["the carrier took it back"],
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
      page: [/attempt \d failed: The source answered with HTTP status 500/],
      details: [/label of .* waits for its next attempt/, /attempt \d of 30 at/, TIME],
    });
    await ui.pressCancel(id);
    await endsCancelled(id);
    await ui.check("label-cancelled-in-ui", id, {
      list: ["CANCELED", "cancelled"],
      details: ["cancellation was requested in the Temporal UI"],
    });
  });
});
