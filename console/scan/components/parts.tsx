import { Component, type ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../../shared/icons.js";
import { errorText } from "../../texts/problems.js";
import { t } from "../../texts/scan.js";

export const Waiting = () => (
  <p className="waiting" role="status">
    {t("loading")}
  </p>
);

/** Why something did not work. */
export const Refused = ({ error }: { error: unknown }) =>
  error ? (
    <p className="notice wrong" role="alert">
      {errorText(error)}
    </p>
  ) : null;

/** While something is sent again and again. */
export const Sending = () => (
  <p className="notice" role="status">
    {t("sending")}
  </p>
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
    <main>{children}</main>
    {next && <footer>{next}</footer>}
  </>
);

interface QuantityProps {
  label: string;
  value: number;
  set: (value: number) => void;
}

export const Quantity = ({ label, value, set }: QuantityProps) => (
  <fieldset>
    <legend>{label}</legend>
    <div className="row">
      <button type="button" className="square" onClick={() => set(Math.max(1, value - 1))} aria-label={t("less")}>
        <Icon of="minus" />
      </button>
      <input
        type="number"
        inputMode="numeric"
        min={1}
        value={value || ""}
        onChange={({ currentTarget }) => set(Math.floor(Number(currentTarget.value)))}
        aria-label={label}
      />
      <button type="button" className="square" onClick={() => set(value + 1)} aria-label={t("more")}>
        <Icon of="plus" />
      </button>
    </div>
  </fieldset>
);
