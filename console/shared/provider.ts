/** Signing in at the company's identity provider, which is another page: docs/sign-in.md. */

const OUTCOME = "sign_in";

/** Where the browser is sent to sign in, so that one is back where one was. */
export function signInAddress(how: { step_up?: "true" } = {}): string {
  const here = new URL(location.href);
  here.searchParams.delete(OUTCOME);
  return `/api/auth/oidc/start?${new URLSearchParams({ return_to: here.pathname + here.search, ...how })}`;
}

/** What became of a sign-in there, where there is no session. */
export const outcomeOfSignIn = () => new URLSearchParams(location.search).get(OUTCOME);
