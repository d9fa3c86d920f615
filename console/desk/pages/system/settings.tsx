import { Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { useAction, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/system.js";
import { Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Loaded, Refused } from "../../components/states.js";
import { Field } from "./field.js";
import { type Group, groups, isKnown } from "./known.js";

type Values = Record<string, string>;

export default function Settings() {
  const found = useRead("/api/admin/settings");
  return (
    <Page title={t("settings")} actions={<MaybeLink to="/audit?action_type=UPDATE">{t("history")}</MaybeLink>}>
      <Loaded of={found}>
        {({ settings }) => {
          const values: Values = Object.fromEntries(settings.map(({ key, value }) => [key, value]));
          const others = settings.filter(({ key }) => !isKnown(key));
          return (
            <>
              {(Object.keys(groups) as Group[]).map((group) => (
                <Form key={group} title={t(group)} values={values}>
                  {(value, set) =>
                    groups[group].map((known) => (
                      <Field
                        key={known[0]}
                        of={known}
                        value={value(known[0]) ?? known[2]}
                        set={(text) => set(known[0], text)}
                      />
                    ))
                  }
                </Form>
              ))}
              {others.length > 0 && (
                <Form title={t("others")} values={values}>
                  {(value, set) =>
                    others.map(({ key, updated_at }) => (
                      <TextInput
                        key={key}
                        label={key}
                        description={t("changedAt", { time: time(updated_at) })}
                        value={value(key) ?? ""}
                        onChange={({ currentTarget }) => set(key, currentTarget.value)}
                      />
                    ))
                  }
                </Form>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface FormProps {
  title: string;
  /** As they are stored. */
  values: Values;
  children: (value: (key: string) => string | undefined, set: (key: string, value: string) => void) => ReactNode;
}

/** Settings that are saved together: all that were changed, or none. */
function Form({ title, values, children }: FormProps) {
  const [changed, setChanged] = useState<Values>({});
  const save = useAction(
    (settings: Values, api) => api.put("/api/admin/settings", { body: { settings } }),
    () => setChanged({}),
  );
  const set = (key: string, value: string) => {
    save.reset();
    setChanged((before) => ({ ...before, [key]: value }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(changed);
  };
  return (
    <Section title={title}>
      <form onSubmit={submit}>
        <Stack>
          {children((key) => changed[key] ?? values[key], set)}
          <Refused error={save.error} />
          {save.isSuccess && <Text role="status">{t("saved")}</Text>}
          <Button
            type="submit"
            w="fit-content"
            loading={save.isPending}
            disabled={Object.keys(changed).length === 0}
            aria-label={t("saveGroup", { group: title })}
          >
            {t("save")}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
