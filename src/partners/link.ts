import { newToken } from "../auth/tokens/token.js";

/** Links of partners: docs/partners.md. */

/** By it one tells the token of a link from others, and scanners of published code find one. */
const LINK_PREFIX = "wpl_";

/** The token of a new link. It is shown once; only its hash is stored. */
export const newLinkToken = () => LINK_PREFIX + newToken();

/** How long a link lasts where nothing is said, and at most. */
export const DEFAULT_LINK_DAYS = 30;
export const MAX_LINK_DAYS = 365;

/** How long a session lasts that a link is exchanged for. */
export const PARTNER_SESSION_HOURS = 8;
