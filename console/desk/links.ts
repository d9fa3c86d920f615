import { matchPath } from "react-router";
import { mayOpen, useMe } from "../shared/session.js";
import { navigation } from "./navigation.js";

/** Gives the address back if there is a page and the user may open it: `undefined` is text in place of a link. */
export function useLinks(): (to: string) => string | undefined {
  const me = useMe();
  const open = navigation.flatMap(({ pages }) => pages).filter(({ needs }) => mayOpen(me, needs));
  return (to) => {
    const [pathname = ""] = to.split("?");
    return open.some(({ path }) => matchPath(`/${path}`, pathname)) ? to : undefined;
  };
}
