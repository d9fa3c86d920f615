import { Button, Group, NativeSelect, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type ConnectorConfigField, Refusal } from "../../../../client/src/index.js";
import { useAction, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { t } from "../../../texts/connectors.js";
import { ConfigFields, configIn } from "../../components/config-fields.js";
import { useSay } from "../../components/notices.js";
import { Loaded, Refused } from "../../components/states.js";
import type { OfWarehouse } from "../../components/warehouse-names.js";
import { valuesOf } from "../../values.js";

interface CredentialsProps extends OfWarehouse {
  fields: Record<string, ConnectorConfigField>;
}

/** A form of what the connector has to be told. What was typed is sent, and not kept here. */
export function Credentials({ name, warehouse_id, fields }: CredentialsProps) {
  const path = { name };
  const found = useRead("/api/admin/connectors/{name}/credentials", { path, query: { warehouse_id } });
  const [times, setTimes] = useState(0);
  const say = useSay();
  const store = useAction(
    ({ address_of, ...credentials }: Record<string, string>, api) =>
      api.post("/api/admin/connectors/{name}/credentials", {
        path,
        body: {
          warehouse_id,
          credentials,
          ...(address_of && { address_of: address_of as "same_shop" | "another_shop" }),
        },
      }),
    // An empty form, which takes the place of the one that was sent.
    () => {
      setTimes(times + 1);
      store.reset();
      say({ text: t("credentialsStored", { name }), to: `/connectors/${name}` });
    },
  );
  const send = (event: FormEvent<HTMLFormElement>) => {
    const typed = configIn(valuesOf(event));
    if (Object.keys(typed).length > 0) store.mutate(typed);
  };
  return (
    <Loaded of={found}>
      {({ credentials }) => (
        <form key={`${warehouse_id} ${times}`} onSubmit={send}>
          <Stack>
            <ConfigFields
              fields={fields}
              stored={(key) => {
                const one = credentials.find((stored) => stored.key === key);
                return one && { masked: one.value, hint: t("stored", { time: time(one.updated_at) }) };
              }}
            />
            <Refused error={store.error} />
            {store.error instanceof Refusal && store.error.code === "shop_changed" && (
              <NativeSelect
                name="address_of"
                label={t("addressOf")}
                data={[
                  { value: "same_shop", label: t("sameShop") },
                  { value: "another_shop", label: t("anotherShop") },
                ]}
              />
            )}
            <Group>
              <Button variant="default" type="submit" loading={store.isPending}>
                {t("store")}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Loaded>
  );
}
