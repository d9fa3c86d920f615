import { type Ask, knownProvider, type OidcOptions, type Provider } from "../../../src/auth/oidc/provider.js";
import { ProviderAway } from "../../../src/auth/oidc/refused.js";
import { checkedFetch } from "../../../src/outbound/wire/checked-fetch.js";

/** A person waits for it; discovery documents, keys and tokens are some KB. */
const BOUNDS = { timeoutMs: 10_000, mostBytes: 1024 * 1024 };

/** `fetch` for the provider, at checked addresses. */
export const providerFetch =
  (allowInternal: boolean): Ask =>
  async (url, asked) => {
    const answer = await checkedFetch(url, asked, { ...BOUNDS, allowInternal }).catch((error: Error) => {
      throw new ProviderAway(error.message, { cause: error });
    });
    if (answer.status >= 500) throw new ProviderAway(`The provider answered ${answer.status}`);
    return answer;
  };

/** The provider, as it was discovered within a day. Throws `SsoOff` where there is none, and `ProviderAway`. */
export const providerOf = (options: OidcOptions): Promise<Provider> =>
  knownProvider(options, providerFetch(options.oidcAllowInternal));
