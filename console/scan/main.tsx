import "./scan.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter, Navigate, Route, Routes } from "react-router";
import { queries } from "../shared/api.js";
import { useLanguage } from "../shared/language.js";
import { Session, useMe } from "../shared/session.js";
import { LeaveIdle } from "./components/leave-idle.js";
import { ErrorBoundary, Failure, Waiting } from "./components/parts.js";
import { ScanQueue } from "./components/scans.js";
import { Warehouse, WarehouseChoice } from "./components/warehouse.js";
import { noteAway } from "./kept/net.js";
import { Sender } from "./kept/sender.js";
import { Enrolment, Login, NewPassword, SecondFactor } from "./login.js";
import { Menu } from "./menu.js";
import { isFor, tasks } from "./task.js";
import { showTheme } from "./theme.js";

const BadgePin = lazy(() => import("./badge-pin.js"));
const pages = tasks.map((task) => ({ ...task, Page: lazy(task.load) }));

function Tasks() {
  const { allowed_functions } = useMe();
  const open = pages.filter((task) => isFor(task, allowed_functions));
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        <Route index element={<Menu tasks={open} />} />
        <Route path="warehouse" element={<WarehouseChoice />} />
        <Route path="badge-pin" element={<BadgePin />} />
        {open.map(({ path, Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
        <Route path="*" element={<Navigate to="/" replace />} />
      </Routes>
    </Suspense>
  );
}

function App() {
  const language = useLanguage();
  document.documentElement.lang = language;
  return (
    <QueryClientProvider client={queries}>
      <BrowserRouter basename="/scan" key={language}>
        <ErrorBoundary>
          <Session {...{ Login, NewPassword, Enrolment, SecondFactor, Waiting, Failed: Failure }} withoutNet={noteAway}>
            <Sender />
            <LeaveIdle />
            <ScanQueue>
              <Warehouse>
                <Tasks />
              </Warehouse>
            </ScanQueue>
          </Session>
        </ErrorBoundary>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

showTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
// Only pages that came with TLS, or from this machine, have service workers.
navigator.serviceWorker?.register("/scan/sw.js", { scope: "/scan/" }).catch(() => {});
