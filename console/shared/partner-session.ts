/** The session of a partner (docs/partners.md), in the tab alone: who closes it opens the link again. */

const NAME = "partner_session";

/** The query of what the session opens; null where there is none. */
export const PARTNER = ["partner"];
/** What that query has in its place once the service has refused a session that it gave. */
export const SESSION_ENDED = "ended";

export const partnerSession = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;
export const keepPartnerSession = (session: string): void => sessionStorage.setItem(NAME, session);
export const forgetPartnerSession = (): void => sessionStorage.removeItem(NAME);
