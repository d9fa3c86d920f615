import { Button, Group, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { type Api, useAction } from "../../shared/api.js";
import { t } from "../../texts/desk.js";
import { valuesOf } from "../values.js";
import { useWhereDone } from "./about.js";
import { useSay } from "./notices.js";
import { Refused } from "./states.js";

interface FormProps {
  /** What the button says. */
  label: string;
  /** The fields, each with a name. */
  children: ReactNode;
  /** Does it with the values of the fields, by a service that repeats it when no answer came. */
  act: (values: Record<string, string>, api: Api) => Promise<unknown>;
  /** What a refusal says beyond its text. */
  refusal?: (error: unknown) => ReactNode;
}

/** The fields of a page that makes a record; a short form is a `Decision`. */
export function Form({ label, children, act, refusal }: FormProps) {
  const say = useSay();
  const whereDone = useWhereDone();
  const action = useAction(act, () => say({ text: t("didIt", { what: label }), to: whereDone() }));
  return (
    <form onSubmit={(event) => action.mutate(valuesOf(event))}>
      <Stack>
        {children}
        <Refused error={action.error} />
        {action.error && refusal?.(action.error)}
        <Group>
          <Button type="submit" loading={action.isPending}>
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
