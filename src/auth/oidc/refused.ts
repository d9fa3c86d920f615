import { problem } from "../../platform/problem.js";

/** What a refused sign-in is in the security log. The browser gets a page, and no answer of this kind. */
export const SsoRefused = problem("sso_refused", 401, "The sign-in was refused");

/** Why nobody is signed in. It is told to the security log alone. */
export class SignInRefused extends Error {
  override name = "SignInRefused";
  constructor(
    readonly reason: string,
    /** Who it was, as far as the provider has said. */
    readonly username?: string,
  ) {
    super(reason);
  }
}

/** The provider cannot be asked now: it does not answer, fails, or is somewhere that is not asked. */
export class ProviderAway extends Error {
  override name = "ProviderAway";
}
