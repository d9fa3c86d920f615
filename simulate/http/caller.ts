import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Measure } from "./measure.js";

// biome-ignore lint/suspicious/noExplicitAny: bodies are of the interface, which declares them
export type Json = any;

export type Answer = { ok: true; body: Json } | { ok: false; code: string; body: Json };

export interface Call {
  /** For `:name` in the path. */
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: object;
  /** Codes of refusals that belong to the work, such as that of a wrong barcode. */
  expected?: readonly string[];
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

const WITHIN_MS = 60_000;
const NO_ANSWER_MS = 250;

/**
 * Calls the service as somebody. What was not answered, or is to be asked again later, is asked again under the same
 * `Idempotency-Key`; any other refusal that is not expected is kept as a surprise.
 */
export class Caller {
  constructor(
    readonly url: string,
    readonly measure: Measure,
    private headers: Record<string, string> = {},
    /** Gives new headers when a login has expired. */
    private readonly renew?: () => Promise<Record<string, string>>,
    /** How often a request is sent. */
    private readonly tries = 8,
  ) {}

  /** The same service, called by somebody else. */
  as(headers: Record<string, string>, renew?: Caller["renew"]): Caller {
    return new Caller(this.url, this.measure, headers, renew, this.tries);
  }

  get = (path: string, call: Call = {}) => this.call("GET", path, call);
  post = (path: string, call: Call = {}) => this.call("POST", path, call);

  /** The body of a call that must succeed. */
  async ok(method: Method, path: string, call: Call = {}): Promise<Json> {
    const answer = await this.call(method, path, call);
    if (!answer.ok) throw new Error(`${method} ${path} was refused: ${answer.code} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  async call(method: Method, path: string, { params = {}, query, body, expected = [] }: Call): Promise<Answer> {
    const route = `${method.toLowerCase()} ${path}`;
    const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
    const values = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
    const asked = query ? `?${new URLSearchParams(values)}` : "";
    const sent = method !== "GET" && { "content-type": "application/json", "idempotency-key": randomUUID() };
    for (let tries = 1; ; tries++) {
      const sentAt = performance.now();
      const answer = await this.#once(route, `${this.url}${filled}${asked}`, {
        method,
        headers: { ...this.headers, ...sent },
        ...(sent && { body: JSON.stringify(body ?? {}) }),
      });
      if (answer.ok) this.measure.heard?.({ route, params, asked: body ?? {}, answer: answer.body, sentAt });
      if (answer.ok || expected.includes(answer.code)) return answer;
      if (answer.status === 401 && this.renew && tries < this.tries) {
        this.headers = await this.renew();
        continue;
      }
      if (tries === this.tries || answer.again === undefined) {
        this.measure.surprise(`${route}: ${answer.code} ${JSON.stringify(answer.body).slice(0, 200)}`);
        return answer;
      }
      this.measure.again++;
      await pause(answer.again * Math.min(tries, 4));
    }
  }

  /** Sends what was answered once more, as who did not hear the answer: under the key in its body it gets the same. */
  async repeat(path: string, call: Call, first: Answer): Promise<void> {
    const second = await this.post(path, call);
    if (!isDeepStrictEqual(second.body, first.body))
      this.measure.surprise(
        `post ${path}: ${JSON.stringify(second.body)} to a repeat of ${JSON.stringify(first.body)}`,
      );
  }

  /** One request; `again` says after how many milliseconds it may be repeated. */
  async #once(route: string, url: string, request: RequestInit): Promise<Answer & { again?: number; status?: number }> {
    const began = performance.now();
    const failed = (code: string, body: Json, more: { again?: number; status?: number }) => {
      this.measure.answered(route, performance.now() - began, code);
      return { ok: false as const, code, body, ...more };
    };
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(WITHIN_MS) });
      const text = await response.text();
      const json = response.headers.get("content-type")?.includes("json") && text !== "";
      const body = json ? JSON.parse(text) : text;
      if (response.ok) {
        this.measure.answered(route, performance.now() - began);
        return { ok: true, body };
      }
      const { status } = response;
      // A proxy says that nobody answered.
      if (status === 502 || status === 504) return failed("no_answer", text, { again: NO_ANSWER_MS });
      const later = status === 429 || status === 503;
      const again = later ? 1000 * Number(response.headers.get("retry-after") ?? 1) : undefined;
      return failed(String(body?.code ?? body?.error_kind ?? body?.error ?? status), body, { again, status });
    } catch (error) {
      return failed("no_answer", String(error), { again: NO_ANSWER_MS });
    }
  }
}

/** Logs in, and again whenever the login has expired. */
export async function logIn(nobody: Caller, username: string, password: string): Promise<Caller> {
  const headers = async () => {
    const { token } = await nobody.ok("POST", "/api/auth/login", { body: { username, password } });
    return { authorization: `Bearer ${token}` };
  };
  return nobody.as(await headers(), headers);
}
