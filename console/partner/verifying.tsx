import { Anchor, List, Stack, Text } from "@mantine/core";
import { t } from "../texts/partner.js";
import { Commands, RECEIVER } from "./commands.js";
import { Details } from "./details.js";

/** What a receiver has to know: how requests are signed, what to answer, and a receiver to begin with. */
export const Verifying = () => (
  <Details title={t("verifying")}>
    <Stack gap="xs" mt="xs">
      <List size="sm" spacing={4}>
        {[
          t("signedOver"),
          t("signedHmac"),
          t("signedKey"),
          t("signedTwice"),
          t("answerWith"),
          t("retries"),
          t("byClients"),
        ].map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      <Anchor href="/docs/webhooks.html" size="sm">
        {t("aboutWebhooks")}
      </Anchor>
      <Text size="sm">{t("receiverHint")}</Text>
      <Commands title={t("receiver")} text={RECEIVER} />
    </Stack>
  </Details>
);
