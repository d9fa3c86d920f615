import assert from "node:assert/strict";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { returnWorkflowId } from "../../src/returns/workflow.js";
import { db } from "../support/db.js";
import { logged } from "../support/log.js";
import { testService } from "../support/service.js";
import { card, cash, checkOut, lineOf, openShop, orderOf, PATH, type Shop, saleOf } from "../support/till.js";
import { until } from "../support/until.js";

const PAN = "4929123456789013";
const CVV = "CVV-7391";
const AUTH_CODE = "AUTH-83512";
const PROCESSOR_REF = "ch_processor_83512";

describe("what is on a card", () => {
  const service = testService({ worker: true });
  let shop: Shop;
  before(async () => {
    shop = await openShop(service, 100);
  });

  /** Sales with card data where none belongs. */
  const refused = (): object[] => {
    const tender = (fields: object) => ({
      payment_summary: { method: "card", tenders: [{ ...card(1200), ...fields }] },
    });
    return [
      tender({ card_number: PAN, cvv: CVV }),
      tender({ pan: PAN }),
      tender({ track2: `;${PAN}=2512` }),
      tender({ card_last4: PAN }),
      tender({ card_last4: CVV }),
      tender({ card_brand: { name: "visa", number: PAN, cvv: CVV } }),
      tender({ auth_code: [PAN, CVV] }),
      { payment_summary: { tenders: [{ ...cash(1200), external_ref: PAN }] } },
      { payment_summary: { card: { number: PAN, cvv: CVV } } },
      { payment_summary: PAN },
      { card_number: PAN, cvv: CVV },
      { lines: [lineOf(shop, 1, { card: { number: PAN, cvv: CVV } })] },
      { cashier_id: { card: PAN, cvv: CVV } },
    ];
  };

  /** Sales that are accepted; a till that errs puts a number where the processor's words belong. */
  const accepted = (): object[] => {
    const paid = (auth_code: string, external_ref: string) => ({
      payment_summary: { method: "card", tenders: [{ ...card(1200), auth_code, external_ref }] },
    });
    return [
      paid(AUTH_CODE, PROCESSOR_REF),
      paid(CVV, PAN),
      { ...paid(CVV, PAN), is_phone_order: true },
      { ...paid(CVV, PAN), lines: [lineOf(shop, 200)] },
    ];
  };

  it("is neither stored, logged, answered nor in the history of a workflow", async () => {
    const answers: string[] = [];
    let rma = 0;
    const lines = await logged("trace", async () => {
      const send = async (fields: object, status: number) => {
        const answer = await checkOut(shop.till, saleOf(shop, fields));
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        answers.push(JSON.stringify([answer.body, [...answer.headers]]));
        return answer.body;
      };
      for (const fields of refused()) await send(fields, 422);
      const [first, second, phone, short] = accepted();
      const { so_number } = await send(first as object, 200);
      await send(second as object, 200);
      await send(phone as object, 200);
      await send(short as object, 422);
      const exchange = { order_type: "exchange", parent_so_number: so_number };
      await send({ ...second, ...exchange, returned_items: [{ sku: shop.sku, quantity: 1 }] }, 200);
      rma = (await orderOf(`${so_number}-RMA`)).so_id;
      const broken = `{"idempotency_key": "${PAN}", "cvv": "${CVV}"`;
      const cut = await shop.till.call("POST", `${PATH}/checkout`, broken);
      answers.push(JSON.stringify(cut.body));
    });
    const found = (text: string) => [PAN, CVV, AUTH_CODE, PROCESSOR_REF].filter((secret) => text.includes(secret));
    assert.deepEqual(found(answers.join()), []);
    assert.deepEqual(found(JSON.stringify(lines)), []);
    assert.deepEqual(found(await everyRow()), []);

    const handle = temporalClient().workflow.getHandle(returnWorkflowId(rma));
    await until(async () => {
      const events = (await handle.fetchHistory().catch(() => undefined))?.events ?? [];
      return events.some((event) => event.workflowTaskCompletedEventAttributes);
    });
    const { events } = await handle.fetchHistory();
    const payloads = JSON.stringify(events).replaceAll(/"data":"([^"]*)"/g, (_, data) =>
      Buffer.from(data, "base64").toString(),
    );
    assert.ok(payloads.includes("system:wms_token"), "the history cannot be read");
    assert.deepEqual(found(payloads), []);
    assert.ok((await everyRow()).includes("cashier-7"), "the rows cannot be read");
  });
});

/** All rows of all tables, as JSON. */
async function everyRow(): Promise<string> {
  const tables = await db.rows<{ name: string }>(
    "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
  );
  const texts = await Promise.all(
    tables.map(({ name }) =>
      db.row<{ rows: string }>(`select coalesce(string_agg(row_to_json(t)::text, ' '), '') as rows from ${name} t`),
    ),
  );
  return texts.map((text) => text?.rows).join(" ");
}
