import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { salesOrder, warehouse } from "../support/fixtures.js";
import { person } from "../support/people.js";
import { testService } from "../support/service.js";

const root = fileURLToPath(new URL("../../../console/", import.meta.url));
const read = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: `${folder}/${name}`, text: readFileSync(join(root, folder, name), "utf8") }));
const desk = read("desk");

/** The English texts of each file of the catalogue. */
const catalogues = new Map(
  read("texts").map(({ name, text }) => [
    name.replace(/^texts\/|\.ts$/g, ""),
    new Map(
      [...text.matchAll(/^ {2}"?([\w-]+)"?: \[\s*("(?:[^"\\]|\\.)*")/gm)].map(([, key = "", english = '""']) => [
        key,
        JSON.parse(english) as string,
      ]),
    ),
  ]),
);

/** What ends at the bracket that closes the one before it. */
function inBrackets(text: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; depth > 0 && at < text.length; at++) depth += { "{": 1, "}": -1 }[text[at] as string] ?? 0;
  return text.slice(from, at - 1);
}

/** The opening tags of a component, and where it closes them itself. */
function* tagsOf(component: string, text: string): Generator<string> {
  for (const { index } of text.matchAll(new RegExp(`<${component}\\b`, "g"))) {
    let depth = 0;
    let at = index + component.length + 1;
    for (; text[at] !== ">" || depth > 0 || text[at - 1] === "="; at++)
      depth += { "{": 1, "}": -1 }[text[at] as string] ?? 0;
    yield text.slice(index, at);
  }
}
const attribute = (tag: string, name: string): string | undefined => {
  const begins = new RegExp(`\\b${name}=\\{`).exec(tag);
  return begins ? inBrackets(tag, begins.index + begins[0].length) : undefined;
};

