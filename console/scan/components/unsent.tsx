import { Link, useLocation } from "react-router";
import { time } from "../../shared/format.js";
import { t } from "../../texts/scan.js";
import { tasks } from "../task.js";
import { useUnsent } from "../unsent.js";

export const taskTitle = (path: string) => tasks.find((task) => task.path === path)?.title() ?? path;

/** What is not yet sent on this device: the own leads to its page, which sends it; that of others waits for them. */
export function Unsent() {
  const { pathname } = useLocation();
  const unsent = useUnsent().filter(({ task, isOwn, isTooOld }) => !isOwn || isTooOld || pathname !== `/${task}`);
  if (unsent.length === 0) return null;
  return (
    <ul className="unsent">
      {unsent.map(({ task, username, isOwn, isTooOld, at, forget }) => (
        <li key={`${username} ${task}`} className="notice">
          {isOwn && isTooOld ? (
            <>
              {t("tooOld", { task: taskTitle(task), when: time(new Date(at).toISOString()) })}
              <button type="button" onClick={forget}>
                {t("forgetIt")}
              </button>
            </>
          ) : isOwn ? (
            <Link to={`/${task}`}>{t("notSent", { task: taskTitle(task) })}</Link>
          ) : (
            t("notSentBy", { task: taskTitle(task), name: username })
          )}
        </li>
      ))}
    </ul>
  );
}
