import { Alert, Button, CopyButton, Group, TextInput } from "@mantine/core";
import { t } from "../../texts/desk.js";

interface ShownOnceProps {
  title: string;
  secret: string;
  close: () => void;
}

/** A secret that the service shows only now. It stands in the state of the page, so it is gone with it. */
export const ShownOnce = ({ title, secret, close }: ShownOnceProps) => (
  <Alert color="yellow" variant="outline" role="status" ref={(node) => node?.scrollIntoView({ block: "nearest" })}>
    <Group align="end" gap="sm">
      <TextInput
        {...{ label: title, description: t("shownOnce"), value: secret }}
        readOnly
        flex={1}
        miw={240}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <CopyButton value={secret}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {t(copied ? "copied" : "copy")}
          </Button>
        )}
      </CopyButton>
      <Button variant="default" onClick={close}>
        {t("close")}
      </Button>
    </Group>
  </Alert>
);
