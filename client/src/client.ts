import { eachRecord, type ListPage, type RecordOf } from "./pages.js";
import { refusalOf } from "./refusal.js";
import { type RetryOptions, sendUntilAnswered } from "./retry.js";

/** What the types of a route say. */
export interface RouteTypes {
  path: unknown;
  query: unknown;
  body: unknown;
  answer: unknown;
}
export type Method = "get" | "post" | "put" | "patch" | "delete";
type Has<M extends Method> = { [K in M]: RouteTypes };
/** The paths that have a route with this method. */
export type Paths<R, M extends Method> = { [P in keyof R]: R[P] extends Has<M> ? P : never }[keyof R] & string;
export type Of<R, P extends keyof R, M extends Method> = R[P] extends Has<M> ? R[P][M] : never;

/** A part of a request: absent where the route has none, optional where nothing of it is required. */
type Part<K extends string, T> = [T] extends [never]
  ? { [k in K]?: undefined }
  : Record<string, never> extends T
    ? { [k in K]?: T }
    : { [k in K]: T };
type Input<T extends RouteTypes> = Part<"path", T["path"]> &
  Part<"query", T["query"]> &
  Part<"body", T["body"]> &
  CallOptions;
export type Args<T extends RouteTypes> =
  Record<string, never> extends Input<T> ? [input?: Input<T>] : [input: Input<T>];

export interface CallOptions extends RetryOptions {
  signal?: AbortSignal | null;
  /** Of a changing request; a new one for each call unless one is given. Under the same key it happens once. */
  idempotencyKey?: string;
}

type Call<R, M extends Method> = <P extends Paths<R, M>>(
  path: P,
  ...args: Args<Of<R, P, M>>
) => Promise<Of<R, P, M>["answer"]>;

/** The paths of lists that are read page by page. */
export type ListPaths<R> = {
  [P in Paths<R, "get">]: Of<R, P, "get">["answer"] extends ListPage ? P : never;
}[Paths<R, "get">];

/** A method of HTTP each: `client.get("/api/admin/items", { query: { page: 2 } })`. They throw `Refusal`. */
export interface Client<R> {
  get: Call<R, "get">;
  post: Call<R, "post">;
  put: Call<R, "put">;
  patch: Call<R, "patch">;
  delete: Call<R, "delete">;
  /** The records of a list, of all its pages: `for await (const item of client.each("/api/admin/items")) …`. */
  each<P extends ListPaths<R>>(
    path: P,
    ...args: Args<Of<R, P, "get">>
  ): AsyncGenerator<RecordOf<Of<R, P, "get">["answer"]>, void, undefined>;
  /** The answer to a GET in another form, such as a list as `text/csv`. */
  getAs(accept: string, path: string, options?: CallOptions): Promise<Response>;
}

export interface ClientOptions extends RetryOptions {
  /** Such as `https://warehouse.example.com`; in a browser, the service that the page came from. */
  baseUrl?: string;
  /** The token of a login. Without one, the cookies of a login count, as in a browser. */
  token?: () => string | undefined;
  /** The token of an integration, such as a partner that polls events or a shop that pushes records. */
  integrationToken?: () => string | undefined;
  /** The session of a partner's link, for what is under `/api/partner/`. */
  partnerSession?: () => string | undefined;
  /**
   * The `external_id` of who is signed in. Requests that are made now are refused (`other_user`) once somebody else is:
   * users of a shared browser have its cookies one after the other.
   */
  user?: () => string | undefined;
  /** Called with each refusal before it is thrown, for what concerns all requests, such as the end of a session. */
  onRefusal?: (status: number, code: string) => void;
  /**
   * Called when a request is refused until the person proves once more who it is, with the body of the refusal. Once it
   * says that this was done (`POST /api/auth/step-up`), the same request is sent again, once, under the same key.
   */
  stepUp?: (asked: Record<string, unknown>) => Promise<boolean>;
}

interface AnyInput extends CallOptions {
  path?: object;
  query?: object;
  body?: unknown;
}

/** `/api/admin/items/7?q=mug` of a path with names in braces. */
export function urlOf(path: string, values: object = {}, query: object = {}): string {
  const named = new Map(Object.entries(values));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(named.get(name))));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) search.append(name, String(one));
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** The CSRF value of a login, which scripts of a page read from its cookie. */
function csrf(): string | undefined {
  const { document } = globalThis as { document?: { cookie: string } };
  return /(?:^|; )service_csrf=([^;]+)/.exec(document?.cookie ?? "")?.[1];
}

export function createClient<R>(options: ClientOptions = {}): Client<R> {
  const { baseUrl = "", token, integrationToken, partnerSession, user, onRefusal, stepUp, ...retry } = options;

  async function send(
    method: string,
    url: string,
    headers: Headers,
    input: AnyInput,
    isAgain = false,
  ): Promise<Response> {
    const { signal, body } = input;
    const bearer = token?.();
    if (bearer) headers.set("Authorization", `Bearer ${bearer}`);
    const partner = integrationToken?.();
    if (partner) headers.set("X-WMS-Token", partner);
    const link = partnerSession?.();
    if (link) headers.set("X-Partner-Session", link);
    const sender = user?.();
    if (sender) headers.set("X-Expected-User", sender);
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await sendUntilAnswered(
      (attempt) => {
        const value = csrf();
        if (method !== "GET" && !bearer && value) headers.set("X-CSRF-Token", value);
        return fetch(baseUrl + url, { ...init, signal: attempt });
      },
      { ...retry, ...input },
      signal,
    );
    if (response.ok) return response;
    const refusal = await refusalOf(response);
    if (stepUp && !isAgain && refusal.code === "step_up_required" && (await stepUp(refusal.body)))
      return send(method, url, headers, input, true);
    onRefusal?.(refusal.status, refusal.code);
    throw refusal;
  }

  const call =
    (method: string) =>
    async (path: string, input: AnyInput = {}): Promise<unknown> => {
      const headers = new Headers({ Accept: "application/json" });
      if (input.body !== undefined) headers.set("Content-Type", "application/json");
      if (method !== "GET") headers.set("Idempotency-Key", input.idempotencyKey ?? newKey());
      const response = await send(method, urlOf(path, input.path, input.query), headers, input);
      const text = await response.text();
      if (text === "") return undefined;
      return response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
    };

  const get = call("GET");
  return {
    get,
    post: call("POST"),
    put: call("PUT"),
    patch: call("PATCH"),
    delete: call("DELETE"),
    each: (path, input: AnyInput = {}) =>
      eachRecord(
        (page) => get(path, { ...input, query: { ...input.query, ...page } }) as Promise<ListPage>,
        input.query,
      ),
    getAs: (accept, path, input = {}) => send("GET", path, new Headers({ Accept: accept }), input),
  } as Client<R>;
}

/** A key that nobody had before; `crypto.randomUUID` is missing on pages that came without TLS. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
