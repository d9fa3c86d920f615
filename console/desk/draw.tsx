import "@mantine/core/styles.css";
import "./desk.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { queries } from "../shared/api.js";
import { useLanguage } from "../shared/language.js";
import { themeIn } from "./theme.js";

/** Draws a page in the desk's look, and anew in another language; `basename` is where its addresses begin. */
export function draw(basename: string, Page: ComponentType): void {
  function App() {
    const language = useLanguage();
    document.documentElement.lang = language;
    return (
      <MantineProvider theme={themeIn()} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <BrowserRouter basename={basename} key={language}>
            <Page />
          </BrowserRouter>
        </QueryClientProvider>
      </MantineProvider>
    );
  }
  createRoot(document.getElementById("root") as HTMLElement).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
