import { Anchor, CloseButton, Group, Paper, Text } from "@mantine/core";
import { createContext, type ReactNode, use, useState } from "react";
import { Link, useLocation } from "react-router";
import { t } from "../../texts/desk.js";

/** What happened, and the page on which it is seen. */
interface Said {
  text: string;
  to?: string;
}

const Context = createContext<(said: Said) => void>(() => {});

/** Says what happened, wherever one goes on from there. */
export const useSay = () => use(Context);

/** Long enough to be read, and to be followed. */
const SHOWN_MS = 10_000;
const MOST = 3;

/** A link, as long as one is elsewhere. */
function SaidText({ text, to }: Said) {
  const { pathname } = useLocation();
  if (!to || to.split("?")[0] === pathname) return <Text size="sm">{text}</Text>;
  return (
    <Anchor component={Link} to={to} size="sm">
      {text}
    </Anchor>
  );
}

/** Its children, and beneath them what happened last. */
export function Notices({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Said[]>([]);
  const drop = (said: Said) => setShown((before) => before.filter((one) => one !== said));
  const say = (said: Said) => {
    setShown((before) => [...before, said].slice(-MOST));
    setTimeout(() => drop(said), SHOWN_MS);
  };
  return (
    <Context value={say}>
      {children}
      <div className="notices no-print" role="status">
        {shown.map((said, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may be said twice
          <Paper key={place} withBorder shadow="md" p="xs" pl="md">
            <Group gap="sm" wrap="nowrap">
              <SaidText {...said} />
              <CloseButton size="sm" aria-label={t("dismiss")} onClick={() => drop(said)} />
            </Group>
          </Paper>
        ))}
      </div>
    </Context>
  );
}
