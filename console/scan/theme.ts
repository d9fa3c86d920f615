import { keptOnDevice } from "../shared/kept.js";

/** Light or dark; until somebody chooses, as the device is set. */
const theme = keptOnDevice<"light" | "dark" | null>("theme", null);

export const isDark = () =>
  (theme.get() ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

export function showTheme(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}

export function switchTheme(): void {
  theme.set(isDark() ? "light" : "dark");
  showTheme();
}
