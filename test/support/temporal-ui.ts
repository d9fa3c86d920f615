import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { temporalClient } from "../../api/http/workflow-updates.js";
import { openBrowser } from "./browser.js";
import { patient } from "./machine-speed.js";
import { until } from "./until.js";
import { detailsOf, refusalOf, summariesOf, updatesOf } from "./workflow-environment.js";

/** Where the pictures go, to be looked at; without it none are taken. */
const folder = process.env.TEST_SCREENSHOTS;
/** Otherwise what the pages ask the server stands for them: a browser takes as much of a processor as all else here. */
const IN_BROWSER = Boolean(folder ?? process.env.TEST_ALL);

/** What docs/operations.md has people choose under "Configure columns". */
const COLUMNS = JSON.stringify({
  default: [
    ...["Status", "Workflow ID", "Type", "Stage", "Outcome", "WarehouseCode", "DestinationCode", "ToNumber", "Picker"],
    ...["Start", "End"],
  ].map((label) => ({ label })),
});

/** A time that comes next. */
export const TIME = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/;

type Text = string | RegExp;

/** What a process shows. */
export interface Shown {
  /** What stands in its row of the list: its status, then other columns. */
  list: [status: string, ...others: string[]];
  /** What stands on its own page: timers, activities, the reason of a failure. */
  page?: Text[];
  /** Where it is, why, and what comes next and when; nothing for one that failed before it said so. */
  details?: Text[];
}

export interface TemporalUi {
  /**
   * Looks at a process as people do, in a browser (`npm run test:all`): the list, a click on it, a click on "User
   * Metadata". Each costs a second or two of a processor, so it is for one process of each type.
   */
  look(picture: string, workflowId: string, shown: Shown): Promise<void>;
  /** The same by what that page asks the server; in the browser all the same when pictures are wanted. */
  check(picture: string, workflowId: string, shown: Shown): Promise<void>;
  /** What a person does whom nothing else helps: "Request Cancellation", in the browser (`npm run test:all`). */
  pressCancel(workflowId: string): Promise<void>;
  /** The same without the browser, unless pictures are wanted. */
  requestCancellation(workflowId: string): Promise<void>;
}

const missingIn = (says: string, texts: Text[]) =>
  texts.filter((text) => (text instanceof RegExp ? !text.test(says) : !says.includes(text)));

/** Waits until texts are there. */
async function expectTexts(what: string, texts: Text[], read: () => Promise<string>): Promise<void> {
  let says = "";
  try {
    await until(
      async () => {
        says = await read();
        return missingIn(says, texts).length === 0;
      },
      45_000,
      100,
    );
  } catch {
    assert.fail(`${what}: not there: ${missingIn(says, texts).join(" | ")}, which says: ${says}`);
  }
}

const IN_DETAILS = ["Where:", "Why:", "Next:"];

async function check(picture: string, workflowId: string, { list, page = [], details }: Shown): Promise<void> {
  const client = temporalClient();
  const handle = client.workflow.getHandle(workflowId);
  const row = async () => {
    const query = `WorkflowId = "${workflowId}"`;
    for await (const { status, type, typedSearchAttributes } of client.workflow.list({ query })) {
      const attributes = typedSearchAttributes.getAll().map(({ value }) => `${value}`);
      // As the UI spells it.
      return [status.name.replace("CANCELLED", "CANCELED"), type, ...attributes].join("\n");
    }
    return "";
  };
  await expectTexts(`${picture}, list`, list, row);
  await expectTexts(`${picture}, page`, page, async () => {
    const reason = list[0] === "FAILED" ? await refusalOf(handle.result()) : "";
    return [reason, ...(await summariesOf(handle)), ...(await updatesOf(handle))].join("\n");
  });
  if (details)
    await expectTexts(`${picture}, details`, [...IN_DETAILS, ...details], async () => {
      const summary = await (await handle.describe()).staticSummary();
      return `${summary}\n${(await detailsOf(handle)).replaceAll("**", "")}`;
    });
}

/** Temporal's own UI in a browser that is open for the tests of a suite, and what it asks the server. */
export function temporalUi(): TemporalUi {
  let browser: Browser;
  let page: Page;
  before(async () => {
    if (!IN_BROWSER) return;
    if (folder) mkdirSync(folder, { recursive: true });
    browser = await openBrowser();
    page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, timezoneId: "UTC" });
    page.setDefaultTimeout(patient(15_000));
    await page.addInitScript(`localStorage.setItem("namespace-workflow-table-columns", '${COLUMNS}')`);
  });
  after(() => browser?.close());

  const open = (path: string) => page.goto(`${process.env.TEST_TEMPORAL_UI}/namespaces/default/${path}`);

  /** What the page says; the UI shows details in a frame of their own. */
  async function said(): Promise<string> {
    const texts = page.frames().map((frame) =>
      frame
        .locator("body")
        // biome-ignore lint/performance/useDomNodeTextContent: what a person sees is what is asked for
        .innerText()
        .catch(() => ""),
    );
    return (await Promise.all(texts)).join("\n").replace(/\s+/g, " ");
  }

  /** Waits for texts on the page, and takes a picture of it. */
  async function see(picture: string, texts: Text[]): Promise<void> {
    try {
      await expectTexts(picture, texts, said);
    } finally {
      if (folder) await page.screenshot({ path: join(folder, `${picture}.png`) });
    }
  }

  async function look(picture: string, workflowId: string, shown: Shown): Promise<void> {
    const [status] = shown.list;
    const query = `WorkflowId = "${workflowId}"`;
    const ended = status === "RUNNING" ? "" : ` and ExecutionStatus != "Running"`;
    await until(async () => (await temporalClient().workflow.count(query + ended)).count > 0, 30_000);
    await open(`workflows?query=${encodeURIComponent(query)}`);
    await see(`${picture}-1-list`, [workflowId, ...shown.list]);
    await page.getByRole("link", { name: workflowId }).first().click();
    await see(`${picture}-2-page`, [status, "User Metadata", "Workflow SDK", ...(shown.page ?? [])]);
    if (!shown.details) return;
    await page.getByText("User Metadata", { exact: true }).first().click();
    await see(`${picture}-3-details`, [...IN_DETAILS, ...shown.details]);
  }

  async function pressCancel(workflowId: string): Promise<void> {
    await open(`workflows/${workflowId}`);
    await page.getByRole("button", { name: "Request Cancellation" }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
  }

  const cancel = async (workflowId: string) => void (await temporalClient().workflow.getHandle(workflowId).cancel());
  return {
    look: IN_BROWSER ? look : check,
    pressCancel: IN_BROWSER ? pressCancel : cancel,
    check: folder ? look : check,
    requestCancellation: folder ? pressCancel : cancel,
  };
}

/** Waits for the end of one whose cancellation was requested. */
export const endsCancelled = (workflowId: string): Promise<void> =>
  assert.rejects(temporalClient().workflow.getHandle(workflowId).result(), /Workflow execution cancelled/);
