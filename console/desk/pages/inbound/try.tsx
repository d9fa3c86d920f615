import { Button, Group, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from "@mantine/core";
import { useLocation } from "react-router";
import type { InboundAttempt, InboundDetail } from "../../../../client/src/index.js";
import { api, useAction } from "../../../shared/api.js";
import { t } from "../../../texts/inbound.js";
import { scopeChoices } from "../../../texts/scopes.js";
import { Page } from "../../components/page.js";
import { Refused } from "../../components/states.js";
import { useWarehouse } from "../../components/warehouse.js";
import { optionsOf, valuesOf } from "../../values.js";
import { resources } from "./resources.js";
import { useSourceSystems } from "./source-systems.js";
import { TriedAnswer } from "./tried-answer.js";

/** What a payload would become, by the mapping document in use or by a draft. Nothing is changed. */
export default function Try() {
  const action = useAction((values: Record<string, string>) =>
    api.post("/api/admin/inbound/try", { body: attemptOf(values) }),
  );
  return (
    <Page title={t("inboundTry")}>
      <form onSubmit={(event) => action.mutate(valuesOf(event))}>
        <Stack>
          <AttemptFields />
          <Group>
            <Button variant="default" type="submit" loading={action.isPending}>
              {t("try")}
            </Button>
          </Group>
        </Stack>
      </form>
      <Refused error={action.error} />
      {action.data && <TriedAnswer of={action.data} />}
    </Page>
  );
}

function AttemptFields() {
  // The record whose page one comes from.
  const from = useLocation().state as InboundDetail | null;
  const systems = useSourceSystems();
  const { warehouses, warehouseId } = useWarehouse();
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 5 }}>
        {systems ? (
          <NativeSelect
            key="systems"
            name="source_system"
            label={t("sourceSystem")}
            data={optionsOf(systems)}
            defaultValue={from?.source_system}
          />
        ) : (
          <TextInput name="source_system" label={t("sourceSystem")} defaultValue={from?.source_system} required />
        )}
        <NativeSelect
          name="resource"
          label={t("resource")}
          data={optionsOf(scopeChoices(resources))}
          defaultValue={from?.resource}
        />
        <NativeSelect
          name="warehouse_id"
          label={t("warehouse")}
          data={[
            { value: "", label: t("all") },
            ...warehouses.map(({ id, code }) => ({ value: `${id}`, label: code })),
          ]}
          defaultValue={warehouseId}
        />
        <TextInput
          name="external_id"
          label={t("externalId")}
          placeholder={t("externalIdHint")}
          defaultValue={from?.external_id}
        />
        <TextInput
          name="external_version"
          label={t("version")}
          placeholder={t("versionHint")}
          defaultValue={from?.external_version}
        />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Editor
          name="source_payload"
          label={t("payload")}
          description={t("payloadHint")}
          {...(from?.source_payload && { text: JSON.stringify(from.source_payload, null, 2) })}
          required
        />
        <Editor name="mapping_document" label={t("draft")} description={t("draftHint")} />
      </SimpleGrid>
    </>
  );
}

interface EditorProps {
  name: string;
  label: string;
  description: string;
  text?: string;
  required?: boolean;
}

const Editor = ({ text, ...field }: EditorProps) => (
  <Textarea
    {...field}
    defaultValue={text}
    rows={12}
    spellCheck={false}
    styles={{ input: { fontFamily: "monospace" } }}
  />
);

function attemptOf(values: Record<string, string>): InboundAttempt {
  const { external_id, external_version, warehouse_id, mapping_document } = values;
  return {
    source_system: values.source_system ?? "",
    resource: values.resource as InboundAttempt["resource"],
    source_payload: objectIn(values.source_payload ?? ""),
    ...(external_id && { external_id }),
    ...(external_version && { external_version }),
    ...(warehouse_id && { warehouse_id: Number(warehouse_id) }),
    ...(mapping_document?.trim() && { mapping_document }),
  };
}

function objectIn(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {}
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(t("notJson"));
  return value as Record<string, unknown>;
}
