import type { ComponentType } from "react";
import { matchPath } from "react-router";
import { type GroupName, groups } from "./groups.js";

/** A page of the desk, which is loaded when it is opened. */
export interface DeskPage {
  /** Below `/console/`: `items/:item_id`. */
  path: string;
  /**
   * The page key that a user needs (src/auth/rights.ts), `ADMIN`, or `ANY` for who has one at all; without it everybody
   * may open the page.
   */
  needs?: string;
  /** What the navigation calls it; a page without is reached from another. */
  title?: () => string;
  /** What one begins there, by which it is found: "New order". On a list it is the `Decision` that `isAction`. */
  action?: () => string;
  /** How much waits there, shown beside its name. */
  count?: ComponentType;
  load: () => Promise<{ default: ComponentType }>;
}

/** A part of the navigation: a `navigation.ts` in a folder of `desk/pages/` exports one as its default. */
export interface NavigationPart {
  group: GroupName;
  /** Its place in the group, where that has several parts. */
  order?: number;
  pages: DeskPage[];
}

const found = import.meta.glob<NavigationPart>("./pages/**/navigation.ts", { eager: true, import: "default" });

/** The parts of all folders in `desk/pages/`, as the menu has them: a new one is in it by being there. */
export const navigation: NavigationPart[] = (Object.keys(groups) as GroupName[]).flatMap((name) =>
  Object.values(found)
    .filter(({ group }) => group === name)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0)),
);

/** Where a page is: its group, and the page of the menu that leads to it, which may be itself. */
export interface Place {
  group: GroupName;
  page: DeskPage;
  list: DeskPage | undefined;
}

/** Pages in the order in which they are looked for: `orders/new` is not the order of that id. */
const places: Place[] = navigation
  .flatMap(({ group, pages }) =>
    pages.map((page) => ({ group, page, list: pages.findLast((one) => one.title && leadsTo(one, page)) })),
  )
  .sort((a, b) => a.page.path.split(":").length - b.page.path.split(":").length);

function leadsTo(list: DeskPage, { path }: DeskPage): boolean {
  return path === list.path || path.startsWith(`${list.path}/`);
}

export const placeOf = (pathname: string): Place | undefined =>
  places.find(({ page }) => matchPath(`/${page.path}`, pathname));
