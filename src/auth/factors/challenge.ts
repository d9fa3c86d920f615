import { createHash } from "node:crypto";

/** What a second factor may be asked for. */
export type ChallengePurpose = "sign_in" | "register" | "step_up";

/** The hash that a challenge is stored by: it has 256 random bits, which need no pepper. */
export const challengeHash = (challenge: string): string => createHash("sha256").update(challenge).digest("hex");
