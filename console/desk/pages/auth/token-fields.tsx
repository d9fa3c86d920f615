import { Checkbox, NativeSelect, Stack, TextInput } from "@mantine/core";
import type { NewToken, Token } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { localTime, momentOf } from "../../../shared/format.js";
import { scopeChoices } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { Choices, chosenOf } from "../../components/choices.js";
import { ProgramField } from "../../components/program-field.js";
import { Loaded } from "../../components/states.js";
import { useWarehouseNames } from "../../components/warehouse-names.js";

/** What a token is for; what it pushes, and for whom, is said once, when it is issued. */
export function TokenFields({ of }: { of?: Token }) {
  const catalog = useRead("/api/admin/scope-catalog");
  const warehouses = useWarehouseNames();
  return (
    <Loaded of={catalog}>
      {({ event_types, endpoints, inbound_resources, source_systems }) => (
        <Stack>
          {/* It has the focus also when it comes after the dialog has given that to its button. */}
          <TextInput
            name="token_name"
            label={t("name")}
            defaultValue={of?.token_name}
            required
            autoFocus
            data-autofocus
          />
          <Choices name="warehouse_ids" label={t("warehouses")} choices={warehouses} chosen={of?.warehouse_ids ?? []} />
          <Choices
            name="endpoints"
            label={t("endpoints")}
            choices={scopeChoices(endpoints)}
            chosen={of?.endpoints ?? []}
          />
          <Choices
            name="event_types"
            label={t("events")}
            choices={scopeChoices(event_types)}
            chosen={of?.event_types ?? []}
          />
          {!of && (
            <>
              <NativeSelect
                name="source_system"
                label={t("sourceSystem")}
                data={[{ value: "", label: t("none") }, ...source_systems.map((one) => one.source_system)]}
              />
              <Choices name="inbound_resources" label={t("mayPush")} choices={scopeChoices(inbound_resources)} />
              <Checkbox name="mapping_override" label={t("mappingOverride")} />
              <ProgramField isOptional />
            </>
          )}
          <TextInput
            type="datetime-local"
            name="expires_at"
            label={t("expires")}
            description={of ? undefined : t("expiresHint")}
            defaultValue={of && localTime(of.expires_at)}
          />
        </Stack>
      )}
    </Loaded>
  );
}

/** The fields of a form as those of a token that can be changed. */
export const tokenEdit = (values: Record<string, string>) => ({
  token_name: values.token_name ?? "",
  warehouse_ids: chosenOf(values, "warehouse_ids").map(Number),
  event_types: chosenOf(values, "event_types") as NonNullable<NewToken["event_types"]>,
  endpoints: chosenOf(values, "endpoints") as NonNullable<NewToken["endpoints"]>,
  ...(values.expires_at && { expires_at: momentOf(values.expires_at) }),
});

export const newToken = (values: Record<string, string>): NewToken => ({
  ...tokenEdit(values),
  source_system: values.source_system || null,
  inbound_resources: chosenOf(values, "inbound_resources") as NonNullable<NewToken["inbound_resources"]>,
  mapping_override: "mapping_override" in values,
  connector_id: values.connector_id || null,
});
