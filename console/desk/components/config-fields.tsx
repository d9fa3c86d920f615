import { PasswordInput, SimpleGrid, Text } from "@mantine/core";
import type { ConnectorConfigField } from "../../../client/src/index.js";
import { configText } from "../../texts/config-fields.js";
import { t } from "../../texts/desk.js";

/** What may be said of a field that was stored. */
interface Stored {
  masked?: string;
  hint?: string;
}

interface ConfigFieldsProps {
  /** What there is to be told, as the service describes it. */
  fields: Record<string, ConnectorConfigField>;
  /** Before their names, in a form that has other fields. */
  prefix?: string;
  /** Undefined for a field that was never stored. */
  stored: (key: string) => Stored | undefined;
}

/** What somebody outside the house has to be told: never shown, and an empty field stays as it is. */
export const ConfigFields = ({ fields, prefix = "", stored }: ConfigFieldsProps) => (
  <>
    <Text size="sm" mb="xs">
      {t("configHint")} {Object.keys(fields).some((key) => stored(key)) && t("configKept")}
    </Text>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      {Object.entries(fields).map(([key, { label, description, required }]) => {
        const known = stored(key);
        return (
          <PasswordInput
            key={key}
            name={`${prefix}${key}`}
            label={configText(label)}
            description={[description && configText(description), known?.hint].filter(Boolean).join(" · ")}
            placeholder={known?.masked}
            required={required && !known}
            autoComplete="off"
          />
        );
      })}
    </SimpleGrid>
  </>
);

/** What was typed into them. */
export const configIn = (values: Record<string, string>, prefix = ""): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([name, value]) => name.startsWith(prefix) && value !== "")
      .map(([name, value]) => [name.slice(prefix.length), value]),
  );
