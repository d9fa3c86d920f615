import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import type { User as UserRecord } from "../../../../client/src/index.js";
import { useAction, useRead } from "../../../shared/api.js";
import { time } from "../../../shared/format.js";
import { isAdmin, useMe } from "../../../shared/session.js";
import { t } from "../../../texts/auth.js";
import { Decision } from "../../components/decision.js";
import { Facts, Section } from "../../components/facts.js";
import { MaybeLink } from "../../components/maybe-link.js";
import { Page } from "../../components/page.js";
import { Loaded, Refused } from "../../components/states.js";
import { Active } from "../../components/status.js";
import { BadgeOf } from "./badge.js";
import { FactorsOf } from "./factors.js";
import { HowSignsIn } from "./how-signs-in.js";
import type { Rights } from "./presets.js";
import { RightsFields } from "./rights-fields.js";
import { SessionsOf } from "./sessions-of.js";

export default function User() {
  const user_id = Number(useParams().user_id);
  const me = useMe();
  const found = useRead("/api/admin/users/{user_id}", { path: { user_id } });
  const { looks_like = [] } = (useLocation().state ?? {}) as { looks_like?: string[] };
  return (
    <Loaded of={found}>
      {(user) => (
        <Page
          title={user.username}
          mark={<Active is={user.is_active} text={t(user.is_active ? "active" : "inactive")} />}
          actions={<Actions user={user} />}
        >
          {looks_like.length > 0 && <Alert color="yellow">{t("looksLike", { names: looks_like.join(", ") })}</Alert>}
          <Section title={t("account")}>
            <Facts
              of={[
                [t("created"), time(user.created_at)],
                [t("lastLogin"), time(user.last_login)],
                [
                  t("deeds"),
                  <MaybeLink key="deeds" to={`/audit?user_id=${encodeURIComponent(user.username)}`}>
                    {t("inAuditLog")}
                  </MaybeLink>,
                ],
              ]}
            />
          </Section>
          <HowSignsIn user={user} />
          <BadgeOf user={user} />
          {isAdmin(me) && <FactorsOf user={user} />}
          {isAdmin(me) && <SessionsOf user={user} />}
          <Section title={t("rights")}>
            <Edit key={user_id} user={user} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

function Edit({ user }: { user: UserRecord }) {
  const [fullName, setFullName] = useState(user.full_name);
  const [rights, setRights] = useState<Rights>({
    role: user.role,
    warehouse_ids: user.warehouse_ids,
    allowed_functions: user.allowed_functions as Rights["allowed_functions"],
    page_keys: user.page_keys as Rights["page_keys"],
  });
  const path = { user_id: user.user_id };
  const save = useAction((body: Rights & { full_name: string }, api) =>
    api.put("/api/admin/users/{user_id}", { path, body }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ full_name: fullName, ...rights });
  };
  return (
    <form onSubmit={submit} onChange={save.reset}>
      <Stack>
        <TextInput
          label={t("name")}
          value={fullName}
          onChange={({ currentTarget }) => setFullName(currentTarget.value)}
          required
          maw={400}
        />
        <RightsFields value={rights} set={setRights} />
        <Refused error={save.error} />
        {save.isSuccess && <Text role="status">{t("saved")}</Text>}
        <Button type="submit" loading={save.isPending} w="fit-content">
          {t("save")}
        </Button>
      </Stack>
    </form>
  );
}

function Actions({ user }: { user: UserRecord }) {
  const { user_id, username, is_active } = user;
  const me = useMe();
  const navigate = useNavigate();
  const path = { user_id };
  const isMe = me.user_id === user_id;
  return (
    <>
      <Decision
        label={t("resetPassword")}
        title={t("resetPasswordTitle", { name: username })}
        act={({ password = "" }, api) => api.put("/api/admin/users/{user_id}", { path, body: { password } })}
      >
        <PasswordInput
          name="password"
          label={t("newPassword")}
          description={t("resetPasswordHint")}
          autoComplete="new-password"
          required
        />
      </Decision>
      {!isMe && (
        <>
          <Decision
            label={t(is_active ? "deactivate" : "activate")}
            title={t(is_active ? "deactivateTitle" : "activateTitle", { name: username })}
            act={(_, api) => api.put("/api/admin/users/{user_id}", { path, body: { is_active: !is_active } })}
          />
          <Decision
            label={t("delete")}
            title={t("removeTitle", { name: username })}
            isDangerous
            act={async (_, api) => {
              await api.delete("/api/admin/users/{user_id}", { path });
              await navigate("/users");
            }}
          >
            <Text>{t("removeHint")}</Text>
          </Decision>
        </>
      )}
    </>
  );
}
