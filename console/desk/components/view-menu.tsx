import { Button, Checkbox, Divider, NavLink, Popover, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import type { SavedView } from "../../../client/src/index.js";
import { type Api, useAction, useRead } from "../../shared/api.js";
import { useMe } from "../../shared/session.js";
import { t } from "../../texts/desk.js";
import { useWhereDone } from "./about.js";
import { HIDDEN } from "./column-menu.js";
import { AskForm, Dialog } from "./dialog.js";
import { useSay } from "./notices.js";
import { useNameOf } from "./person.js";

/** The views of a list: names for filters, order and columns, own ones and those that others share. */
export function ViewMenu({ hidden }: { hidden: string[] }) {
  const { pathname, search } = useLocation();
  const isOfRecord = Object.keys(useParams()).some((name) => name !== "*");
  const [isOpen, toggle] = useState(false);
  const [asked, ask] = useState<"save" | SavedView>();
  const close = () => ask(undefined);
  // A list that is a part of a record's page has none: it would be the view of that record.
  if (isOfRecord) return null;
  const list = pathname.slice(1);
  const shown = new URLSearchParams(search);
  shown.delete("page");
  shown.set(HIDDEN, hidden.join(","));
  return (
    <>
      <Popover opened={isOpen} onChange={toggle} position="bottom-end" trapFocus returnFocus>
        <Popover.Target>
          <Button variant="default" onClick={() => toggle(!isOpen)}>
            {t("views")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t("views")} p="xs">
          <Views list={list} shown={shown} ask={ask} close={() => toggle(false)} />
        </Popover.Dropdown>
      </Popover>
      {asked === "save" && (
        <ViewDialog
          title={t("saveView")}
          verb={t("save")}
          act={({ view_name = "", is_shared }, api) =>
            api.post("/api/admin/saved-views", {
              body: { list, view_name, parameters: String(shown), is_shared: is_shared === "on" },
            })
          }
          close={close}
        >
          <TextInput name="view_name" label={t("name")} maxLength={64} required data-autofocus />
          <Checkbox name="is_shared" label={t("shareView")} />
        </ViewDialog>
      )}
      {asked && asked !== "save" && (
        <ViewDialog
          title={t("deleteView", { name: asked.view_name })}
          verb={t("delete")}
          isDangerous
          act={(_, api) => api.delete("/api/admin/saved-views/{view_id}", { path: { view_id: asked.view_id } })}
          close={close}
        />
      )}
    </>
  );
}

interface ViewsProps {
  list: string;
  shown: URLSearchParams;
  ask: (what: "save" | SavedView) => void;
  close: () => void;
}

function Views({ list, shown, ask, close }: ViewsProps) {
  const navigate = useNavigate();
  const { role } = useMe();
  const nameOf = useNameOf();
  const { data } = useRead("/api/admin/saved-views", { query: { list } });
  const views = data?.saved_views ?? [];
  const here = views.filter(({ parameters }) => isSame(new URLSearchParams(parameters), shown));
  const choose = (act: () => void) => () => {
    close();
    act();
  };
  return (
    <Stack gap={4}>
      {data && views.length === 0 && (
        <Text size="sm" c="dimmed" p="xs">
          {t("noViews")}
        </Text>
      )}
      {views.map((view) => (
        <Choice
          key={view.view_id}
          label={view.is_own ? view.view_name : t("viewOf", { name: view.view_name, owner: nameOf(view.owner) })}
          choose={choose(() => void navigate({ search: view.parameters }))}
          isHere={here.includes(view)}
        />
      ))}
      <Divider />
      <Choice label={t("saveView")} choose={choose(() => ask("save"))} />
      {here
        .filter(({ is_own }) => is_own || role === "ADMIN")
        .map((view) => (
          <Choice
            key={view.view_id}
            label={t("deleteView", { name: view.view_name })}
            choose={choose(() => ask(view))}
          />
        ))}
    </Stack>
  );
}

const Choice = ({ label, choose, isHere = false }: { label: string; choose: () => void; isHere?: boolean }) => (
  <NavLink component="button" label={label} active={isHere} aria-current={isHere || undefined} onClick={choose} />
);

const isSame = (one: URLSearchParams, other: URLSearchParams) => {
  one.sort();
  other.sort();
  return String(one) === String(other);
};

interface ViewDialogProps {
  title: string;
  verb: string;
  isDangerous?: boolean;
  act: (values: Record<string, string>, api: Api) => Promise<unknown>;
  close: () => void;
  children?: ReactNode;
}

/** What a choice in the menu asks. */
function ViewDialog({ title, verb, isDangerous, act, close, children }: ViewDialogProps) {
  const say = useSay();
  const whereDone = useWhereDone();
  const action = useAction(act, () => {
    close();
    say({ text: t("didIt", { what: title.replace(/\s*\?$/, "") }), to: whereDone() });
  });
  return (
    <Dialog isOpen close={close} title={title}>
      <AskForm
        {...{ verb, isDangerous, close }}
        submit={action.mutate}
        isPending={action.isPending}
        error={action.error}
      >
        {children}
      </AskForm>
    </Dialog>
  );
}
