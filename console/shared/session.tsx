import { type UseMutationResult, useQuery } from "@tanstack/react-query";
import { type ComponentType, createContext, Fragment, type ReactNode, useContext, useEffect } from "react";
import { type AccountWithMenus, Refusal } from "../../client/src/index.js";
import { api, ME, nobodyIsSignedIn, useAction } from "./api.js";
import { isAway } from "./away.js";
import { keptFor, keptOfAll } from "./kept.js";

/** Whether the browser has a session at all; a request without one would be refused. */
const hasCookie = () => /(?:^|; )service_csrf=/.test(document.cookie);

/** Who was signed in last, and did not sign out: the page opens for that person without the net. */
const ACCOUNT = "account";
const keptAccount = () => keptOfAll<AccountWithMenus>(ACCOUNT)[0]?.value;
function keepAccount(account: AccountWithMenus | null): void {
  for (const { user } of keptOfAll(ACCOUNT)) keptFor(user, ACCOUNT, null).set(null);
  if (account) keptFor<AccountWithMenus | null>(account.external_id, ACCOUNT, null).set(account);
}

async function account(withoutNet: SessionProps["withoutNet"]): Promise<AccountWithMenus | null> {
  if (!hasCookie()) return null;
  const before = withoutNet ? keptAccount() : undefined;
  try {
    const me = await api.get("/api/auth/me", before && { attemptMs: 5_000, giveUpAfterMs: 3_000 });
    if (withoutNet) keepAccount(me);
    return me;
  } catch (error) {
    // The session has ended elsewhere; its cookie is still there.
    if (error instanceof Refusal && error.status === 401) return null;
    if (!withoutNet || !before || !isAway(error)) throw error;
    withoutNet(before.external_id);
    return before;
  }
}

const useAccount = (withoutNet: SessionProps["withoutNet"]) =>
  useQuery<AccountWithMenus | null>({
    queryKey: ME,
    queryFn: () => account(withoutNet),
    networkMode: withoutNet ? "always" : "online",
    staleTime: 60_000,
  });

/** From `Session`, and not from the query: a page that is drawn while somebody signs out still has its account. */
const Me = createContext<AccountWithMenus | undefined>(undefined);

/** Who is signed in; inside `Session` somebody always is. */
export function useMe(): AccountWithMenus {
  const me = useContext(Me);
  if (!me) throw new Error("nobody is signed in");
  return me;
}

/** Whether the account shows the page: an ADMIN has all, but for one that a setting hides from everybody. */
export const mayOpen = ({ allowed_pages, pos_activity_enabled }: AccountWithMenus, page: string | undefined) =>
  (page !== "pos-activity" || pos_activity_enabled) &&
  (page === undefined ||
    allowed_pages === null ||
    (page === "ANY" ? allowed_pages.length > 0 : allowed_pages.includes(page)));

/** Whether all warehouses and pages are the account's: what concerns all warehouses is done by such alone. */
export const isAdmin = ({ role }: AccountWithMenus) => role === "ADMIN";

/** Whether somebody has a function of the floor. */
export const mayDo = ({ allowed_functions }: AccountWithMenus, name: "pack" | "ship") =>
  allowed_functions.includes(name);

let session = new AbortController();
/** Ends what is still being sent for somebody who is no longer signed in. */
export const whileSignedIn = (): AbortSignal => session.signal;
function endSession(): void {
  session.abort(new Error("signed out"));
  session = new AbortController();
}

const RENEW_EVERY_MS = 5 * 60_000;

interface SessionProps {
  Login: ComponentType;
  /** Shown to whoever has to change the password first. */
  NewPassword: ComponentType;
  /** Shown to whoever has to set up a second factor first. */
  Enrolment: ComponentType;
  /** Shown to whoever has to show the second factor first, after a sign-in at the provider. */
  SecondFactor: ComponentType;
  Waiting: ComponentType;
  Failed: ComponentType<{ error: unknown }>;
  /** Whoever did not sign out may go on without the net; it hears who does. */
  withoutNet?: (user: string) => void;
  children: ReactNode;
}

