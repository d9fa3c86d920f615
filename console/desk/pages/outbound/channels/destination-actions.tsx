import { Button, TextInput } from "@mantine/core";
import type { NotificationWebhook } from "../../../../../client/src/index.js";
import { t } from "../../../../texts/channels.js";
import { Decision } from "../../../components/decision.js";
import { RowActions } from "../../../components/row-actions.js";
import { NoticeFields, noticesOf } from "./notice-fields.js";

const PATH = "/api/admin/notification-webhooks/{webhook_id}";

interface DestinationActionsProps {
  of: NotificationWebhook;
  test: () => void;
}

export function DestinationActions({ of: { webhook_id, host_preview: name, ...of }, test }: DestinationActionsProps) {
  const path = { webhook_id };
  return (
    <RowActions>
      <Button variant="default" onClick={test}>
        {t("test")}
      </Button>
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editDestination", { name })}
        act={(values, api) => {
          const body = { event_filter: noticesOf(values), enabled: "enabled" in values };
          return api.patch(PATH, { path, body });
        }}
        isWide
      >
        <NoticeFields of={of.event_filter} isOn={of.enabled} />
      </Decision>
      <Decision
        label={t("newUrl")}
        verb={t("save")}
        title={t("newUrlOf", { name })}
        act={({ url = "" }, api) => api.post(`${PATH}/rotate-url`, { path, body: { url } })}
      >
        <TextInput name="url" type="url" label={t("url")} required autoComplete="off" data-autofocus />
      </Decision>
      <Decision
        label={t("delete")}
        title={t("deleteDestination", { name })}
        act={(_, api) => api.delete(PATH, { path })}
        isDangerous
      />
    </RowActions>
  );
}
