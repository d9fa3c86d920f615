import type { Api } from "../../../../shared/api.js";
import { t } from "../../../../texts/channels.js";
import { faultText } from "../../../../texts/faults.js";
import { DataList } from "../../../components/data-list.js";
import { SecretsPage } from "../../../components/secrets-page.js";
import { ChannelFields, channelEdit } from "./channel-fields.js";

export default function Channels() {
  const make = async (values: Record<string, string>, api: Api) => {
    const body = { channel_id: values.channel_id ?? "", ...channelEdit(values) };
    const { secret } = await api.post("/api/admin/channels", { body });
    return { title: t("secretOf", { name: body.display_name }), secret };
  };
  return (
    <SecretsPage title={t("channels")} label={t("add")} fields={<ChannelFields />} make={make}>
      <DataList
        title={t("channels")}
        none="channels"
        path="/api/admin/channels"
        rows="channels"
        isWhole
        to={({ channel_id }) => `/channels/${channel_id}`}
        columns={[
          { field: "display_name", title: t("name"), sorts: true },
          { field: "status", title: t("status"), sorts: true, as: "status" },
          { field: "item_count", title: t("items"), sorts: true, as: "number" },
          { field: "dirty_count", title: t("waiting"), sorts: true, as: "number" },
          { field: "dlq_count", title: t("dead"), sorts: true, as: "number" },
          { field: "last_published_at", title: t("published"), sorts: true, as: "time" },
          { field: "last_error", title: t("error"), show: (row) => faultText(row.last_error) },
        ]}
      />
    </SecretsPage>
  );
}
