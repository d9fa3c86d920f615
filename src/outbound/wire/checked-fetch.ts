import { clientTo, resolveChecked } from "./connections.js";
import { Failure } from "./error-kinds.js";
import { exchange, failureOf, noAnswer, unlessAborted, withinTime } from "./exchange.js";

interface Bounds {
  allowInternal: boolean;
  timeoutMs: number;
  /** The most bytes of an answer; a longer one is none. */
  mostBytes: number;
}

/** The part of `fetch` that is used. */
export interface Asked {
  method?: string;
  headers?: Headers | Record<string, string>;
  body?: unknown;
}

/**
 * `fetch` for addresses that others name: each address of the name is checked, the connection goes to a checked one,
 * and no redirect is followed (docs/security.md, Webhook destinations). Throws a `Failure` where there is no answer.
 */
export async function checkedFetch(
  url: string,
  { method = "GET", headers, body }: Asked,
  { allowInternal, timeoutMs, mostBytes }: Bounds,
): Promise<Response> {
  const { origin, hostname, pathname, search } = new URL(url);
  const request = {
    ...{ method, path: pathname + search },
    headers: {
      ...Object.fromEntries(new Headers(headers)),
      ...{ "accept-encoding": "identity", "user-agent": "warehouse-execution-service" },
    },
    ...(body != null && { body: String(body) }),
  };
  const answer = noAnswer();
  const tooLong = () => new Failure("unknown", `More than ${mostBytes} bytes`);
  try {
    await withinTime(timeoutMs, undefined, async (signal) => {
      const addresses = await unlessAborted(resolveChecked(hostname, { allowInternal }), signal);
      const client = clientTo(origin, addresses, { connectTimeoutMs: timeoutMs });
      try {
        await exchange(client, request, answer, { signal, most: () => mostBytes, tooLong });
      } finally {
        void client.destroy();
      }
    });
  } catch (error) {
    throw failureOf(error);
  }
  const bytes = Buffer.concat(answer.body);
  const named = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Response(bytes.length > 0 ? bytes : null, { status: answer.status as number, headers: named });
}
