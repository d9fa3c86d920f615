import { Anchor, Group, Stack, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "react-router";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/desk.js";
import { placeOf } from "../navigation.js";
import { useSeen } from "../recent.js";
import { useClockOf } from "./warehouse.js";

interface PageProps {
  title: string;
  /** The warehouse of the record that it is about, by whose clock it is. */
  warehouse_id?: number | undefined;
  /** What one comes from; the page of the menu is named above each page anyway. */
  back?: string;
  /** Beside the title: a status. */
  mark?: ReactNode;
  /** What can be done here. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page: its title, which is also the window's, its actions and its content. */
export function Page({ title, warehouse_id, back, mark, actions, children }: PageProps) {
  useClockOf(warehouse_id);
  useSeen(title);
  const { list } = placeOf(useLocation().pathname) ?? {};
  useEffect(() => {
    document.title = `${title} · ${t("console")}`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Group gap="sm">
          <Group gap="sm" wrap="nowrap">
            {back && back !== `/${list?.path}` && (
              <Anchor component={Link} to={back} aria-label={t("back")} className="no-print">
                <Icon of="back" />
              </Anchor>
            )}
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          {mark}
        </Group>
        <Group gap="sm" className="page-actions">
          {actions}
        </Group>
      </Group>
      {children}
    </Stack>
  );
}
