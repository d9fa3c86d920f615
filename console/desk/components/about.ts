import { createContext, use } from "react";
import { useLocation } from "react-router";

/** The page of the record that a row of a list is about. */
export const RowPage = createContext<string | undefined>(undefined);

/** Where the browser is now, which may be another page than that of the component that asks. */
const placeNow = () => window.location.pathname.replace(/^\/(console|partner)/, "") + window.location.search;

/**
 * Gives the page of what was done here: what was made, if one was led there, else the record of the row, else the page
 * itself.
 */
export function useWhereDone(): () => string {
  const row = use(RowPage);
  const { pathname, search } = useLocation();
  const here = pathname + search;
  return () => (placeNow() === here ? (row ?? here) : placeNow());
}
