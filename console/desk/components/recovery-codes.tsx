import { Button, Code, CopyButton, Group, Stack, Text } from "@mantine/core";
import { t } from "../../texts/security.js";

/** New recovery codes, which the service shows only now. */
export function RecoveryCodes({ codes, done }: { codes: string[]; done: () => void }) {
  const text = codes.join("\n");
  return (
    <Stack role="status">
      <Text fw={600}>{t("yourRecoveryCodes")}</Text>
      <Text size="sm">{t("keepCodes")}</Text>
      <Code block tabIndex={0} aria-label={t("yourRecoveryCodes")}>
        {text}
      </Code>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? "codesCopied" : "copyCodes")}
            </Button>
          )}
        </CopyButton>
        <Button onClick={done}>{t("codesKept")}</Button>
      </Group>
    </Stack>
  );
}
