import { Checkbox, Fieldset, NativeSelect, SimpleGrid, TextInput } from "@mantine/core";
import type { Printer } from "../../../../client/src/index.js";
import { t } from "../../../texts/printing.js";
import { optionsOf, typed } from "../../values.js";
import { documentChoices } from "./documents.js";

const sizes = ["100x50", "57x32", "4x6in", "A4", "Letter"];

/** How a printer is reached, which stays as it is. */
export const KindField = () => (
  <NativeSelect
    name="kind"
    label={t("kind")}
    data={optionsOf({ raw9100: t("raw9100"), ipp: t("ipp"), printnode: t("printnode") })}
  />
);

export const kindIn = (values: Record<string, string>) => values.kind as Printer["kind"];

/** What a printer is, but for its warehouse and kind. */
export const PrinterFields = ({ of }: { of?: Printer }) => (
  <>
    <TextInput
      name="printer_name"
      label={t("name")}
      defaultValue={of?.printer_name}
      maxLength={128}
      required
      data-autofocus
    />
    <TextInput
      name="station"
      label={t("station")}
      description={t("stationHint")}
      defaultValue={of?.station ?? ""}
      maxLength={64}
    />
    <TextInput
      name="address"
      label={t("address")}
      description={t("addressHint")}
      defaultValue={of?.address}
      maxLength={512}
      required
    />
    {(!of || of.kind === "printnode") && (
      <TextInput
        name="api_key"
        label={t("apiKey")}
        description={t("apiKeyHint")}
        type="password"
        autoComplete="off"
        maxLength={256}
      />
    )}
    <SimpleGrid cols={{ base: 1, xs: 3 }}>
      <NativeSelect
        name="format"
        label={t("format")}
        data={optionsOf({ zpl: "ZPL", pdf: "PDF" })}
        defaultValue={of?.format}
      />
      <NativeSelect name="size" label={t("size")} data={sizes} defaultValue={of?.size} />
      <NativeSelect name="dpi" label={t("dpi")} data={["203", "300"]} defaultValue={String(of?.dpi ?? 203)} />
    </SimpleGrid>
    <Fieldset legend={t("documents")}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {Object.entries(documentChoices()).map(([document, label]) => (
          <Checkbox
            key={document}
            name={document}
            label={label}
            defaultChecked={of?.documents.some((one) => one === document) ?? false}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  </>
);

/** What these fields say. */
export const printerIn = (values: Record<string, string>) => ({
  printer_name: values.printer_name ?? "",
  station: typed(values.station),
  address: values.address ?? "",
  ...(typed(values.api_key) && { api_key: values.api_key as string }),
  format: values.format as Printer["format"],
  size: values.size as Printer["size"],
  dpi: Number(values.dpi) as Printer["dpi"],
  documents: Object.keys(documentChoices()).filter((document) => values[document] === "on") as Printer["documents"],
});
