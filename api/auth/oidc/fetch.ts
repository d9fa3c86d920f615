import { type Ask, knownProvider, type OidcOptions, type Provider } from "../../../src/auth/oidc/provider.js";
import { ProviderAway } from "../../../src/auth/oidc/refused.js";
import { clientTo, resolveChecked } from "../../../src/outbound/wire/connections.js";
import { exchange, failureOf, noAnswer, unlessAborted, withinTime } from "../../../src/outbound/wire/exchange.js";

/** The longest that one request to the provider may take: a person waits for it. */
const TIMEOUT_MS = 10_000;
/** Discovery documents, keys and tokens are some KB. */
const MOST_BYTES = 1024 * 1024;
const tooLong = () => new ProviderAway(`The provider answered more than ${MOST_BYTES} bytes`);

/**
 * `fetch` for the provider: each address of its name is checked, the connection goes to a checked one, and no redirect
 * is followed (docs/security.md, Webhook destinations).
 */
export const providerFetch =
  (allowInternal: boolean): Ask =>
  async (url, { method = "GET", headers, body }) => {
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
    try {
      await withinTime(TIMEOUT_MS, undefined, async (signal) => {
        const addresses = await unlessAborted(resolveChecked(hostname, { allowInternal }), signal);
        const client = clientTo(origin, addresses, { connectTimeoutMs: TIMEOUT_MS });
        try {
          await exchange(client, request, answer, { signal, most: () => MOST_BYTES, tooLong });
        } finally {
          void client.destroy();
        }
      });
    } catch (error) {
      throw error instanceof ProviderAway ? error : new ProviderAway(failureOf(error).message, { cause: error });
    }
    const status = answer.status as number;
    if (status >= 500) throw new ProviderAway(`The provider answered ${status}`);
    const bytes = Buffer.concat(answer.body);
    const named = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(bytes.length > 0 ? bytes : null, { status, headers: named });
  };

/** The provider, as it was discovered within a day. Throws `SsoOff` where there is none, and `ProviderAway`. */
export const providerOf = (options: OidcOptions): Promise<Provider> =>
  knownProvider(options, providerFetch(options.oidcAllowInternal));
