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
