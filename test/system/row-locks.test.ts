import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface Statement {
  file: string;
  sql: string;
}

const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const TEXTS = /`((?:\\.|\$\{(?:[^{}]|\{[^{}]*\})*\}|[^`\\])*)`|"((?:\\.|[^"\\\n])*)"/g;
const CONSTANTS = /\bconst ([A-Z_]+) =\s*(?:`((?:\\.|[^`\\])*)`|"((?:\\.|[^"\\\n])*)")/g;
const LOCKS = /\bselect\b.*(\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b|\$\{lock\})/i;
const WAITS_NOT = /\b(skip\s+locked|nowait)\b/i;

/** A place in a text that is filled by a constant of this name. */
const PLACE = /\$\{([A-Z_]+)\}/g;

/** The texts of the sources that hold SQL which locks rows, on one line, with `${…}` where something is put in. */
function statements(): Statement[] {
  const sources = ["src", "activities"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => {
        const file = `${folder}/${name.replaceAll("\\", "/")}`;
        return { file, code: readFileSync(join(root, file), "utf8").replace(COMMENTS, "") };
      }),
  );
  const constants = (code: string) =>
    new Map([...code.matchAll(CONSTANTS)].map(([, name, template, text]) => [name as string, template ?? text ?? ""]));
  const everywhere = constants(sources.map(({ code }) => code).join("\n"));
  return sources
    .flatMap(({ file, code }) => {
      const here = constants(code);
      const filled = (sql: string, depth = 0): string =>
        depth > 5
          ? sql
          : sql.replace(PLACE, (place, name: string) => {
              const text = here.get(name) ?? everywhere.get(name);
              return text === undefined ? place : filled(text, depth + 1);
            });
      return [...code.matchAll(TEXTS)].map(([, template, text]) => ({
        file,
        sql: filled(template ?? text ?? "")
          .replace(/\s+/g, " ")
          .trim(),
      }));
    })
    .filter(({ sql }) => LOCKS.test(sql));
}

/** What may be put in: names of columns and tables, and numbers. */
const HARMLESS =
  /\$\{(lock|column|columns|key|type|table|receivers|ordered|BATCH|codeOf\(.*?\)|warehouseOf\(.*?\)|scoped \?.*?)\}/g;

/** Whether it reads rows besides those that it locks, or something may be put in that does. */
function readsOthers({ sql }: Statement): boolean {
  const text = sql.replace(/is (not )?distinct from/gi, "").replace(HARMLESS, "");
  return (text.match(/\b(from|join)\b/gi) ?? []).length > 1 || text.includes("${") || /^with\b/i.test(text);
}

const flagged = () =>
  statements()
    .filter((statement) => !WAITS_NOT.test(statement.sql) && readsOthers(statement))
    .map(({ file, sql }) => `${file}: ${sql}`);

/**
 * Statements that read other rows all the same, by their file and how they begin, and why what they read cannot be
 * older than the row that they waited for.
 */