/** What an expression of texts may say in English; nothing where it comes from elsewhere. */
function saidBy(expression: string, file: string): string[] {
  const names = new Map(
    [...file.matchAll(/import \{([^}]*)\} from "[./]*texts\/([\w-]+)\.js"/g)].flatMap(([, all = "", catalogue = ""]) =>
      all.split(",").flatMap((one) => {
        const [, alias] = /^\s*t(?: as (\w+))?\s*$/.exec(one) ?? [];
        return /^\s*t\b/.test(one) ? [[alias ?? "t", catalogue] as [string, string]] : [];
      }),
    ),
  );
  const textOf = (name: string, key: string) =>
    catalogues.get(names.get(name) ?? "")?.get(key) ?? catalogues.get("shared")?.get(key);
  return [...expression.matchAll(/\b(\w+)\((?:[^()"]*\? )?"(\w+)"(?: : "(\w+)")?/g)].flatMap(([, name = "", ...keys]) =>
    keys.flatMap((key) => (key ? (textOf(name, key) ?? []) : [])),
  );
}

const verbs = new Set([
  ...[
    "Activate",
    "Add",
    "Adjust",
    "Allow",
    "Approve",
    "Archive",
    "Assign",
    "Attempt",
    "Cancel",
    "Change",
    "Close",
    "Complete",
    "Create",
  ],
  ...[
    "Deactivate",
    "Decide",
    "Delete",
    "Discard",
    "End",
    "Expect",
    "Give",
    "Hand",
    "Hold",
    "Let",
    "Link",
    "Make",
    "Mark",
    "Merge",
    "Move",
    "Note",
  ],
  ...[
    "Pause",
    "Pick",
    "Print",
    "Put",
    "Read",
    "Recall",
    "Receive",
    "Reject",
    "Release",
    "Remove",
    "Reopen",
    "Replace",
    "Replay",
  ],
  ...[
    "Reserve",
    "Reset",
    "Resume",
    "Reverse",
    "Revert",
    "Revoke",
    "Run",
    "Save",
    "Send",
    "Ship",
    "Start",
    "Submit",
    "Sync",
    "Take",
    "Try",
  ],
  ...["Unlink", "Void", "Withdraw", "Buy", "Open", "Pack", "Ask", "Begin", "Settle", "Write"],
]);

/** Where a file does something outside of a dialog, and says by itself, beside it, what came of it. */
const saysItself: Record<string, string> = {
  "desk/components/csv-menu.tsx": "the file is the answer",
  "desk/components/save-file.tsx": "the file is the answer",
  "desk/components/file-form.tsx": "the outcome stands beneath the form",
  "desk/components/printout.tsx": "it names the printer beside the button",
  "desk/components/selection-bar.tsx": "the rows are selected then",
  "desk/pages/auth/agent-access.tsx": "the browser goes on to the program",
  "desk/pages/auth/sign-in.tsx": "“Saved” stands beside the button",
  "desk/pages/auth/user.tsx": "“Saved” stands beside the button",
  "desk/pages/system/settings.tsx": "“Saved” stands beside the button",
  "desk/pages/picking/plan-waves.tsx": "the plan, and what was released, stand beneath the form",
  "desk/pages/master-data/new-bins.tsx": "the outcome stands beneath the form",
  "desk/pages/outbound/channels/notifications.tsx": "the answer to the test stands there",
  "desk/pages/outbound/webhooks/webhook.tsx": "the answer to the test stands there",
  "desk/pages/connectors/connector.tsx": "the answer to the test stands there",
  "desk/pages/inbound/try.tsx": "the answer stands beneath the form",
  "desk/pages/reports/inbox/inbox.tsx": "the row shows who took it, or is gone",
  "desk/pages/reports/inbox/next-steps.tsx": "it opens a form",
};

describe("the forms of the desk", () => {
  it("have a verb on the button that does it", () => {
    const wrong: string[] = [];
    let seen = 0;
    for (const { name, text } of desk)
      for (const tag of tagsOf("Decision", text))
        for (const said of saidBy(attribute(tag, "verb") ?? attribute(tag, "label") ?? "", text)) {
          seen++;
          if (!verbs.has(said.split(" ")[0] as string)) wrong.push(`${name}: ${said}`);
        }
    assert.ok(seen > 100, `${seen} buttons`);
    assert.deepEqual(wrong, []);
  });

  it("say what was done wherever something is done", () => {
    const silent = desk
      .filter(({ text }) => text.includes("useAction(") && !text.includes("useSay("))
      .map(({ name }) => name);
    assert.deepEqual(silent.toSorted(), Object.keys(saysItself).toSorted());
  });

  it("ask by dialogs that say it, and by no others", () => {
    const own = desk.filter(({ text }) => /<(?:AskForm|Modal)\b/.test(text)).map(({ name }) => name);
    assert.deepEqual(own.toSorted(), [
      "desk/components/bulk-dialog.tsx",
      "desk/components/decision.tsx",
      "desk/components/dialog.tsx",
      "desk/components/view-menu.tsx",
      "desk/navigation/palette.tsx",
    ]);
  });

  it("take no warehouse that nobody chose", () => {
    const taken = desk
      .filter(({ text }) => /\bwarehouses(?:\[0\]|\.at\(0\)|\?\.\[0\])/.test(text))
      .map(({ name }) => name);
    assert.deepEqual(taken, []);
  });

  describe("at work", () => {
    const service = testService({ worker: true });
    const browser = consoleBrowser(() => service);
    let username: string;
    before(async () => {
      username = (await person()).username;
    });

    it("lead from what is said to the record of the row, or to what was made, once one is elsewhere", async () => {
      const page = await browser.open({ path: "/console/vendors", username });
      await page.getByRole("button", { name: "New vendor" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Acme Goods");
      await confirmDialog(page);
      await page.getByRole("heading", { level: 1, name: "Acme Goods" }).waitFor();
      const said = page.getByRole("status").getByText(/^New vendor/);
      await said.waitFor();
      assert.equal(await page.getByRole("link", { name: /^New vendor/ }).count(), 0);
      await page.getByRole("link", { name: "The day" }).click();
      await page.getByRole("link", { name: /^New vendor/ }).click();
      await page.getByRole("heading", { level: 1, name: "Acme Goods" }).waitFor();
      const { so_id } = await salesOrder(await warehouse(), [], "SO-8001");
      await db.run("update sales_orders set status = 'FRAUD_REVIEW' where so_id = $1", [so_id]);
      await page.goto(`${service.url}/console/held-orders`);
      await page.getByRole("row").filter({ hasText: "SO-8001" }).getByRole("button", { name: "Memo" }).click();
      await page.getByRole("dialog").getByLabel("Memo").fill("Ring twice");
      await confirmDialog(page);
      await page
        .getByRole("status")
        .getByRole("link", { name: /^Change memo/ })
        .click();
      await page.waitForURL(new RegExp(`/console/orders/${so_id}$`));
    });

    it("begin with no warehouse where there are several", async () => {
      const page = await browser.open({ path: "/console/orders/new", username });
      await warehouse();
      await page.reload();
      const field = page.getByLabel("Warehouse", { exact: true }).last();
      await field.waitFor();
      assert.equal(await field.inputValue(), "");
    });
  });
});
