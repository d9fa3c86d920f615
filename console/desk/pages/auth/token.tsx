import { Text } from "@mantine/core";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import type { Token } from "../../../../client/src/index.js";
import { type Api, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { scopeList } from "../../../texts/scopes.js";
import { t } from "../../../texts/tokens.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { Page } from "../../components/page.js";
import { ShownOnce } from "../../components/shown-once.js";
import { Empty, Loaded } from "../../components/states.js";
import { Status } from "../../components/status.js";
import { namesOf, useWarehouseNames } from "../../components/warehouse-names.js";
import { TokenFields, tokenEdit } from "./token-fields.js";

export default function TokenPage() {
  const token_id = Number(useParams().token_id);
  const [secret, setSecret] = useState<string>();
  const warehouses = useWarehouseNames();
  return (
    <Loaded of={useRead("/api/admin/tokens")}>
      {({ tokens }) => {
        const token = tokens.find((one) => one.token_id === token_id);
        if (!token) return <Empty title={t("noToken")} />;
        return (
          <Page
            title={token.token_name}
            mark={<Status of={token.status} />}
            actions={<TokenActions of={token} setSecret={setSecret} />}
          >
            {secret && (
              <ShownOnce
                title={t("secretOf", { name: token.token_name })}
                secret={secret}
                close={() => setSecret(undefined)}
              />
            )}
            <Section title={t("scope")}>
              <Facts
                of={[
                  [t("warehouses"), namesOf(token.warehouse_ids, warehouses) || undefined],
                  [t("endpoints"), scopeList(token.endpoints) || undefined],
                  [t("events"), scopeList(token.event_types) || undefined],
                  [t("program"), token.connector_id],
                  [t("sourceSystem"), token.source_system],
                  [t("mayPush"), scopeList(token.inbound_resources) || undefined],
                  [t("mappingOverride"), token.mapping_override ? "✓" : undefined],
                ]}
              />
            </Section>
            <Section title={t("token")}>
              <Facts
                of={[
                  [t("created"), time(token.created_at)],
                  [t("rotated"), time(token.rotated_at)],
                  [t("rotation"), <Status key="rotation" of={token.rotation_status} />],
                  [t("expires"), time(token.expires_at)],
                  [t("lastUsed"), time(token.last_used_at)],
                  [t("revoked"), time(token.revoked_at)],
                ]}
              />
            </Section>
          </Page>
        );
      }}
    </Loaded>
  );
}

function TokenActions({ of: token, setSecret }: { of: Token; setSecret: (secret: string) => void }) {
  const navigate = useNavigate();
  const { token_name: name, token_id } = token;
  const path = { token_id };
  const isActive = token.status === "active";
  const rotate = async (_: object, api: Api) => {
    const { token: secret } = await api.post("/api/admin/tokens/{token_id}/rotate", { path });
    setSecret(secret);
  };
  const remove = async (_: object, api: Api) => {
    await api.delete("/api/admin/tokens/{token_id}", { path });
    await navigate("/tokens");
  };
  return (
    <>
      <Decision
        label={t("edit")}
        verb={t("save")}
        title={t("editToken", { name })}
        act={(values, api) => api.patch("/api/admin/tokens/{token_id}", { path, body: tokenEdit(values) })}
        isWide
      >
        <TokenFields of={token} />
      </Decision>
      {isActive && <Decision label={t("rotate")} verb={t("replace")} title={t("rotateToken", { name })} act={rotate} />}
      {isActive && (
        <Decision
          label={t("revoke")}
          title={t("revokeToken", { name })}
          act={(_, api) => api.post("/api/admin/tokens/{token_id}/revoke", { path })}
          isDangerous
        />
      )}
      <Decision label={t("delete")} title={t("deleteToken", { name })} act={remove} isDangerous>
        <Text>{t("deleteTokenHint")}</Text>
      </Decision>
    </>
  );
}
