import { Checkbox, Fieldset, NativeSelect, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import type { CarrierAccount } from "../../../../client/src/index.js";
import { useRead } from "../../../shared/api.js";
import { t } from "../../../texts/carriers.js";
import { fieldText } from "../../../texts/sales-order-fields.js";
import { AddressField } from "../../components/address-field.js";
import { ConfigFields, configIn } from "../../components/config-fields.js";
import { Loaded } from "../../components/states.js";
import { daysIn, EVERY_DAY, WeekDaysField } from "../../components/week-days.js";
import { optionsOf, typed } from "../../values.js";
import { carrierTitle } from "./use-accounts.js";

/** Before the names of what the carrier has to be told. */
const CONFIG = "config.";
const SENDER = "from.";

/** With whom the account is, which stays as it is, what that carrier has to be told, and how it draws labels. */
function KindAndConfig({ of }: { of?: CarrierAccount }) {
  const [chosen, setChosen] = useState(of?.carrier);
  return (
    <Loaded of={useRead("/api/admin/carriers/kinds")}>
      {({ carriers }) => {
        const carrier = carriers.find((one) => one.carrier === chosen) ?? carriers[0];
        if (!carrier) return null;
        const isTold = Object.keys(carrier.config_schema).length > 0;
        return (
          <>
            {!of && (
              <NativeSelect
                name="carrier"
                label={t("kind")}
                data={carriers.map((one) => ({ value: one.carrier, label: carrierTitle(one) }))}
                value={carrier.carrier}
                onChange={({ currentTarget }) => setChosen(currentTarget.value)}
              />
            )}
            {isTold ? (
              <Fieldset legend={t("configOf", { carrier: carrier.title })}>
                <ConfigFields
                  key={carrier.carrier}
                  fields={carrier.config_schema}
                  prefix={CONFIG}
                  stored={() => (of ? {} : undefined)}
                />
              </Fieldset>
            ) : (
              <Text size="sm">{t("byHand")}</Text>
            )}
            {of && carrier.operations.includes("receive") && (
              <Text size="sm">{t("webhooksTo", { address: `${location.origin}${of.webhook_path}` })}</Text>
            )}
            {carrier.label_formats.length > 0 && (
              <NativeSelect
                name="label_format"
                label={t("format")}
                data={optionsOf(Object.fromEntries(carrier.label_formats.map((one) => [one, one.toUpperCase()])))}
                defaultValue={of?.label_format}
              />
            )}
            {carrier.operations.includes("verifyAddress") && (
              <Checkbox
                name="check_address"
                value="true"
                label={t("checkAddress")}
                defaultChecked={of?.check_address ?? true}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}

const needed = ["name", "line1", "city", "country"];
const sender = ["name", "line1", "line2", "postal_code", "city", "state", "country", "phone", "email"] as const;

/** What an account is, but for its warehouse. */
export const AccountFields = ({ of }: { of?: CarrierAccount }) => (
  <>
    <TextInput
      name="account_name"
      label={t("name")}
      defaultValue={of?.account_name}
      maxLength={128}
      required
      data-autofocus
    />
    <KindAndConfig {...(of && { of })} />
    <Fieldset legend={t("shipFrom")}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {sender.map((part) => (
          <AddressField
            key={part}
            part={part}
            name={`${SENDER}${part}`}
            label={part === "email" ? fieldText("customer_email") : fieldText(part)}
            value={of?.ship_from[part]}
            required={needed.includes(part)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
    <Fieldset legend={t("collection")}>
      <TextInput
        name="collection_at"
        type="time"
        label={t("collectionAt")}
        description={t("collectionAtHint")}
        defaultValue={of?.collection_at ?? ""}
        mb="sm"
      />
      <Fieldset legend={t("collectionDays")} variant="unstyled" mb="sm">
        <WeekDaysField days={of?.collection_days ?? EVERY_DAY} />
      </Fieldset>
      <Checkbox name="scan_out" value="true" label={t("scanOut")} defaultChecked={of?.scan_out ?? false} />
    </Fieldset>
  </>
);

/** What these fields say. */
export function accountIn(values: Record<string, string>) {
  const of = (part: (typeof sender)[number]) => typed(values[`${SENDER}${part}`]);
  const config = configIn(values, CONFIG);
  return {
    account_name: values.account_name ?? "",
    ...(Object.keys(config).length > 0 && { config }),
    ship_from: {
      ...{ name: of("name") ?? "", line1: of("line1") ?? "", line2: of("line2"), city: of("city") ?? "" },
      ...{ state: of("state"), postal_code: of("postal_code"), country: of("country")?.toUpperCase() ?? "" },
      ...{ phone: of("phone"), email: of("email") },
    },
    ...(values.label_format && { label_format: values.label_format as CarrierAccount["label_format"] }),
    check_address: values.check_address === "true",
    ...{ collection_at: typed(values.collection_at), collection_days: daysIn(values) },
    scan_out: values.scan_out === "true",
  };
}
