import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
} from "react";
import { useLocation } from "react-router";
import { t } from "../../texts/scan.js";
import { wrong } from "../signals.js";
import { isBadge, OtherBadge } from "./other-badge.js";
import { hearScans } from "./wedge.js";

/** An answer that takes longer is late: there may be no network. */
const LATE_MS = 3_000;
export function useLate(): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const late = setTimeout(() => setLate(true), LATE_MS);
    return () => clearTimeout(late);
  }, []);
  return isLate;
}

/** Does what a scan asks for, which came at a time (`performance.now()`); the next scan waits for what it returns. */
export type Take = (text: string, at: number) => unknown;

interface Scans {
  /** Takes a scan, or what stands for one: a code that was typed, or chosen from a list. */
  scan: (text: string) => void;
  /** For parts of the page that are there: what takes scans, or undefined for what they have to wait for. */
  add: (part: { take: Take | undefined }) => () => void;
}
const Context = createContext<Scans | undefined>(undefined);
const Unanswered = createContext(false);

export function useScans(): Scans {
  const scans = use(Context);
  if (!scans) throw new Error("nothing hears scans here");
  return scans;
}

/** What scans are for as long as this is on the page. */
export function useTake(take: Take | undefined): void {
  // Before somebody is signed in there is nothing to scan.
  const scans = use(Context);
  const part = useRef({ take });
  part.current.take = take;
  useEffect(() => scans?.add(part.current), [scans]);
}

/** Whether there is a scan that the page does not show yet. What somebody presses now is meant for after it. */
export const useUnanswered = () => use(Unanswered);

/** Scans wait as long as this is on the page. */
export const useHold = () => useTake(undefined);

/**
 * Hears every scan, whatever the page shows, and hands them on one by one: the next one when the page has answered the
 * one before and shows what it led to. What waits is shown, and so is what came where nothing is to be scanned.
 */
export function ScanQueue({ children }: { children: ReactNode }) {
  const [waiting, setWaiting] = useState<{ text: string; at: number }[]>([]);
  const [unexpected, setUnexpected] = useState("");
  const [answering, setAnswering] = useState<{ text: string }>();
  const [, lookAgain] = useReducer((times: number) => times + 1, 0);
  const parts = useRef(new Set<{ take: Take | undefined }>());
  const { pathname } = useLocation();

  const scan = useCallback((text: string) => {
    if (text.trim()) setWaiting((before) => [...before, { text: text.trim(), at: performance.now() }]);
  }, []);
  const add = useCallback((part: { take: Take | undefined }) => {
    parts.current.add(part);
    lookAgain();
    return () => {
      parts.current.delete(part);
      lookAgain();
    };
  }, []);
  const scans = useMemo(() => ({ scan, add }), [scan, add]);

  useEffect(() => hearScans(scan), [scan]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was meant for one page is not for the next
  useEffect(() => {
    setWaiting([]);
    setUnexpected("");
    setAnswering(undefined);
  }, [pathname]);
  // After each change of the page: the parts that it shows now have been added.
  useEffect(() => {
    const [next] = waiting;
    const takers = [...parts.current].map(({ take }) => take);
    if (!next || answering || takers.includes(undefined)) return;
    const take = takers.at(-1);
    setWaiting(waiting.slice(1));
    setUnexpected(take ? "" : next.text);
    if (!take) return wrong();
    setAnswering(next);
    // What went wrong is shown by the page.
    void Promise.resolve(take(next.text, next.at))
      .catch(() => {})
      .finally(() => setAnswering((now) => (now === next ? undefined : now)));
  });
  // What holds scans says itself what it waits for.
  const isHeld = [...parts.current].some(({ take }) => take === undefined);

  return (
    <Context value={scans}>
      {waiting.length > 0 && (
        <aside className="scans" aria-label={t("scansWaiting")}>
          <p role="status">
            {t("scansWaiting")}: <strong>{waiting.map(({ text }) => text).join(", ")}</strong>
          </p>
          <button type="button" onClick={() => setWaiting([])}>
            {t("forget")}
          </button>
        </aside>
      )}
      {unexpected && (
        <aside className="scans" aria-label={t("scanner")}>
          {isBadge(unexpected) ? (
            <OtherBadge
              badge={unexpected}
              stay={() => setUnexpected("")}
              otherwise={<Unexpected text={unexpected} />}
            />
          ) : (
            <Unexpected text={unexpected} />
          )}
        </aside>
      )}
      {answering && !isHeld && <Late text={answering.text} />}
      <Unanswered value={answering !== undefined || waiting.length > 0}>{children}</Unanswered>
    </Context>
  );
}

const Unexpected = ({ text }: { text: string }) => (
  <p className="notice wrong" role="alert">
    <strong>{text}</strong> {t("notExpected")}
  </p>
);

/** That a scan is not answered yet, once that takes long. */
function Late({ text }: { text: string }) {
  if (!useLate()) return null;
  return (
    <aside className="scans" aria-label={t("scanner")}>
      <p className="notice" role="status">
        <strong>{text}</strong> {t("noAnswerYet")}
      </p>
    </aside>
  );
}
