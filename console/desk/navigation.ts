import type { ComponentType } from "react";

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
  /** How much waits there, shown beside its name. */
  count?: ComponentType;
  load: () => Promise<{ default: ComponentType }>;
}

/** A part of the navigation: a `navigation.ts` in a folder of `desk/pages/` exports one as its default. */
export interface NavigationPart {
  /** Its place in the navigation. */
  order: number;
  title: () => string;
  pages: DeskPage[];
}

const found = import.meta.glob<NavigationPart>("./pages/**/navigation.ts", { eager: true, import: "default" });

/** The parts of all folders in `desk/pages/`: a new one is in it by being there. */
export const navigation: NavigationPart[] = Object.values(found).sort((a, b) => a.order - b.order);
