import { Button, Menu } from "@mantine/core";
import { t } from "../../texts/desk.js";

/** Opens what the service prints, for a printer of pages or one of labels: `path` is a route with `format`. */
export const Printout = ({ label, path }: { label: string; path: string }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button variant="default">{label}</Button>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item component="a" href={`${path}?format=pdf`} target="_blank" rel="noreferrer">
        {t("asPdf")}
      </Menu.Item>
      <Menu.Item component="a" href={`${path}?format=zpl`} target="_blank" rel="noreferrer">
        {t("asZpl")}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
);
