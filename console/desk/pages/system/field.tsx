import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import { t as orders } from "../../../texts/sales-orders.js";
import { t } from "../../../texts/system.js";
import { useWarehouse } from "../../components/warehouse.js";
import { BinField } from "./bin-field.js";
import type { KnownSetting } from "./known.js";
import { OriginsField } from "./origins-field.js";

interface FieldProps {
  of: KnownSetting;
  value: string;
  set: (value: string) => void;
}

/** The control that fits a setting, with what the setting does. */
export function Field({ of: [key, control], value, set }: FieldProps) {
  const { warehouses } = useWarehouse();
  const words = { label: t(key), description: t(`${key}_hint`) };
  const typed = {
    ...words,
    value,
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value),
    maw: 500,
  };
  switch (control) {
    case "switch":
      return (
        <Switch
          {...words}
          checked={value === "true"}
          onChange={({ currentTarget }) => set(currentTarget.checked ? "true" : "false")}
        />
      );
    case "number":
      return <TextInput {...typed} inputMode="decimal" />;
    case "text":
      return <TextInput {...typed} />;
    case "paragraph":
      return <Textarea {...typed} autosize minRows={2} maxRows={8} />;
    case "warehouse":
      return (
        <NativeSelect
          {...typed}
          data={[
            { value: "", label: t("noWarehouse") },
            ...warehouses.map(({ code, name }) => ({ value: code, label: `${code} · ${name}` })),
          ]}
        />
      );
    case "decision":
      return (
        <NativeSelect
          {...typed}
          data={[
            { value: "wait", label: orders("letWait") },
            { value: "ship_short", label: orders("shipShortNow") },
            { value: "cancel_rest", label: orders("cancelRest") },
          ]}
        />
      );
    case "roles":
      return (
        <NativeSelect
          {...typed}
          data={[
            { value: "", label: t("rolesNone") },
            { value: "ADMIN", label: t("rolesAdmin") },
            { value: "ADMIN,USER", label: t("rolesAll") },
          ]}
        />
      );
    case "agents":
      return (
        <NativeSelect
          {...typed}
          data={[
            { value: "never", label: t("agentsNever") },
            { value: "approve", label: t("agentsApprove") },
            { value: "allow", label: t("agentsAllow") },
          ]}
        />
      );
    case "bin":
      return <BinField {...words} value={value} set={set} />;
    case "origins":
      return <OriginsField {...words} value={value} set={set} />;
  }
}
