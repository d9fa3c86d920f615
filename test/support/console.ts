import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { AxeResults } from "axe-core";
import { parseSetCookie } from "cookie";
import type { Browser, CDPSession, Locator, Page } from "playwright-core";
import { openBrowser } from "./browser.js";
import { patient } from "./machine-speed.js";
import { PASSWORD } from "./people.js";
import type { TestService } from "./service.js";
import { until } from "./until.js";

/** Where the pictures go, to be looked at; without it none are taken. */
const folder = process.env.TEST_SCREENSHOTS;
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

export interface Look {
  size?: keyof typeof sizes;
  colours?: "light" | "dark";
  language?: "en" | "en-GB" | "de";
}

const looks: Required<Look>[] = (["desk", "phone"] as const).flatMap((size) =>
  (["light", "dark"] as const).flatMap((colours) =>
    (["en", "de"] as const).map((language) => ({ size, colours, language })),
  ),
);

/** One look, by the picture's name, so that pages differ; all eight in `npm run test:long`. */
function looksOf(picture: string): Required<Look>[] {
  if (process.env.TEST_ALL_LOOKS) return looks;
  const sum = [...picture].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return looks.slice(sum % looks.length, (sum % looks.length) + 1);
}

export interface Visit extends Look {
  /** The name of a `person()`, who is signed in; without one nobody is. */
  username?: string;
  /** Such as `/console/items`. */
  path: string;
  /** Where the browser is; UTC unless said otherwise. */
  timezoneId?: string;
  /**
   * Whether the scanner's service worker may run. What a page sends while the worker takes it over can slip past
   * `page.route`, so it runs only where a test is about it.
   */
  serviceWorkers?: "allow" | "block";
  /** Answers that a test gives in the place of the service, which Chromium complains of. */
  answers?: number[];
}

type Where = Required<Look & Pick<Visit, "timezoneId" | "serviceWorkers" | "answers">>;

type Cookies = { name: string; value: string; url: string }[];

export interface ConsoleBrowser {
  /** Opens a page; whatever it complains of fails the test. */
  open(visit: Visit): Promise<Page>;
  /** What a page must be: accessible, within its width. Takes a picture of it where pictures are wanted. */
  check(page: Page, picture: string): Promise<void>;
  /** Opens and checks a page in one look or all, when `ready` has seen what it waits for. */
  look(picture: string, visit: Visit, ready: (page: Page, look: Required<Look>) => Promise<unknown>): Promise<void>;
}

/**
 * The texts of which the focused element's name may consist; what is hidden from it is the star of a needed field. They
 * are asked for behind the page's timers: after a field for a day, Mantine's dialog corrects the focus in one.
 */
const TEXTS_OF_FOCUS = `new Promise((resolve) => setTimeout(resolve)).then(() => {
  const e = document.activeElement;
  if (e === document.body) return [];
  const named = (e?.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
  const withoutStar = (text) => text.replace(/\\s*\\*?\\s*$/, "").trim();
  const texts = [e, ...(e?.labels ?? []), ...named].map((one) => withoutStar(one?.textContent ?? ""));
  return [...texts, ...["aria-label", "title", "placeholder", "value"].map((name) => e?.getAttribute(name) ?? "")];
})`;

const SKIP_LINK = "Skip to content";

/** Moves the focus with Tab to what has this name, as somebody without a mouse does: past the menu by its link. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const named = page
    .getByRole("link", { name })
    .or(page.getByRole("button", { name }))
    .or(page.getByRole("textbox", { name }))
    .or(page.getByRole("searchbox", { name }))
    .or(page.getByRole("combobox", { name }))
    .or(page.getByLabel(name));
  // The checkbox that selects a row has the name of the row as well.
  const isSelect = typeof name === "string" && name.startsWith("Select ");
  const target = page.locator(isSelect ? ":focus" : ':focus:not([aria-label^="Select "])').and(named);
  const fits = (text: string) =>
    typeof name === "string" ? text.toLowerCase().includes(name.toLowerCase()) : name.test(text);
  for (let presses = 0; presses < 200; presses++) {
    // Roles and names of a whole page take Chromium longer than all else here: they are asked for where a text fits.
    const texts = await page.evaluate<string[]>(TEXTS_OF_FOCUS);
    if (texts.some(fits) && (await target.count()) > 0) return;
    await page.keyboard.press(texts.includes(SKIP_LINK) && (await isContent(page, named)) ? "Enter" : "Tab");
  }
  assert.fail(`the keyboard does not reach ${name}`);
}

async function isContent(page: Page, named: Locator): Promise<boolean> {
  // What is loaded comes behind the menu.
  await named.first().waitFor({ state: "attached" });
  return (await page.getByRole("main").locator(named).count()) > 0;
}

/** Confirms what a dialog asks, and waits until it is gone: its buttons have names that others on the page have too. */
export async function confirmDialog(page: Page): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.locator("[type=submit]").click();
  await dialog.waitFor({ state: "detached" });
}

