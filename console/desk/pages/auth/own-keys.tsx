import { Box } from "@mantine/core";
import { useState } from "react";
import type { PersonalKey } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/keys.js";
import { Decision } from "../../components/decision.js";
import { Section } from "../../components/facts.js";
import { ShownOnce } from "../../components/shown-once.js";
import { Loaded } from "../../components/states.js";
import { DataTable } from "../../components/table.js";
import { keyColumns } from "./key-columns.js";
import { KeyFields, newKeyOf } from "./key-fields.js";
import { allPages } from "./rights-fields.js";

/** The own API keys, which programs use in place of the password. */
export function OwnKeys() {
  const { allowed_pages } = useMe();
  const [made, setMade] = useState<{ title: string; secret: string }>();
  const make = async (values: Record<string, string>, api: Api) => {
    const body = newKeyOf(values);
    const { key } = await api.post("/api/auth/keys", { body });
    setMade({ title: t("keyOf", { name: body.key_name }), secret: key });
  };
  return (
    <Section
      title={t("keys")}
      actions={
        <Decision isSmall isWide label={t("makeKey")} title={t("makeKey")} act={make}>
          <KeyFields pages={allowed_pages ?? allPages()} />
        </Decision>
      }
    >
      {made && (
        <Box mb="sm">
          <ShownOnce {...made} close={() => setMade(undefined)} />
        </Box>
      )}
      <Loaded of={useRead("/api/auth/keys")}>
        {({ keys }) => (
          <DataTable
            title={t("keys")}
            rows={keys}
            empty={t("noKeys")}
            columns={[
              ...keyColumns(),
              { field: "actions", title: t("actions"), right: true, show: (key) => <Revoke of={key} /> },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}

const Revoke = ({ of: { key_id, key_name: name } }: { of: PersonalKey }) => (
  <Decision
    isSmall
    isDangerous
    label={t("revoke")}
    title={t("revokeKey", { name })}
    act={(_, api) => api.delete("/api/auth/keys/{key_id}", { path: { key_id } })}
  />
);
