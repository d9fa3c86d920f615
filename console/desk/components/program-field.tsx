import { NativeSelect, TextInput } from "@mantine/core";
import { useRead } from "../../shared/api.js";
import { t } from "../../texts/tokens.js";

/** A program of the registry; whoever may not read the registry types its id. */
export function ProgramField({ isOptional = false }: { isOptional?: boolean }) {
  const { data, error } = useRead("/api/admin/connector-registry");
  const field = { name: "connector_id", label: t("program") };
  if (error) return <TextInput {...field} required={!isOptional} />;
  const programs = (data?.connectors ?? []).map(({ connector_id, display_name }) => ({
    ...{ value: connector_id, label: display_name },
  }));
  if (isOptional) return <NativeSelect {...field} data={[{ value: "", label: t("none") }, ...programs]} />;
  return (
    <NativeSelect
      {...field}
      data={programs}
      required
      description={data?.connectors.length === 0 && t("registerProgram")}
    />
  );
}
