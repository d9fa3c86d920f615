import { randomBytes } from "node:crypto";

/** A new signing secret, as Standard Webhooks writes it. It is shown once, and stored sealed. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;
