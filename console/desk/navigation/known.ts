import { inEach } from "../../shared/language.js";
import { mayOpen, useMe } from "../../shared/session.js";
import { ACTION } from "../action.js";
import { groups } from "../groups.js";
import { navigation, placeOf } from "../navigation.js";
import { useRecent } from "../recent.js";

/** What the palette finds without asking the service. */
interface Known {
  to: string;
  title: string;
  beside?: string | undefined;
}

/** So many pages or actions are named for what was typed. */
const MOST = 12;

/** Whether all typed words are in one of these texts. */
const hasAll = (texts: string[], typed: string) =>
  texts.some((text) =>
    typed
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.toLowerCase().includes(word)),
  );

/**
 * The records that were looked at last, pages by their name in any language, and what can be begun. Of pages nothing is
 * said before something is typed: the menu has them.
 */
export function useKnown(typed: string): Record<"recent" | "pages" | "actions", Known[]> {
  const me = useMe();
  const pages = navigation.flatMap(({ group, pages }) =>
    pages.filter(({ needs }) => mayOpen(me, needs)).map((page) => ({ group, ...page })),
  );
  const named = (name: "title" | "action") =>
    pages.flatMap(({ path, group, title, [name]: say }) => {
      if (!say || !hasAll(inEach(say), typed)) return [];
      const begins = name === "action" && title ? ACTION : "";
      return [{ to: `/${path}${begins}`, title: say(), beside: groups[group].title() }];
    });
  const recent = useRecent().flatMap(({ to, title }) => {
    const { page, list } = placeOf(to) ?? {};
    if (!page || !mayOpen(me, page.needs) || !hasAll([title], typed)) return [];
    return [{ to, title, beside: list?.title?.() }];
  });
  return {
    recent,
    pages: typed ? named("title").slice(0, MOST) : [],
    actions: named("action").slice(0, MOST),
  };
}
