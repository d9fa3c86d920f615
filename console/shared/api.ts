import { QueryClient, type UseQueryResult, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import {
  type AccountWithMenus,
  type Answer,
  createWarehouseClient,
  newKey,
  type ReadInput,
  type ReadPath,
  Unreachable,
} from "../../client/src/index.js";
import { forgetPartnerSession, PARTNER, partnerSession, SESSION_ENDED } from "./partner-session.js";
import { askForProof } from "./step-up.js";

export const queries = new QueryClient({
  defaultOptions: {
    // The client itself tries again.
    queries: { retry: false, staleTime: 10_000, refetchOnWindowFocus: false },
    mutations: { retry: false },
  },
});

/** The query of who is signed in; null when nobody is. */
export const ME = ["/api/auth/me"];

/** Somebody is told that the login failed, or that a partner's link opens nothing, where it is. */
const LOGIN_FAILED = [
  ...["invalid_credentials", "invalid_badge"],
  "invalid_token",
  ...["second_factor_required", "invalid_second_factor", "challenge_expired"],
  // The session goes on; the person did not prove whose it is.
  "step_up_required",
];
/** Before anything else something has to be done, which the account says. */
const FIRST = ["password_change_required", "second_factor_enrolment_required"];

/** The service that this page came from. Whoever's session ended sees the login in place of the page. */
export const api = createWarehouseClient({
  partnerSession,
  user: () => queries.getQueryData<AccountWithMenus | null>(ME)?.external_id,
  stepUp: (asked) => askForProof(asked as never),
  onRefusal: (status, code) => {
    if (code === "invalid_token" && partnerSession()) {
      forgetPartnerSession();
      queries.setQueryData(PARTNER, SESSION_ENDED);
    }
    if (status === 401 && !LOGIN_FAILED.includes(code)) nobodyIsSignedIn();
    if (FIRST.includes(code)) void queries.invalidateQueries({ queryKey: ME });
    // In another tab somebody else has signed in: who it is is asked anew.
    if (code === "other_user") {
      forgetAnswers();
      void queries.resetQueries({ queryKey: ME });
    }
  },
});

/** Whoever comes next reads everything anew. */
const forgetAnswers = () => queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
export function nobodyIsSignedIn(): void {
  queries.setQueryData(ME, null);
  forgetAnswers();
}

export type Api = typeof api;
type AnyCall = (path: string, input?: object) => Promise<unknown>;

/** The same for one thing that a person does: whatever it changes is sent under this key, so it happens once. */
export function underKey(idempotencyKey: string): Api {
  const keyed = (method: "post" | "put" | "patch" | "delete") => (path: string, input?: object) =>
    (api[method] as AnyCall)(path, { idempotencyKey, ...input });
  const changes = { post: keyed("post"), put: keyed("put"), patch: keyed("patch"), delete: keyed("delete") };
  return { ...api, ...(changes as Pick<Api, keyof typeof changes>) };
}

/** The answer to a GET, once. */
export const readOnce = (path: string, input: object) => (api.get as AnyCall)(path, input);

/** How a path is asked for, and under what its answer is kept. */
export const reading = <P extends ReadPath>(path: P, input?: object) => ({
  queryKey: [path, input],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    (api.get as AnyCall)(path, { ...input, signal }) as Promise<Answer<P>>,
});

/** The answer to a GET, kept under its path and read again when something changed: `useRead("/api/admin/items")`. */
export function useRead<P extends ReadPath>(path: P, ...[input]: ReadInput<P>): UseQueryResult<Answer<P>> {
  return useQuery({
    ...reading(path, input),
    // A list keeps its rows while the next page comes.
    placeholderData: (before: Answer<P> | undefined) => before as never,
  }) as UseQueryResult<Answer<P>>;
}

/**
 * Something that a person does: `run(input)`. Afterwards what is shown is read again. When no answer came and the
 * person does the same again, the service that `act` gets has the same key, so it happens once.
 */
export function useAction<I, A>(act: (input: I, api: Api) => Promise<A>, done?: (answer: A) => void) {
  const client = useQueryClient();
  const unanswered = useRef<{ input: string; key: string }>(undefined);
  return useMutation({
    mutationFn: async (input: I) => {
      const text = JSON.stringify(input);
      const key = unanswered.current?.input === text ? unanswered.current.key : newKey();
      unanswered.current = { input: text, key };
      try {
        return await act(input, underKey(key));
      } catch (error) {
        if (!(error instanceof Unreachable)) unanswered.current = undefined;
        throw error;
      }
    },
    onSuccess: async (answer) => {
      unanswered.current = undefined;
      await client.invalidateQueries();
      done?.(answer);
    },
  });
}
