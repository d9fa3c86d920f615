import assert from "node:assert/strict";
import type { Caller } from "../support/caller.js";
import { item, warehouse } from "../support/fixtures.js";
import { closedParcel, newBox, openParcel, PARCELS } from "../support/parcels.js";
import { scannedPdf } from "../support/printed/fetch.js";
import { testService } from "../support/service.js";
import { pickedOrder } from "../support/walk.js";

describe("papers of parcels", () => {
  const service = testService();
  let here: number;
  let packer: Caller;
  before(async () => {
    here = await warehouse();
    packer = await service.user({ warehouse_ids: [here] });
  });

  /** An order of mugs and tea in three parcels, the second of which is void. */
  async function packed() {
    const [mug, tea] = [await item(), await item()];
    const order = await pickedOrder(service.admin, here, [
      { item: mug, quantity: 3 },
      { item: tea, quantity: 2, lot: "L-7" },
    ]);
    const { so_id } = order;
    const first = await closedParcel(packer, so_id, mug.sku, 1);
    const gone = await openParcel(packer, so_id, mug.sku, 1);
    await packer.ok("POST", `${PARCELS}/${gone.parcel_id}/void`, {});
    const { box_id, box_code } = await newBox(service.admin);
    const last = await packer.ok("POST", `${PARCELS}/rest`, { so_id, box_id, weight_lbs: 2.5 });
    return { ...order, mug, tea, first, last, box_code };
  }
  const shown = (texts: string[] = []) => texts.join(" ").replace(/\s+/g, " ");

  it("are a label with its code and its place among those of the order", async () => {
    const { so_number, last, box_code } = await packed();
    const [page, ...others] = await scannedPdf(packer, `${PARCELS}/${last.parcel_id}/label`);
    assert.deepEqual([others, page?.barcodes], [[], [{ text: `PCL-${last.parcel_id}`, format: "Code128" }]]);
    for (const part of [so_number, "2 of 2", "Customer", box_code, "2.5 lb"])
      assert.ok(shown(page?.texts).includes(part), `${part} in ${shown(page?.texts)}`);
  });

  it("are a slip with what is in it alone", async () => {
    const { so_number, mug, tea, first, last } = await packed();
    const slip = async (parcel_id: number) => {
      const [page] = await scannedPdf(packer, `${PARCELS}/${parcel_id}/packing-slip`);
      return { text: shown(page?.texts), barcodes: page?.barcodes };
    };
    const [one, two] = [await slip(first.parcel_id), await slip(last.parcel_id)];
    assert.deepEqual(one.barcodes, [{ text: `PCL-${first.parcel_id}`, format: "Code128" }]);
    assert.match(one.text, new RegExp(`${so_number}.*1 of 2.*3 1 ${mug.sku}`));
    assert.ok(!one.text.includes(tea.sku));
    assert.match(two.text, new RegExp(`3 2 ${mug.sku}.*2 2 ${tea.sku}.*2 of lot L-7`));
  });

  it("are refused for what is not there, and on paper that a roll has not", async () => {
    const { last } = await packed();
    for (const paper of ["label", "packing-slip"])
      assert.equal((await packer.get(`${PARCELS}/999999/${paper}`)).code, "parcel_not_found");
    const answer = await packer.get(`${PARCELS}/${last.parcel_id}/packing-slip?format=zpl&size=A4`);
    assert.deepEqual([answer.status, answer.code], [400, "size_not_on_roll"]);
  });
});