/** Looks for a record in the field that has the focus, and chooses the first one by keyboard. */
export async function choose(page: Page, text: string): Promise<void> {
  const field = page.locator(":focus");
  await page.keyboard.type(text);
  await page.getByRole("option", { name: text }).first().waitFor();
  const isChosen = async () => (await field.inputValue()).includes("·");
  await until(async () => {
    if (await isChosen()) return true;
    await page.keyboard.press("ArrowDown");
    // What is found may be shown anew at any time, with nothing marked.
    if ((await page.locator("[role=option][data-combobox-selected]").count()) > 0) await page.keyboard.press("Enter");
    return isChosen();
  });
}

/** One that stays as long as its page: when a session ends, Chromium takes the page back into the net. */
const sessions = new WeakMap<Page, Promise<CDPSession>>();
function sessionOf(page: Page): Promise<CDPSession> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  return session;
}

/** A scanner types fast and ends with Enter. */
export async function scan(page: Page, code: string): Promise<void> {
  const session = await sessionOf(page);
  const begun = Date.now() / 1_000;
  for (const [i, key] of [...code, "Enter"].entries()) {
    // A page knows a scanner by its speed, which must not depend on how busy the machine is.
    const event = { key, timestamp: begun + i / 200 };
    // Separators of GS1 have no key: scanners type them as Ctrl+].
    if (key === "\u001d") {
      await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...event, key: "]", modifiers: 2 });
      continue;
    }
    const typed = key === "Enter" ? { text: "\r", windowsVirtualKeyCode: 13 } : { text: key };
    await session.send("Input.dispatchKeyEvent", { type: "keyDown", ...event, ...typed });
    await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }
}

/** Makes `axe` known to a page. By this way Chromium keeps what it compiled for the next page of the same process. */
async function addAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in window")) return;
  const session = await sessionOf(page);
  await session.send("Runtime.evaluate", { expression: axe });
}

/** Pages live for seconds here: to optimize their code takes more of a processor than it saves. */
const LITTLE_COMPILING = "--js-flags=--no-maglev,--no-opt";

/** What a test of pages may take: Chromium alone fills a processor, and other tests run meanwhile. */
const TEST_MS = process.env.TEST_ALL_LOOKS ? 240_000 : 60_000;

/** A page that is kept for the next visit: a new one, with its process, takes twice as much of a processor. */
interface Kept {
  page: Page;
  /** What differs between contexts. */
  kind: string;
  colours: Where["colours"];
  serviceWorkers: Where["serviceWorkers"];
}

/**
 * A browser that is open for the tests of a suite, which fail when a page complains in its console (browser.ts).
 *
 * Pages of the desk are visited again by later tests, in the same context, without anything that they stored. What
 * nothing takes back (init scripts, exposed functions, listeners) is for pages that a test closes with their context.
 */
