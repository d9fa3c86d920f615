import { Component, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Icon } from "../../shared/icons.js";
import { errorText } from "../../texts/problems.js";
import { t } from "../../texts/scan.js";
import { useHold, useLate, useUnanswered } from "./scans.js";
import { Unsent } from "./unsent.js";

export function Waiting() {
  useHold();
  return (
    <p className="waiting" role="status">
      {t(useLate() ? "noAnswerYet" : "loading")}
    </p>
  );
}

/** A separator of a GS1 label has no sign of its own. */
const readable = (scanned: string) => scanned.replaceAll("\u001d", " ");

/** Why something did not work, and what was scanned or typed for it, unless that is what it says first. */
export function Refused({ error, scanned = "" }: { error: unknown; scanned?: string | undefined }) {
  if (!error) return null;
  const text = errorText(error);
  return (
    <p className="notice wrong" role="alert">
      {scanned && !text.startsWith(`${scanned} `) && <strong>{readable(scanned)} </strong>}
      <span>{text}</span>
    </p>
  );
}

/** While something is sent again and again. */
export function Sending() {
  useHold();
  return (
    <p className="notice" role="status">
      {t("sending")}
    </p>
  );
}

interface SentProps {
  of: { isPending: boolean; error: unknown };
  /** Why what is shown cannot be read again. */
  error?: unknown;
}

/** How what a scan does is going: it is being sent, or was refused. */
export const Sent = ({ of, error }: SentProps) => (
  <>
    {of.isPending && <Sending />}
    <Refused error={of.error ?? error} />
  </>
);

export const Done = ({ children }: { children: ReactNode }) => (
  <p className="notice right" role="status">
    {children}
  </p>
);

export const Failure = ({ error }: { error: unknown }) => (
  <main>
    <Refused error={error} />
    <button type="button" className="primary" onClick={() => location.reload()}>
      {t("tryAgain")}
    </button>
  </main>
);

/** Shows a page's own fault in its place. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override render() {
    return this.state.error ? <Failure error={this.state.error} /> : this.props.children;
  }
}

interface ScreenProps {
  title: string;
  children: ReactNode;
  /** What comes next stands at the bottom, under the thumb. */
  next?: ReactNode;
  /** Without one, the menu. */
  back?: (() => void) | undefined;
}

interface ChoiceProps {
  title: string;
  text?: string;
  note?: ReactNode;
  choose: () => void;
}

/** A line of a list, for a thumb. */
export const Choice = ({ title, text, note, choose }: ChoiceProps) => (
  <li>
    <button type="button" onClick={choose}>
      <span>
        <strong>{title}</strong> {text}
      </span>
      <span className="dim">{note}</span>
    </button>
  </li>
);

/** Can be pressed once every scan is answered, so that nothing is done without what was scanned before. */
const Next = ({ children }: { children: ReactNode }) => <footer inert={useUnanswered()}>{children}</footer>;

/** A step of a task. */
export const Screen = ({ title, children, next, back }: ScreenProps) => (
  <>
    <header>
      {back ? (
        <button type="button" className="back" onClick={back} aria-label={t("back")}>
          <Icon of="back" />
        </button>
      ) : (
        <Link className="back" to="/" aria-label={t("menu")}>
          <Icon of="back" />
        </Link>
      )}
      <h1>{title}</h1>
    </header>
    <main>
      <Unsent />
      {children}
    </main>
    {next && <Next>{next}</Next>}
  </>
);

interface NotYetProps extends Pick<ScreenProps, "title" | "back"> {
  error: unknown;
  isSending?: boolean;
}

/** A step whose record is not read yet, or cannot be. */
export const NotYet = ({ error, isSending = false, ...step }: NotYetProps) => (
  <Screen {...step}>
    {isSending && <Sending />}
    {error ? <Refused error={error} /> : <Waiting />}
  </Screen>
);

/** Why the service chose what it asks for: what is in it is made once somebody wants to know. */
export function Why({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="why" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{label}</summary>
      {isOpen && children}
    </details>
  );
}

interface QuantityProps {
  label: string;
  value: number;
  set: (value: number) => void;
  min?: number;
  max?: number | undefined;
}

export const Quantity = ({ label, value, set, min = 1, max }: QuantityProps) => (
  <fieldset>
    <legend>{label}</legend>
    <div className="row">
      <button type="button" className="square" onClick={() => set(Math.max(min, value - 1))} aria-label={t("less")}>
        <Icon of="minus" />
      </button>
      <input
        type="number"
        inputMode="numeric"
        min={min}
        max={max}
        value={value >= min ? value : ""}
        onChange={({ currentTarget }) => set(Math.floor(Number(currentTarget.value)))}
        aria-label={label}
      />
      <button
        type="button"
        className="square"
        onClick={() => set(Math.min(max ?? Infinity, value + 1))}
        aria-label={t("more")}
      >
        <Icon of="plus" />
      </button>
    </div>
  </fieldset>
);
