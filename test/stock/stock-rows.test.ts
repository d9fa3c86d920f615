import assert from "node:assert/strict";
import { db } from "../support/db.js";
import { testService } from "../support/service.js";

describe("stock rows", () => {
  testService({});

  it("have no index that a change of their quantities would write: then each writes them all", async () => {
    const written = await db.column<string>(
      `select distinct indexrelid::regclass::text from pg_index join pg_attribute on attrelid = indrelid
       where indrelid = 'inventory'::regclass
         and attname in ('quantity_on_hand', 'quantity_allocated', 'quantity_doubted', 'updated_at')
         and (attnum = any(indkey) or pg_get_indexdef(indexrelid) ~ attname)`,
    );
    assert.deepEqual(written, []);
  });
});