export function consoleBrowser(service: () => TestService, options: string[] = []): ConsoleBrowser {
  let browser: Browser;
  let complaints: string[] = [];
  /** Where nothing goes on, each for one visit at a time. */
  const free: Kept[] = [];
  /** What tests have in their hands. */
  const visited = new Map<Page, Kept & { username: string | undefined }>();
  /** The cookies of people who are still signed in. */
  const logins = new Map<string, Cookies>();
  before(async function () {
    this.timeout(patient(TEST_MS));
    this.test?.parent?.eachTest((test) => test.timeout(patient(TEST_MS)));
    if (folder) mkdirSync(folder, { recursive: true });
    browser = await openBrowser([LITTLE_COMPILING, ...options]);
  });
  afterEach(async function () {
    // A test that failed may leave anything behind.
    if (this.currentTest?.state === "failed") logins.clear();
    else for (const page of [...visited.keys()]) await leave(page);
    visited.clear();
    const kept = new Set(free.map(({ page }) => page.context()));
    for (const context of browser.contexts()) if (!kept.has(context)) await context.close();
    const heard = complaints;
    complaints = [];
    assert.deepEqual(heard, []);
  });
  after(() => browser?.close());

  async function cookiesOf(username: string): Promise<Cookies> {
    const known = logins.get(username);
    if (known) return known;
    const { headers } = await service().anyone.post("/api/auth/login", { username, password: PASSWORD });
    const cookies = headers.getSetCookie().map((line) => {
      const { name, value } = parseSetCookie(line);
      return { name, value: value ?? "", url: service().url };
    });
    logins.set(username, cookies);
    return cookies;
  }

  async function newPage({ size, colours, language, timezoneId, serviceWorkers, answers }: Where): Promise<Page> {
    const context = await browser.newContext({
      viewport: sizes[size],
      hasTouch: size === "phone",
      colorScheme: colours,
      locale: language,
      ...{ timezoneId, serviceWorkers },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patient(30_000));
    page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error.message}`));
    page.on("console", (message) => {
      // Refusals are a part of the work, and Chromium writes each of them down.
      const isExpected =
        /status of 4\d\d|net::ERR_|Service Worker registration blocked/.test(message.text()) ||
        answers.some((status) => message.text().includes(`status of ${status}`));
      if (["error", "warning"].includes(message.type()) && !isExpected)
        complaints.push(`${page.url()}: ${message.text()}`);
    });
    return page;
  }

  async function open({ username, path, ...visit }: Visit): Promise<Page> {
    const usual = {
      size: "desk",
      colours: "light",
      language: "en",
      timezoneId: "UTC",
      serviceWorkers: "block",
      answers: [] as number[],
    } as const;
    const where = { ...usual, ...visit };
    const { size, colours, language, timezoneId, serviceWorkers } = where;
    const kind = `${size} ${language} ${timezoneId} ${serviceWorkers}`;
    const at = free.findLastIndex((one) => one.kind === kind);
    const [known] = at < 0 ? [] : free.splice(at, 1);
    const page = known?.page ?? (await newPage(where));
    if (known && known.colours !== colours) await page.emulateMedia({ colorScheme: colours });
    if (username) await page.context().addCookies(await cookiesOf(username));
    visited.set(page, { page, kind, colours, serviceWorkers, username });
    await page.goto(service().url + path);
    return page;
  }

  /** Keeps a page for the next visit, which is to find nothing of this one. */
  async function leave(page: Page): Promise<void> {
    const visit = visited.get(page);
    visited.delete(page);
    // The scanner's service worker would stay between a page and its service.
    if (!visit || page.isClosed() || visit.serviceWorkers === "allow") return;
    const context = page.context();
    const cookies = await context.cookies();
    const login = (visit.username && logins.get(visit.username)) || [];
    const isSignedIn = login.every(({ name, value }) =>
      cookies.some((cookie) => cookie.name === name && cookie.value === value),
    );
    // Somebody who signed out, in again, or has another password.
    if (visit.username && !isSignedIn) logins.delete(visit.username);
    for (const one of context.pages()) if (one !== page) await one.close();
    await page.unrouteAll();
    // On the same server, so that the process stays.
    await page.goto(`${service().url}/api/health`);
    await page.evaluate("sessionStorage.clear()");
    const session = await context.newCDPSession(page);
    // Cookies are among it.
    await session.send("Storage.clearDataForOrigin", { origin: service().url, storageTypes: "all" });
    await session.send("Page.resetNavigationHistory");
    await session.detach();
    free.push(visit);
  }

  async function check(page: Page, picture: string): Promise<void> {
    if (folder) await page.screenshot({ path: join(folder, `${picture}.png`), fullPage: true });
    const isWide = await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth");
    assert.equal(isWide, false, `${picture} is wider than its window`);
    await addAxe(page);
    // All rules are checked in full either way; what passes them is not told.
    const violations = await page.evaluate<AxeResults["violations"]>(
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations)',
    );
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
    );
    assert.deepEqual(found, [], picture);
  }

  return {
    ...{ open, check },
    async look(picture, visit, ready) {
      for (const one of looksOf(picture)) {
        const page = await open({ ...visit, ...one });
        await ready(page, one);
        await check(page, [picture, ...Object.values(one)].join("-"));
        await leave(page);
      }
    },
  };
}
