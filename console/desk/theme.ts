import { createTheme, PasswordInput } from "@mantine/core";
import { t } from "../texts/desk.js";

const theme = createTheme({
  primaryColor: "blue",
  primaryShade: 8,
  autoContrast: true,
  respectReducedMotion: true,
  defaultRadius: "md",
  fontFamily: "system-ui, sans-serif",
  headings: { fontFamily: "system-ui, sans-serif" },
});

/** In the language in which it is drawn; what the components say by themselves is English. */
export const themeIn = () =>
  createTheme({
    ...theme,
    components: {
      PasswordInput: PasswordInput.extend({
        defaultProps: { visibilityToggleButtonProps: { "aria-label": t("showPassword") } },
      }),
    },
  });
