import "@mantine/core/styles.css";
import "./desk.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { queries } from "../shared/api.js";
import { useLanguage } from "../shared/language.js";
import { Session } from "../shared/session.js";
import { Notices } from "./components/notices.js";
import { Failure, Waiting } from "./components/states.js";
import { Enrolment, Login, NewPassword } from "./login.js";
import { Shell } from "./shell.js";
import { StepUp } from "./step-up.js";
import { themeIn } from "./theme.js";

function App() {
  const language = useLanguage();
  document.documentElement.lang = language;
  return (
    <MantineProvider theme={themeIn()} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <BrowserRouter basename="/console" key={language}>
          <Session {...{ Login, NewPassword, Enrolment, Waiting, Failed: Failure }}>
            <Notices>
              <Shell />
              <StepUp />
            </Notices>
          </Session>
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
