import { Link, useLocation } from "react-router";
import { time } from "../../shared/format.js";
import { t } from "../../texts/scan.js";
import { useKeptScans } from "../kept/scans.js";
import { tasks } from "../task.js";
import { useUnsent } from "../unsent.js";

export const taskTitle = (path: string) => tasks.find((task) => task.path === path)?.title() ?? path;

/**
 * What is not yet sent on this device: the own leads to its page, that of others waits for them. And what was sent
 * later and refused, which its page tells.
 */
export function Unsent() {
  const { pathname } = useLocation();
  const shown = tasks.find(({ path }) => pathname === `/${path}`);
  const tells = shown?.tells ?? [];
  const own = [...tells, shown?.path];
  const unsent = useUnsent().filter(({ task, isOwn, isTooOld }) => !isOwn || isTooOld || !own.includes(task));
  const refused = useKeptScans().outcomes.filter(({ task, refusal }) => refusal && !tells.includes(task));
  const refusedIn = [...new Set(refused.map(({ task }) => task))];
  if (unsent.length + refused.length === 0) return null;
  return (
    <ul className="unsent">
      {refusedIn.map((task) => (
        <li key={task} className="notice wrong">
          <Link to={`/${task}`}>
            {t("refusedLater", { task: taskTitle(task), count: refused.filter((one) => one.task === task).length })}
          </Link>
        </li>
      ))}
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
