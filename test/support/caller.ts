import assert from "node:assert/strict";

// biome-ignore lint/suspicious/noExplicitAny: a test reads what came, whatever it is
type Json = any;

export interface Answer {
  status: number;
  /** Of a refusal without its `code`. */
  body: Json;
  /** The `code` of a refusal. */
  code?: string;
  headers: Headers;
}

/** What two assertions would compare, for one. */
export const statusAndBody = ({ status, body }: Pick<Answer, "status" | "body">) => [status, body];
export const statusAndError = ({ status, body }: Pick<Answer, "status" | "body">) => [status, body.error];

/** Calls the API over HTTP as somebody. Every 429 must say when to come again. */
export class Caller {
  constructor(
    readonly url: string,
    readonly headers: Record<string, string>,
    readonly username: string,
    readonly userId: number,
  ) {}

  /** The same caller with further headers. */
  with(headers: Record<string, string>): Caller {
    return new Caller(this.url, { ...this.headers, ...headers }, this.username, this.userId);
  }

  get = (path: string) => this.call("GET", path);
  post = (path: string, body: unknown = {}) => this.call("POST", path, body);
  put = (path: string, body: unknown = {}) => this.call("PUT", path, body);
  patch = (path: string, body: unknown = {}) => this.call("PATCH", path, body);
  delete = (path: string) => this.call("DELETE", path);

  /** A body that is text is sent as it is. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body !== undefined && { "content-type": "application/json" }), ...this.headers },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status === 429)
      assert.match(String(response.headers.get("retry-after")), /^[1-9]\d*$/, "429 without Retry-After");
    const json = response.headers.get("content-type")?.includes("json");
    const { status, headers } = response;
    if (!json || !text) return { status, body: text, headers };
    const answer = JSON.parse(text);
    if (status < 400 || !("error" in answer)) return { status, body: answer, headers };
    const { code, ...refusal } = answer;
    return { status, body: refusal, code, headers };
  }

  /** The body of a call that must succeed; anything else fails the test with what came. */
  async ok(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Json> {
    const ask = () => this.call(method, path, method === "GET" ? undefined : (body ?? {}));
    let answer = await ask();
    // A machine with much else to do may need more time than the service gives Temporal and Postgres.
    if (answer.code === "workflow_engine_unavailable" || answer.code === "database_busy") answer = await ask();
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }
}
