import type { CDPSession } from "playwright-core";

/** A device of Chromium's own that holds passkeys; `answers` says whether somebody is there to touch it. */
export async function virtualDevice(session: CDPSession) {
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      ...{ protocol: "ctap2", transport: "usb", hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
  const answers = (enabled: boolean) =>
    session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
  const made = async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return { answers, made };
}
