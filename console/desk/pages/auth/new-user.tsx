import { Button, PasswordInput, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import type { NewUser as NewUserInput } from "../../../../client/src/index.js";
import { useAction } from "../../../shared/api.js";
import { t } from "../../../texts/auth.js";
import { Section } from "../../components/facts.js";
import { useSay } from "../../components/notices.js";
import { Page } from "../../components/page.js";
import { Refused } from "../../components/states.js";
import { valuesOf } from "../../values.js";
import type { Rights } from "./presets.js";
import { RightsFields } from "./rights-fields.js";

const none: Rights = { role: "USER", warehouse_ids: [], allowed_functions: [], page_keys: [] };

export default function NewUser() {
  const [rights, setRights] = useState(none);
  const navigate = useNavigate();
  const say = useSay();
  const create = useAction(
    (body: NewUserInput, api) => api.post("/api/admin/users", { body }),
    ({ user_id, username, looks_like }) => {
      say({ text: t("userCreated", { name: username }), to: `/users/${user_id}` });
      void navigate(`/users/${user_id}`, { state: { looks_like } });
    },
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { username = "", password = "", full_name = "" } = valuesOf(event);
    create.mutate({ username, password, full_name, ...rights });
  };
  return (
    <Page title={t("newUser")}>
      <Section title={t("account")}>
        <form onSubmit={submit}>
          <Stack>
            <TextInput name="username" label={t("username")} autoComplete="off" required maw={400} />
            <TextInput name="full_name" label={t("name")} autoComplete="off" required maw={400} />
            <PasswordInput
              name="password"
              label={t("password")}
              description={t("passwordHint")}
              autoComplete="new-password"
              required
              maw={400}
            />
            <RightsFields value={rights} set={setRights} />
            <Refused error={create.error} />
            <Button type="submit" loading={create.isPending} w="fit-content">
              {t("create")}
            </Button>
          </Stack>
        </form>
      </Section>
    </Page>
  );
}