/** What comes before everything else. */
function firstOf(me: AccountWithMenus, { NewPassword, Enrolment, SecondFactor }: SessionProps) {
  if (me.must_change_password) return NewPassword;
  if (me.must_add_second_factor) return Enrolment;
  return me.must_show_second_factor ? SecondFactor : undefined;
}

/** Its children for who is signed in; else the login, in their place, so that one is back where one was. */
export function Session(props: SessionProps) {
  const { Login, Waiting, Failed, withoutNet, children } = props;
  const { data, error, isPending } = useAccount(withoutNet);
  const user = data?.external_id;
  useEffect(() => {
    if (data === null) keepAccount(null);
  }, [data]);
  useEffect(() => {
    if (!user) return;
    const renew = setInterval(() => {
      if (document.visibilityState === "visible") api.post("/api/auth/refresh").catch(() => {});
    }, RENEW_EVERY_MS);
    return () => {
      clearInterval(renew);
      endSession();
    };
  }, [user]);
  if (data) {
    const First = firstOf(data, props);
    return (
      <Me value={data}>
        <Fragment key={user}>{First ? <First /> : children}</Fragment>
      </Me>
    );
  }
  if (error) return <Failed error={error} />;
  return isPending ? <Waiting /> : <Login />;
}

export const useLogin = () =>
  useAction((body: { username: string; password: string }) => api.post("/api/auth/login", { body, giveUpAfterMs: 0 }));

/** What a login is answered with where a second factor is to be shown. */
export interface Challenge {
  challenge: string;
  ways: string[];
  /** What a passkey is asked by. */
  passkey?: object;
}

/** The challenge in what a login was refused with; undefined where it was refused for another reason. */
export const challengeIn = (error: unknown): Challenge | undefined =>
  error instanceof Refusal && error.code === "second_factor_required" ? (error.body as never as Challenge) : undefined;

/** What is shown as the second factor. */
export type Shown = { code: string } | { recovery_code: string } | { passkey: never };

export type ShowSecondFactor = () => UseMutationResult<unknown, Error, { challenge: string } & Shown>;

export const useSecondFactor: ShowSecondFactor = () =>
  useAction((body: { challenge: string } & Shown) => api.post("/api/auth/second-factor", { body, giveUpAfterMs: 0 }));

/** The same in a session that was begun at the provider. */
export const useStepUp: ShowSecondFactor = () =>
  useAction((body: { challenge: string } & Shown) => api.post("/api/auth/step-up", { body, giveUpAfterMs: 0 }));

/** What is to be shown in such a session. */
export const useOwnChallenge = () =>
  useQuery({
    queryKey: ["/api/auth/step-up/challenge"],
    queryFn: async (): Promise<Challenge> => ({ challenge: "", ...(await api.post("/api/auth/step-up/challenge")) }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** All sessions end with the old password, so the new one signs in again; with a second factor the person does. */
export const useNewPassword = (username: string) =>
  useAction(async (body: { current_password: string; new_password: string }) => {
    await api.post("/api/auth/change-password", { body });
    try {
      await api.post("/api/auth/login", { body: { username, password: body.new_password } });
    } catch (error) {
      if (!challengeIn(error)) throw error;
      nobodyIsSignedIn();
    }
  });

export const useBadgeLogin = () =>
  useAction((body: { badge: string; pin: string }) => api.post("/api/auth/badge", { body, giveUpAfterMs: 0 }));

export const useBadgePin = () =>
  useAction((body: { current_password: string; pin: string }) => api.put("/api/auth/badge-pin", { body }));

export async function signOut(): Promise<void> {
  // Nothing more is sent for this person, not even what is on its way again and again.
  endSession();
  const { end_session_url } = await api.post("/api/auth/logout");
  nobodyIsSignedIn();
  // Else the next one at this device would be signed in there already.
  if (end_session_url) location.assign(end_session_url);
}
