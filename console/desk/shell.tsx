import {
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Menu,
  NativeSelect,
  ScrollArea,
  Text,
  useMantineColorScheme,
} from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, Suspense, useEffect } from "react";
import { Link, Navigate, Route, Routes, useLocation } from "react-router";
import { Icon } from "../shared/icons.js";
import { languages, setLanguage, useLanguage } from "../shared/language.js";
import { mayOpen, signOut, useMe } from "../shared/session.js";
import { t } from "../texts/desk.js";
import { Empty, ErrorBoundary, Waiting } from "./components/states.js";
import { ByClock, useWarehouse, Warehouses } from "./components/warehouse.js";
import { useLive } from "./live.js";
import { Navigation } from "./navigation/menu.js";
import { Palette } from "./navigation/palette.js";
import { Trail } from "./navigation/trail.js";
import { type DeskPage, navigation } from "./navigation.js";
import { InboxAlerts } from "./pages/reports/inbox/inbox-alerts.js";

/** The frame around all pages. */
export function Shell() {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  useLive();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu of a phone
  useEffect(close, [pathname]);
  return (
    <Warehouses>
      <a className="skip-link" href="#content">
        {t("skip")}
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 236, breakpoint: "sm", collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Header isOpen={isOpen} toggle={toggle} />
        </AppShell.Header>
        <AppShell.Navbar aria-label={t("navigation")}>
          <ScrollArea>
            <Box p="xs">
              <Navigation />
            </Box>
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="content" tabIndex={-1}>
          <InboxAlerts />
          <Trail />
          <ErrorBoundary key={pathname}>
            <Suspense fallback={<Waiting />}>
              <ByClock>
                <Pages />
              </ByClock>
            </Suspense>
          </ErrorBoundary>
          <Clock />
        </AppShell.Main>
      </AppShell>
    </Warehouses>
  );
}

function Header({ isOpen, toggle }: { isOpen: boolean; toggle: () => void }) {
  const { warehouses, warehouseId, choose } = useWarehouse();
  const all = { value: "", label: t("allWarehouses") };
  const choices = warehouses.map(({ id, code }) => ({ value: String(id), label: code }));
  return (
    <Group h="100%" px="md" gap="sm" wrap="nowrap">
      <Burger
        opened={isOpen}
        onClick={toggle}
        hiddenFrom="sm"
        size="sm"
        aria-label={t("menu")}
        aria-expanded={isOpen}
      />
      <Text fw={700} size="lg" visibleFrom="xs">
        {t("console")}
      </Text>
      <Group ml="auto" gap="sm" wrap="nowrap">
        <Palette />
        <NativeSelect
          aria-label={t("warehouse")}
          value={warehouseId ?? ""}
          onChange={({ currentTarget: { value } }) => choose(value ? Number(value) : undefined)}
          data={[all, ...choices]}
          maw={{ base: 120, sm: 220 }}
          styles={{ input: { textOverflow: "ellipsis" } }}
        />
        <Account />
      </Group>
    </Group>
  );
}

/** By whose clock the page is. */
function Clock() {
  const { warehouses, ofClock, timezone } = useWarehouse();
  if (!timezone) return null;
  const zone = timezone.replaceAll("_", " ");
  const differ = !ofClock && warehouses.some((one) => one.timezone !== timezone);
  return (
    <Text component="footer" size="xs" c="dimmed" mt="md">
      {ofClock ? t("clockOf", { warehouse: ofClock.code, zone }) : t(differ ? "clocksDiffer" : "clockOfAll", { zone })}
    </Text>
  );
}

function Account() {
  const { full_name } = useMe();
  const language = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const schemes = { auto: t("auto"), light: t("light"), dark: t("dark") } as const;
  const mark = (isChosen: boolean) => (isChosen ? <Text aria-hidden>✓</Text> : null);
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          aria-label={t("account", { name: full_name })}
          maw={160}
          px={{ base: "xs", sm: "md" }}
          flex="none"
        >
          <Text inherit truncate visibleFrom="sm">
            {full_name}
          </Text>
          <Box hiddenFrom="sm">
            <Icon of="account" />
          </Box>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("language")}</Menu.Label>
        {Object.entries(languages).map(([code, name]) => (
          <Menu.Item key={code} onClick={() => setLanguage(code as "en")} rightSection={mark(code === language)}>
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>{t("theme")}</Menu.Label>
        {Object.entries(schemes).map(([code, name]) => (
          <Menu.Item
            key={code}
            onClick={() => setColorScheme(code as "auto")}
            rightSection={mark(code === colorScheme)}
          >
            {name}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile">
          {t("profile")}
        </Menu.Item>
        <Menu.Item component={Link} to="/security">
          {t("security")}
        </Menu.Item>
        <Menu.Item component="a" href="/scan/">
          {t("scanner")}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut()}>{t("signOut")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

const toRoute = (page: DeskPage) => ({ ...page, Page: lazy(page.load) });
const pages = navigation.flatMap((part) => part.pages.map(toRoute));

function Pages() {
  const me = useMe();
  const open = pages.filter(({ needs }) => mayOpen(me, needs));
  const first = open.find(({ title, needs }) => title && needs !== "ANY");
  return (
    <Routes>
      {open.map(({ path, Page }) => (
        <Route key={path} path={path} element={<Page />} />
      ))}
      <Route index element={first ? <Navigate to={first.path} replace /> : <Empty title={t("noPages")} />} />
      <Route path="*" element={<Empty title={t("notFound")} />} />
    </Routes>
  );
}
