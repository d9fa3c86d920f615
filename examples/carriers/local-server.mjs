// What the local carriers share: a small HTTP server whose state is one JSON object, and a side door at /_control/ that
// tells it how to misbehave. Nothing here belongs to one carrier; their answers are in easypost.mjs, sendcloud.mjs and
// karrio.mjs.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";

/** How many requests the side door remembers. */
const CALLS_KEPT = 1_000;
const CARRIER_BODY_LIMIT = 1024 * 1024;

const UNION = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" ");
/** Whether it is a country of the European Union: between two of them nothing is declared. */
export const isInUnion = (country) => UNION.includes(country);

/** A fault that holds for the next `times` requests which it fits. */
function takeFault(faults, method, path) {
  const at = faults.findIndex(
    (fault) => (!fault.path || path.includes(fault.path)) && (!fault.method || fault.method === method),
  );
  if (at < 0) return {};
  const fault = faults[at];
  fault.times -= 1;
  if (fault.times < 1) faults.splice(at, 1);
  return fault;
}

/** Finds the route of a path; `:name` in its pattern takes one part of the path. */
function findRoute(routes, method, path) {
  for (const [routeMethod, pattern, run, open = false] of routes) {
    if (routeMethod !== method) continue;
    const names = [];
    const source = pattern.replace(/:([a-z]+)/g, (_, name) => {
      names.push(name);
      return "([^/]+)";
    });
    const found = new RegExp(`^${source}/?$`).exec(path);
    if (found)
      return {
        run,
        open,
        params: Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])])),
      };
  }
  return undefined;
}

/** A fixed window: undefined, or the seconds until the next one. */
function overLimit(windows, { name, count, windowMs }) {
  const now = Date.now();
  const window = windows.get(name);
  if (!window || now >= window.until) windows.set(name, { used: 1, until: now + windowMs });
  else if (window.used >= count) return Math.ceil((window.until - now) / 1_000);
  else window.used += 1;
  return undefined;
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > CARRIER_BODY_LIMIT) throw new Error("The body is too long.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response, { status = 200, body = {}, headers = {} }) {
  const raw = Buffer.isBuffer(body) || typeof body === "string";
  const content = raw ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  response.writeHead(status, { "Content-Type": "application/json", "Content-Length": content.length, ...headers });
  response.end(content);
}

/** Sends a webhook once and keeps what came of it; the side door sends it again (`/_control/redeliver`). */
async function deliver(deliveries, url, headers, content) {
  const delivery = { url, headers, content, attempts: 0, status: null };
  deliveries.push(delivery);
  await attempt(delivery);
  return delivery;
}

async function attempt(delivery) {
  delivery.attempts += 1;
  delivery.status = null;
  try {
    const answer = await fetch(delivery.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", ...delivery.headers },
      body: delivery.content,
      signal: AbortSignal.timeout(10_000),
    });
    delivery.status = answer.status;
  } catch (error) {
    delivery.error = String(error.cause ?? error);
  }
}

/** How often labels were bought under a reference, whatever answers got lost. */
function boughtFor(state, reference) {
  const labels = state.purchases.filter((purchase) => reference === null || purchase.reference === reference);
  return { reference, bought: labels.length, voided: labels.filter((label) => label.voided).length, labels };
}

/** The side door. `more` are a carrier's own doors: `{ step: (body) => … }`. */
async function control(shop, method, name, query, body) {
  const { faults, calls, deliveries, state } = shop;
  if (name === "faults" && method === "POST") {
    faults.push({ times: 1, ...body });
    return { faults };
  }
  if (name === "faults" && method === "DELETE") faults.length = 0;
  if (name === "faults") return { faults };
  if (name === "limit" && method === "POST") {
    shop.limit = body.count === undefined ? undefined : { name: "control", windowMs: 1_000, ...body };
    shop.windows.clear();
    return { limit: shop.limit ?? null };
  }
  if (name === "bought") return boughtFor(state, query.get("reference"));
  if (name === "calls") return { calls };
  if (name === "deliveries") return { deliveries };
  if (name === "redeliver" && method === "POST") {
    const again = body.all ? deliveries : deliveries.filter(({ status }) => status === null || status >= 300);
    for (const delivery of again) await attempt(delivery);
    return { deliveries: again };
  }
  const door = shop.doors[name];
  return door && method === "POST" ? await door(body) : undefined;
}

