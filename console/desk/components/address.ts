import { useSearchParams } from "react-router";

/**
 * The parameters of the page's address, so that it can be shared, and what sets one of them; an empty value takes it
 * out. Another filter or order begins at the first page.
 */
export function useAddress() {
  const [address, setAddress] = useSearchParams();
  const set = (name: string, value: string, how: { replace?: boolean } = {}) =>
    setAddress(() => {
      // Of the browser, not of the last rendering: of two that are set at once the second one keeps the first.
      const next = new URLSearchParams(window.location.search);
      if (name !== "page") next.delete("page");
      if (value) next.set(name, value);
      else next.delete(name);
      return next;
    }, how);
  return [address, set] as const;
}