const EXCEPTIONS: Record<string, string> = {
  "activities/auth/tokens.ts: select token_id": "the rest are keys of its own columns",
  "activities/connectors/sync-state.ts: with held as": "it writes the rows that it has locked, and reads no others",
  "activities/inbound/inventory-update.ts: select item_id, external_id from items where":
    "says which item is meant, as if it was asked before the link or the SKU changed; the item's own columns are new",
  "activities/maintenance/encryption-key.ts: select ${key} as id from ${table}":
    "only chooses receivers; their secrets are read once they are locked",
  "activities/outbound/receivers.ts: with due as":
    "what has expired stays so; a row that changed meanwhile is tested anew before it is deleted",
  "activities/picking/orders-to-pick.ts: select so_id":
    "which orders a batch has changes only under the lock of the batch, which is held",
  "activities/picking/end-wave.ts: select so_id":
    "which orders a batch has changes only under the lock of the batch, which is held",
  "activities/picking/release.ts: select from sales_orders":
    "which orders a batch has changes only under the lock of the batch, which is held",
  "activities/picking/release.ts: select from inventory":
    "the tasks of a batch change only under the lock of the batch, which is held",
  "activities/picking/scan.ts: select from pick_batches": "a task never changes its batch",
  "activities/pos/refund.ts: select from sales_orders": "an order never changes its parent",
  "activities/pos/refund.ts: select from bins":
    "only chooses bins; the next statement reads them, and whether they are in use",
  "activities/receiving/receive.ts: select place":
    "the bins' columns are new; zones and warehouses are not locked, and may be closed a moment later as well",
  "activities/sales-orders/cancel.ts: select from inventory":
    "the lines of an order change only under the lock of the order, which is held",
  "activities/sales-orders/mark-printed.ts: update sales_orders":
    "it writes the rows that it has locked, and reads no others",
  "activities/sales-orders/orders-with-picks.ts: select batch_id":
    "only chooses batches; lockWithPicks asks again whether they are all",
  "activities/stock/moves.ts: select batch_id": "only chooses batches; who locks them asks again whether they are all",
  "activities/stock/moves.ts: select inventory_id, item_id":
    "only decides whether it locks; lockFreeMove looks at what it has",
  "activities/stock/reservations.ts: select from inventory":
    "only chooses stock rows; the reservations are read in the next statement",
  "activities/stock/stock.ts: select inventory_id, item_id": "the places are arguments",
  "activities/stock/stock.ts: select inventory_id from inventory v":
    "only chooses stock rows; what decides on them is read in the next statement",
  "activities/stock/transfer-between-bins.ts: select bin_id, bin_code":
    "the bins' columns are new; zones and warehouses are not locked, and may be closed a moment later as well",
  "activities/stock/transfer-cuts.ts: select to_id":
    "only chooses orders; checkLocked finds those that hold units since",
  "activities/stock/transfer-lock.ts: select to_id": "a batch never changes its transfer order",
  "activities/transfers/release.ts: select from inventory":
    "what an order holds changes only under the lock of the order, which is held",
  "activities/connectors/pushes/write.ts: with recursive":
    "beside the shipments that it waits for it reads events, mappings and parents, which do not change",
  "activities/outbound/webhooks/sending/claim-sql.ts: with s as":
    "who changed the subscription has changed updated_at, and then no row is left; only one worker claims for it",
};

/** What locks, or makes sure that somebody else has: in a statement, or in a function that is called. */
const LOCKING =
  /\block[A-Z]\w*\(|\bLOCK[A-Z_]*\b|\bfor (update|(no )?key (share|update)|share)\b|pg_advisory|\bexpect[A-Z]/;

/** Every `Promise.all([…])` of a source, from bracket to bracket. */
function askedTogether(code: string): string[] {
  return code
    .split("Promise.all([")
    .slice(1)
    .map((rest) => {
      let depth = 1;
      const end = [...rest].findIndex((sign) => {
        depth += Number("([{".includes(sign)) - Number(")]}".includes(sign));
        return depth === 0;
      });
      return rest.slice(0, end);
    });
}

describe("a statement that waits for a row lock", () => {
  it("says that it stands in an order, where others travel with it: `tx.inOrder`", () => {
    const wrong = readdirSync(join(root, "activities"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .flatMap((name) => {
        const code = readFileSync(join(root, "activities", name), "utf8").replace(COMMENTS, "");
        return askedTogether(code)
          .filter((asked) => LOCKING.test(asked))
          .map((asked) => `${name}: ${asked.replace(/\s+/g, " ").trim()}`);
      });
    assert.deepEqual(wrong, []);
  });

  it("reads no other rows: those would be as they were before it waited", () => {
    const known = Object.keys(EXCEPTIONS);
    assert.deepEqual(
      flagged().filter((statement) => !known.some((key) => statement.startsWith(key))),
      [],
    );
  });

  it("is excepted only where it is needed", () => {
    const all = flagged();
    assert.deepEqual(
      Object.keys(EXCEPTIONS).filter((key) => !all.some((statement) => statement.startsWith(key))),
      [],
    );
  });

  it("would be found", () => {
    const place = (name: string) => `${"$"}{${name}}`;
    assert.ok(statements().length > 60);
    for (const sql of [
      "select a from t join u using (b) where c = $1 for update of t",
      "select a, (select b from u) from t for share",
      "with x as (select a from t for update) select a from x",
      `select a from t where b in (${place("others")}) for no key update`,
    ])
      assert.ok(LOCKS.test(sql) && readsOthers({ file: "", sql }), sql);
    for (const sql of [
      `select ${place("columns")} from t where a is not distinct from $1 for update`,
      "select from t for update",
    ])
      assert.ok(LOCKS.test(sql) && !readsOthers({ file: "", sql }), sql);
  });
});
