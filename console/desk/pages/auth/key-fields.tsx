import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import type { NewPersonalKey } from "../../../../client/src/index.js";
import { momentOf } from "../../../shared/format.js";
import { useMe } from "../../../shared/session.js";
import { t } from "../../../texts/keys.js";
import { rightText } from "../../../texts/rights.js";
import { Choices, chosenOf } from "../../components/choices.js";

const named = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, rightText(key)]));

/** What a key is for, and what it opens of that which its user may do. */
export function KeyFields({ pages }: { pages: readonly string[] }) {
  const { allowed_functions } = useMe();
  const [isNarrow, setNarrow] = useState(false);
  return (
    <Stack>
      <TextInput name="key_name" label={t("keyName")} description={t("keyNameHint")} required data-autofocus />
      <TextInput type="datetime-local" name="expires_at" label={t("validUntil")} description={t("validUntilHint")} />
      <Checkbox name="is_read_only" label={t("readsOnly")} defaultChecked />
      <Checkbox
        name="is_narrow"
        label={t("someRights")}
        checked={isNarrow}
        onChange={({ currentTarget }) => setNarrow(currentTarget.checked)}
      />
      {isNarrow && (
        <>
          <Choices name="page_keys" label={t("pages")} choices={named(pages)} />
          <Choices name="functions" label={t("functions")} choices={named(allowed_functions)} />
        </>
      )}
    </Stack>
  );
}

/** The fields of the form as a key to make. */
export const newKeyOf = (values: Record<string, string>): NewPersonalKey => ({
  key_name: values.key_name ?? "",
  is_read_only: "is_read_only" in values,
  expires_at: values.expires_at ? momentOf(values.expires_at) : null,
  ...("is_narrow" in values && {
    page_keys: chosenOf(values, "page_keys") as NonNullable<NewPersonalKey["page_keys"]>,
    functions: chosenOf(values, "functions") as NonNullable<NewPersonalKey["functions"]>,
  }),
});
