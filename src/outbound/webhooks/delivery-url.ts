import { z } from "zod";
import { hasCredentials, SHOWS_CREDENTIALS } from "../../platform/url-credentials.js";

export const MAX_URL = 2048;
/** A URL of any scheme: rules.ts checks which are allowed. Its normalized form must not be longer either. */
const isUrl = (text: string) =>
  URL.canParse(text) &&
  !/\s/.test(text) &&
  /^(https?:\/\/|(?!https?:))/i.test(text) &&
  new URL(text).href.length <= MAX_URL;
/** Where requests are sent to; rules.ts says which are refused. */
export const DeliveryUrl = z
  .string()
  .trim()
  .min(1)
  .max(MAX_URL)
  .refine(isUrl, { error: "Not a URL", abort: true })
  .refine((text) => !hasCredentials(text), `${SHOWS_CREDENTIALS}; deliveries are signed instead`)
  .meta({ examples: ["https://partner.example.com/hooks"] });
