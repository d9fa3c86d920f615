/** The session of a partner (docs/partners.md), in the tab alone: who closes it opens the link again. */

const NAME = "partner_session";

export const partnerSession = (): string | undefined => sessionStorage.getItem(NAME) ?? undefined;
export const keepPartnerSession = (session: string): void => sessionStorage.setItem(NAME, session);
export const forgetPartnerSession = (): void => sessionStorage.removeItem(NAME);