/**
 * Starts a local carrier and returns `{ url, state, close }`.
 *
 * `carrier` says: `initial` (the empty state), `routes` (`[method, pattern, run, open?]`; an open one asks for no key),
 * `authorize(call)` (a refusal, or undefined after it set `call.mode`), `failure(status, call)` (an error body as the
 * carrier documents it), `limits(call)` (a window that the carrier documents, or undefined), `throttled(call, seconds)`
 * and `doors` (its own doors at /_control/).
 */
export async function startCarrier(makeCarrier, { port = 0, data, host = "127.0.0.1", ...options } = {}) {
  const shop = { faults: [], calls: [], deliveries: [], windows: new Map(), limit: undefined, doors: {}, state: {} };
  const carrier = makeCarrier({
    state: shop.state,
    options,
    base: () => shop.url,
    next: () => {
      shop.state.serial += 1;
      return shop.state.serial;
    },
    save,
    deliver: (url, headers, content) => deliver(shop.deliveries, url, headers, content),
    purchased: (purchase) => shop.state.purchases.push({ at: new Date().toISOString(), voided: false, ...purchase }),
    voided: (id) => {
      for (const purchase of shop.state.purchases) if (purchase.id === id) purchase.voided = true;
    },
  });
  shop.doors = carrier.doors;
  Object.assign(shop.state, { serial: 0, purchases: [] }, carrier.initial, stored(data));

  /** Written before the answer is sent: what a client was told, and what it was not told, both outlive a restart. */
  function save() {
    if (!data) return;
    writeFileSync(`${data}.new`, JSON.stringify(shop.state));
    renameSync(`${data}.new`, data);
  }

  async function answer(call, fault) {
    const route = findRoute(carrier.routes, call.method, call.path);
    const refusal = route?.open ? undefined : carrier.authorize(call);
    if (refusal) return refusal;
    if (!route) return carrier.failure(404, call);
    const limit = shop.limit ?? carrier.limits(call);
    const seconds = limit && overLimit(shop.windows, limit);
    if (seconds !== undefined) return carrier.throttled(call, seconds);
    try {
      call.body = call.content ? JSON.parse(call.content) : {};
    } catch {
      return carrier.failure(400, call);
    }
    Object.assign(call, { params: route.params, refused: fault.refuse === true });
    const given = await route.run(call);
    if (call.method !== "GET") save();
    return given;
  }

  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url, "http://carrier");
    const call = { method: request.method, path, query, headers: request.headers, mode: "test" };
    try {
      call.content = await readBody(request);
      if (path.startsWith("/_control/")) {
        const given = await control(shop, call.method, path.slice(10), query, JSON.parse(call.content || "{}"));
        save();
        return send(response, given ? { body: given } : { status: 404, body: { error: `There is no door ${path}.` } });
      }
      const fault = takeFault(shop.faults, call.method, path);
      const kept = { method: call.method, path, query: `${query}`, status: null };
      shop.calls.push(kept);
      if (shop.calls.length > CALLS_KEPT) shop.calls.shift();
      if (fault.drop === "before") return request.socket.destroy();
      const given = fault.status
        ? { ...carrier.failure(fault.status, call), ...(fault.body && { body: fault.body }) }
        : await answer(call, fault);
      // After the work, so that a client which stops waiting has bought its label all the same.
      if (fault.delay_ms) await wait(fault.delay_ms);
      if (fault.drop === "after") return request.socket.destroy();
      kept.status = given.status ?? 200;
      send(response, given);
    } catch (error) {
      console.error(error);
      if (response.headersSent) response.destroy();
      else send(response, carrier.failure(500, call));
    }
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  shop.url = `http://${host}:${server.address().port}`;
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  return { url: shop.url, state: shop.state, close };
}

function stored(data) {
  if (!data) return {};
  try {
    return JSON.parse(readFileSync(data, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return {};
    throw error;
  }
}

/** Runs a carrier from the command line when its file is the one that was started. */
export async function runAlone(file, start) {
  if (process.argv[1] !== file) return;
  const { values } = parseArgs({ options: { port: { type: "string" }, data: { type: "string" } } });
  const { url } = await start({ port: Number(values.port ?? 0), data: values.data });
  console.log(JSON.stringify({ url }));
}

/** The key of a request: the user name of Basic, or what follows the scheme's name. */
export function credentials(headers) {
  const [scheme, value = ""] = (headers.authorization ?? "").split(" ");
  if (scheme.toLowerCase() !== "basic") return { scheme: scheme.toLowerCase(), user: value, password: "" };
  const [user = "", ...rest] = Buffer.from(value, "base64").toString("utf8").split(":");
  return { scheme: "basic", user, password: rest.join(":") };
}
