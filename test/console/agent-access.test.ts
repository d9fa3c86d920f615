import assert from "node:assert/strict";
import type { Server } from "node:http";
import {
  auth,
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import express from "express";
import type { Page } from "playwright-core";
import { close, listen, portOf } from "../../api/http/server.js";
import { confirmDialog, consoleBrowser } from "../support/console.js";
import { db } from "../support/db.js";
import { program } from "../support/oauth.js";
import { PASSWORD, person } from "../support/people.js";
import { testService } from "../support/service.js";
import { until } from "../support/until.js";

/** What a program keeps of its way in, and the address to which it sends its user. */
class Kept implements OAuthClientProvider {
  asked?: URL;
  client?: OAuthClientInformationMixed;
  given?: OAuthTokens;
  #verifier = "";
  #discovered?: unknown;
  constructor(readonly redirectUrl: string) {}
  get clientMetadata() {
    return { client_name: "Stock helper", redirect_uris: [this.redirectUrl], grant_types: ["refresh_token"] };
  }
  state = () => "a state";
  clientInformation = () => this.client;
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.client = client;
  }
  tokens = () => this.given;
  saveTokens(given: OAuthTokens) {
    this.given = given;
  }
  invalidateCredentials() {
    delete this.given;
  }
  redirectToAuthorization(url: URL) {
    this.asked = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  saveDiscoveryState(discovered: unknown) {
    this.#discovered = discovered;
  }
  discoveryState = () => this.#discovered as never;
}

describe("a program that asks to be let in, at the desk", () => {
  const service = testService({ worker: true });
  const browser = consoleBrowser(() => service);
  let username: string;
  let server: Server;
  let answered: URL[];
  before(async () => {
    username = (await person()).username;
    // The program waits for its answer on its own computer.
    const waiting = express().get("/callback", (req, res) => {
      answered.push(new URL(req.url, "http://127.0.0.1"));
      res.type("html").send("<!doctype html><title>Done</title>");
    });
    server = await listen(waiting, "127.0.0.1", 0);
  });
  beforeEach(() => {
    answered = [];
  });
  after(() => close(server));
  const redirect = () => `http://127.0.0.1:${portOf(server)}/callback`;
  const pathOf = ({ pathname, search }: URL) => pathname + search;
  const decide = (page: Page, label: string) => page.getByRole("button", { name: label, exact: true }).click();

  it("goes from 401 by registration and consent to a tool, refreshes, and is refused once revoked", async () => {
    const kept = new Kept(redirect());
    const endpoint = new URL(`${service.url}/mcp`);
    const connect = async () => {
      const client = new Client({ name: "stock-helper", version: "1.0.0" });
      const transport = new StreamableHTTPClientTransport(endpoint, { authProvider: kept });
      try {
        await client.connect(transport);
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error;
        return { transport };
      }
      return { client, transport };
    };
    const first = await connect();
    assert.equal(first.client, undefined);
    assert.equal(kept.asked?.pathname, "/console/agent-access");

    // Nobody is signed in in the browser: first that, then the question.
    const page = await browser.open({ path: pathOf(kept.asked as URL) });
    await page.getByLabel("Username").fill(username);
    await page.locator("input[name=password]").fill(PASSWORD);
    await decide(page, "Sign in");
    await page.getByRole("heading", { name: "Stock helper wants to work for you" }).waitFor();
    await page.getByText(`this computer (${new URL(redirect()).origin})`).waitFor();
    await decide(page, "Let it in");
    await page.waitForURL(({ pathname }) => pathname === "/callback");
    await first.transport.finishAuth(answered[0]?.searchParams as URLSearchParams);
    const { access_token } = kept.given as OAuthTokens;

    const { client } = await connect();
    const called = await client?.callTool({ name: "find_operations", arguments: { query: "vendor" } });
    assert.ok(!called?.isError);

    assert.equal(await auth(kept, { serverUrl: endpoint }), "AUTHORIZED");
    assert.notEqual(kept.given?.access_token, access_token);
    assert.ok((await client?.listTools())?.tools.length);

    const own = await browser.open({ path: "/console/security", username });
    const row = own.getByRole("row").filter({ hasText: "Stock helper (a program that was let in)" });
    await row.getByRole("button", { name: "Revoke" }).click();
    await confirmDialog(own);
    await until(async () => (await db.value("select count(*)::int from personal_keys")) === 0);
    delete kept.asked;
    // Its refresh token opens nothing either, so it asks anew.
    await assert.rejects(async () => client?.callTool({ name: "find_operations", arguments: { query: "vendor" } }));
    assert.equal((kept.asked as URL | undefined)?.pathname, "/console/agent-access");
  });

  it("is told no", async () => {
    const asks = await program(service.url, { redirect_uris: [redirect()] });
    const page = await browser.open({
      path: `/console/agent-access?${new URLSearchParams(asks.ask().query)}`,
      username,
    });
    await decide(page, "Reject");
    await page.waitForURL(({ pathname }) => pathname === "/callback");
    assert.equal(answered[0]?.searchParams.get("error"), "access_denied");
    assert.equal(await db.value("select count(*)::int from oauth_codes where client_id = $1", [asks.client_id]), 0);
  });

  it("may be let in to read alone, in both languages and by keyboard", async () => {
    const asks = await program(service.url, { redirect_uris: [redirect()], client_name: "Claude" });
    const { query, verifier } = asks.ask({ scope: "read write" });
    const path = `/console/agent-access?${new URLSearchParams(query)}`;
    await browser.look("agent-access", { path, username }, async (page) => {
      await page.getByRole("heading", { name: "Claude" }).waitFor();
    });
    const page = await browser.open({ path, username, language: "de" });
    await page.getByLabel("Nachsehen", { exact: true }).focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Zulassen" }).press("Enter");
    await page.waitForURL(({ pathname }) => pathname === "/callback");
    const code = answered[0]?.searchParams.get("code") as string;
    const { body } = await asks.change(code, verifier, { redirect_uri: redirect() });
    assert.equal(body.scope, "read");
  });

  it("is not answered where it asks wrongly: the person is told", async () => {
    const asks = await program(service.url, { redirect_uris: [redirect()] });
    const { query } = asks.ask({ redirect_uri: "https://elsewhere.test/" });
    const page = await browser.open({ path: `/console/agent-access?${new URLSearchParams(query)}`, username });
    await page.getByText("The program wants to be answered elsewhere than it registered").waitFor();
    assert.equal(await page.getByRole("button", { name: "Let it in" }).count(), 0);
    assert.equal(new URL(page.url()).pathname, "/console/agent-access");
  });

  it("says that nothing is asked where no program sent the person", async () => {
    const page = await browser.open({ path: "/console/agent-access", username });
    await page.getByText("No program asks to be let in").waitFor();
    assert.equal(await page.getByRole("alert").count(), 0);
    await browser.check(page, "agent-access-unasked");
  });
});
