import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { CallOptions, Refusal } from "../../../client/src/index.js";
import { api } from "../../shared/api.js";
import { useMe, whileSignedIn } from "../../shared/session.js";
import { isAnswer, tasks, UNTIL_ANSWERED } from "../task.js";
import { isTooOld } from "../unsent.js";
import { awaySince, useNet } from "./net.js";
import { type KeptScan, keptScans, noteOutcome, noteTried, outcomes, type Told, useKeptScans } from "./scans.js";

/** What could be neither sent nor refused is tried again after so long. */
const AGAIN_MS = 10_000;

/** Why a scan was not sent; the page has words for it. */
export const NOT_SENT = { afterRefused: "after_refused", tooOld: "too_old" } as const;

/**
 * Sends what is kept, whatever page is open, one after the other, the oldest first; and says when the net is back. Of
 * several tabs one does it, and another one goes on when that is closed.
 */
export function Sender() {
  const { external_id } = useMe();
  const client = useQueryClient();
  const { since, goAway } = useNet();
  const isNeeded = useKeptScans().scans.length > 0 || since !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what is kept each time
  useEffect(() => {
    if (!navigator.onLine) goAway();
    window.addEventListener("offline", goAway);
    return () => window.removeEventListener("offline", goAway);
  }, [external_id]);
  const wasAway = useRef(false);
  useEffect(() => {
    if (since === null && wasAway.current) void client.invalidateQueries();
    wasAway.current = since !== null;
  }, [since, client]);
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    const signal = AbortSignal.any([leaving.signal, whileSignedIn()]);
    const options = { ...UNTIL_ANSWERED, giveUpAfterMs: Number.POSITIVE_INFINITY, signal };
    let again: ReturnType<typeof setTimeout> | undefined;
    const send = () =>
      inOneTab(external_id, () => sendAll(external_id, options), signal).catch(() => {
        if (!signal.aborted) again = setTimeout(send, AGAIN_MS);
      });
    void send();
    return () => {
      leaving.abort();
      clearTimeout(again);
    };
  }, [isNeeded, external_id]);
  return null;
}

/** Browsers have locks on pages that came with TLS, or from this machine: the same that open without the net. */
async function inOneTab(user: string, send: () => Promise<void>, signal: AbortSignal): Promise<void> {
  if (!("locks" in navigator)) return send();
  await navigator.locks.request(`${user}/kept-scans`, { signal }, send);
}

/** Ends when nothing is left and the net is back. */
async function sendAll(user: string, options: CallOptions): Promise<void> {
  for (;;) {
    const [scan] = keptScans(user);
    if (scan) {
      noteOutcome(user, scan, await outcomeOf(user, scan, options));
      continue;
    }
    await api.get("/api/auth/me", options);
    // Meanwhile more was done.
    if (keptScans(user).length > 0) continue;
    return awaySince(user).set(null);
  }
}

/** Why it was refused, if it was. Throws where nothing was answered. */
async function outcomeOf(user: string, scan: KeptScan, options: CallOptions): Promise<Told | undefined> {
  const { task, input, key } = scan;
  const refused = outcomes(user).filter(({ refusal }) => refusal);
  if (refused.some((other) => input.after?.includes(other.key))) return notSent(NOT_SENT.afterRefused);
  if (isTooOld(scan)) return notSent(NOT_SENT.tooOld);
  const send = tasks.find(({ path }) => path === task)?.sends?.[input.does];
  if (!send) throw new Error(`${task} sends no ${input.does}`);
  noteTried(user, scan);
  try {
    await send(input.done as never, { ...options, idempotencyKey: key });
    return undefined;
  } catch (error) {
    if (!isAnswer(error)) throw error;
    const { status, code, message, body } = error as Refusal;
    return { status, code, message, body };
  }
}

const notSent = (code: string): Told => ({ status: 0, code, message: code, body: {} });
