import { Button, FileInput, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { FileSeen } from "../../../client/src/index.js";
import { type Api, useAction } from "../../shared/api.js";
import { t } from "../../texts/files.js";
import { rowFaultText } from "../../texts/row-faults.js";
import { valuesOf } from "../values.js";
import { Section } from "./facts.js";
import { Notice, Refused } from "./states.js";
import { DataTable } from "./table.js";

interface FileFormProps<A> {
  /** What the part of the page with the fields is called. */
  title: string;
  /** The other fields, each with a name, and what the file is called. */
  children: ReactNode;
  label: string;
  /** Sends the file, first only to learn what would happen. */
  send: (values: Record<string, string>, file: string, isTried: boolean, api: Api) => Promise<A>;
  /** What would happen, and what did. */
  show: (answer: A) => ReactNode;
  fileOf: (answer: A) => FileSeen | null | undefined;
  /** What the button says that does it; undefined where there is nothing to do. */
  doing: (answer: A) => string | undefined;
  /** What a refusal says beyond its text. */
  refusal?: (error: unknown) => ReactNode;
}

/** A form with a CSV file. Before anything is written it is read, and the person sees how, and what would happen. */
export function FileForm<A>({ title, children, label, send, show, fileOf, doing, refusal }: FileFormProps<A>) {
  const [tried, setTried] = useState<{ values: Record<string, string>; file: string; answer: A }>();
  const check = useAction(async (values: Record<string, string>, api: Api) => {
    const file = await base64Of(chosenFile());
    setTried({ values, file, answer: await send(values, file, true, api) });
  });
  const act = useAction(({ values, file }: { values: Record<string, string>; file: string }, api) =>
    send(values, file, false, api),
  );
  const begin = () => {
    setTried(undefined);
    check.reset();
    act.reset();
  };
  const error = check.error ?? act.error;
  const action = tried && !act.data && doing(tried.answer);
  return (
    <>
      {/* Whatever is changed has to be looked through again. */}
      <form onChange={begin} onSubmit={(event) => check.mutate(valuesOf(event))}>
        <Stack>
          <Section title={title}>
            <Stack>
              {children}
              <SimpleGrid cols={{ base: 1, sm: 2 }}>
                <FileInput
                  name="file"
                  label={label}
                  placeholder={t("chooseFile")}
                  accept=".csv,.txt,text/csv,text/plain"
                  onChange={begin}
                  required
                />
              </SimpleGrid>
            </Stack>
          </Section>
          <Refused error={error} />
          {error && refusal?.(error)}
          <Group>
            <Button type="submit" variant={tried ? "default" : "filled"} loading={check.isPending}>
              {t("check")}
            </Button>
          </Group>
        </Stack>
      </form>
      {act.data ? show(act.data) : tried && show(tried.answer)}
      {tried && action && (
        <Group>
          <Button onClick={() => act.mutate(tried)} loading={act.isPending}>
            {action}
          </Button>
        </Group>
      )}
      {tried && !act.data && <Seen file={fileOf(tried.answer)} />}
    </>
  );
}

/** How the file was read: what went wrong in between is seen in its first rows. */
function Seen({ file }: { file: FileSeen | null | undefined }) {
  if (!file) return null;
  const encodings = {
    ...{ ascii: "ASCII", "utf-8": "UTF-8", "utf-16le": "UTF-16", "utf-16be": "UTF-16" },
    "windows-1252": "Windows-1252",
  };
  const separators = { ",": t("comma"), ";": t("semicolon"), tab: t("tab") };
  const how = t("readAs", { encoding: encodings[file.encoding], separator: separators[file.separator] });
  return (
    <Section title={t("firstRows")}>
      <Text size="sm" c="dimmed" mb="xs">
        {how}
      </Text>
      <DataTable
        title={t("firstRows")}
        rows={file.first_rows.map(({ row, values }): Record<string, unknown> => ({ row, ...values }))}
        columns={[{ field: "row", title: t("row") }, ...file.columns.map((field) => ({ field, title: field }))]}
      />
    </Section>
  );
}

/** The rows of a file that are wrong, or of which something was left out. */
export function Remarks({ rows }: { rows: { row: number; why: string }[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title={t("remarks")}>
      <DataTable
        title={t("remarks")}
        rows={rows.toSorted((a, b) => a.row - b.row)}
        columns={[
          { field: "row", title: t("row") },
          { field: "why", title: t("why"), show: ({ why }) => rowFaultText(why) },
        ]}
      />
    </Section>
  );
}

/** What came of it, or would. */
export const Outcome = ({ title, isGood }: { title: string; isGood: boolean }) => (
  <Notice color={isGood ? "green" : "orange"} variant="light" title={title} />
);

function chosenFile(): File {
  const field = document.querySelector<HTMLInputElement>("input[type=file][name=file]");
  const file = field?.files?.[0];
  if (!file) throw new Error("no file was chosen");
  return file;
}

const base64Of = (file: File) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
