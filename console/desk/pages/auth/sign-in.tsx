import { Button, Fieldset, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { SignInMapping } from "../../../../client/src/index.js";
import { useAction, useRead } from "../../../shared/api.js";
import { t } from "../../../texts/auth.js";
import { Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { Loaded, Refused } from "../../components/states.js";
import { valuesOf } from "../../values.js";
import type { Rights } from "./presets.js";
import { RightsFields } from "./rights-fields.js";

/** What groups of the identity provider may do. */
export default function SignIn() {
  const found = useRead("/api/admin/sign-in/mapping");
  const hasProvider = useRead("/api/auth/ways").data?.sso !== null;
  return (
    <Page title={t("mapping")}>
      {!hasProvider && <Text>{t("noProvider")}</Text>}
      <Text>{t("mappingHint")}</Text>
      <Loaded of={found}>{(mapping) => <Mapping of={mapping} />}</Loaded>
    </Page>
  );
}

type Group = Rights & { id: number; group: string };

function Mapping({ of }: { of: SignInMapping }) {
  const [groups, setGroups] = useState(of.groups.map((group, id) => ({ ...group, id }) as Group));
  const save = useAction((body: SignInMapping, api) => api.put("/api/admin/sign-in/mapping", { body }));
  const set = (changed: Group[]) => {
    save.reset();
    setGroups(changed);
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { username_claim = "", groups_claim = "" } = valuesOf(event);
    save.mutate({ username_claim, groups_claim, groups: groups.map(({ id: _, ...group }) => group) });
  };
  const next = Math.max(-1, ...groups.map(({ id }) => id)) + 1;
  const none: Rights = { role: "USER", warehouse_ids: [], allowed_functions: [], page_keys: [] };
  return (
    <Section title={t("rights")}>
      <form onSubmit={submit} onChange={save.reset}>
        <Stack>
          <TextInput
            name="username_claim"
            label={t("usernameClaim")}
            defaultValue={of.username_claim}
            maxLength={128}
            required
            maw={400}
          />
          <TextInput
            name="groups_claim"
            label={t("groupsClaim")}
            description={t("groupsClaimHint")}
            defaultValue={of.groups_claim}
            maxLength={128}
            required
            maw={400}
          />
          {groups.map((group) => {
            const change = (changes: Partial<Group>) =>
              set(groups.map((one) => (one.id === group.id ? { ...one, ...changes } : one)));
            return (
              <Fieldset key={group.id} legend={group.group || t("group")}>
                <Stack>
                  <TextInput
                    label={t("group")}
                    description={t("groupHint")}
                    value={group.group}
                    onChange={({ currentTarget }) => change({ group: currentTarget.value })}
                    maxLength={256}
                    required
                    maw={400}
                  />
                  <RightsFields value={group} set={change} />
                  <Button
                    variant="default"
                    w="fit-content"
                    onClick={() => set(groups.filter(({ id }) => id !== group.id))}
                  >
                    {t("removeGroup", { name: group.group || t("group") })}
                  </Button>
                </Stack>
              </Fieldset>
            );
          })}
          <Button variant="default" w="fit-content" onClick={() => set([...groups, { ...none, id: next, group: "" }])}>
            {t("addGroup")}
          </Button>
          <Refused error={save.error} />
          {save.isSuccess && <Text role="status">{t("saved")}</Text>}
          <Button type="submit" loading={save.isPending} w="fit-content">
            {t("save")}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
