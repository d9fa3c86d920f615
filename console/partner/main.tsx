import "@mantine/core/styles.css";
import "../desk/desk.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { Notices } from "../desk/components/notices.js";
import { themeIn } from "../desk/theme.js";
import { queries } from "../shared/api.js";
import { useLanguage } from "../shared/language.js";
import { PartnerPage } from "./page.js";

/** What stands behind the # of the link; taken out of the address at once, which is kept and shown in many places. */
const token = location.hash.slice(1);
if (token) history.replaceState(null, "", location.pathname);

function App() {
  const language = useLanguage();
  document.documentElement.lang = language;
  return (
    <MantineProvider theme={themeIn()} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <BrowserRouter basename="/partner" key={language}>
          <Notices>
            <PartnerPage token={token} />
          </Notices>
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
