import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { useRead } from "../shared/api.js";
import { number } from "../shared/format.js";
import { Icon } from "../shared/icons.js";
import { languages, setLanguage, useLanguage } from "../shared/language.js";
import { useMe } from "../shared/session.js";
import { t } from "../texts/scan.js";
import { Refused, Screen, Waiting } from "./components/parts.js";
import { taskTitle, Unsent } from "./components/unsent.js";
import { useWarehouse } from "./components/warehouse.js";
import { leaveDevice } from "./leave.js";
import type { Task } from "./task.js";
import { isDark, switchTheme } from "./theme.js";
import { isWaiting, useUnsent } from "./unsent.js";

export function Menu({ tasks }: { tasks: Task[] }) {
  const { full_name, external_id } = useMe();
  const { warehouse, warehouses } = useWarehouse();
  const language = useLanguage();
  const [dark, setDark] = useState(isDark());
  const [isLeaving, setLeaving] = useState(false);
  const isUnsent = useUnsent().some(isWaiting);
  const hasBadge = useRead("/api/auth/badge").data?.badge;
  const signingOut = useMutation({ networkMode: "always", mutationFn: () => leaveDevice(external_id) });
  const leave = () => signingOut.mutate();
  if (signingOut.isPending || signingOut.error)
    return <SigningOut error={signingOut.error} stay={signingOut.reset} again={leave} />;
  if (isLeaving) return <Leave stay={() => setLeaving(false)} leave={leave} />;
  const others = Object.entries(languages).filter(([code]) => code !== language);
  return (
    <>
      <header>
        <h1>{t("whatNow")}</h1>
      </header>
      <main>
        <Unsent />
        {tasks.length === 0 && <p>{t("noTasks")}</p>}
        <ul className="tiles">
          {tasks.map(({ path, icon, title, waiting }) => (
            <li key={path}>
              <Link to={`/${path}`}>
                <Icon of={icon} size={36} />
                {title()}
                <Waits of={waiting} />
              </Link>
            </li>
          ))}
        </ul>
      </main>
      <footer className="settings">
        {warehouses.length > 1 && (
          <Link to="/warehouse">
            {t("warehouse")}: {warehouse.code}
          </Link>
        )}
        <button
          type="button"
          onClick={() => {
            switchTheme();
            setDark(isDark());
          }}
        >
          {dark ? t("light") : t("dark")}
        </button>
        {others.map(([code, name]) => (
          <button key={code} type="button" lang={code} onClick={() => setLanguage(code as "en")}>
            {name}
          </button>
        ))}
        {hasBadge && <Link to="/badge-pin">{t("pinOfBadge")}</Link>}
        <button type="button" onClick={() => (isUnsent ? setLeaving(true) : leave())}>
          {t("signOut")} ({full_name})
        </button>
      </footer>
    </>
  );
}

/** How much waits for a task; nothing where there is none, or as long as the service does not answer. */
function Waits({ of }: { of: Task["waiting"] }) {
  const { warehouse } = useWarehouse();
  const { data } = useRead("/api/work", { query: { warehouse_id: warehouse.id, limit: 1, mine: "true" } });
  const count = of && data?.warehouse_id === warehouse.id ? of(data) : 0;
  return count > 0 && <small className="dim">{t("waits", { count: number(count) })}</small>;
}

/** Says what is not yet sent, and waits for it or keeps it. */
function Leave({ stay, leave }: { stay: () => void; leave: () => void }) {
  const own = useUnsent().filter(isWaiting);
  const next = (
    <>
      <button type="button" className={own.length > 0 ? "second" : "primary"} onClick={leave}>
        {own.length > 0 ? t("signOutAndKeep") : t("signOut")}
      </button>
      {own.map(({ task }) => (
        <Link key={task} className="button primary" to={`/${task}`}>
          {t("sendFirst", { task: taskTitle(task) })}
        </Link>
      ))}
    </>
  );
  return (
    <Screen title={t("signOut")} back={stay} next={next}>
      <p role="status">{own.length > 0 ? t("keptForYou") : t("allSent")}</p>
    </Screen>
  );
}

/** The service ends the session; until it has, whoever has the device is still signed in. */
function SigningOut({ error, stay, again }: { error: unknown; stay: () => void; again: () => void }) {
  const next = (
    <button type="button" className="primary" onClick={again}>
      {t("tryAgain")}
    </button>
  );
  return (
    <Screen title={t("signOut")} back={error ? stay : undefined} next={error ? next : undefined}>
      {error ? <Refused error={error} /> : <Waiting />}
    </Screen>
  );
}
