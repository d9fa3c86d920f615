import { Button, Menu } from "@mantine/core";
import { useAction } from "../../shared/api.js";
import { language } from "../../shared/language.js";
import { save } from "../../shared/save.js";
import { t } from "../../texts/desk.js";
import { Refused } from "./states.js";

interface CsvMenuProps {
  url: string;
  /** What the file is called where the service does not say. */
  name: string;
  isDisabled: boolean;
}

/** Saves a list as a file: for Excel in the user's language, or for programs. */
export function CsvMenu({ url, name, isDisabled }: CsvMenuProps) {
  const file = useAction(({ type }: { type: string }) => save(type, url, name));
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" loading={file.isPending} disabled={isDisabled}>
            {t("downloadCsv")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => file.mutate({ type: `text/csv;dialect=excel-${language()}` })}>
            {t("csvForExcel")}
          </Menu.Item>
          <Menu.Item onClick={() => file.mutate({ type: "text/csv" })}>{t("csvPlain")}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Refused error={file.error} />
    </>
  );
}
