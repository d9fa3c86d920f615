import { NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PartnerSandbox } from "../../client/src/index.js";
import { Decision } from "../desk/components/decision.js";
import { Facts, Section } from "../desk/components/facts.js";
import { ShownOnce } from "../desk/components/shown-once.js";
import { Empty, Loaded } from "../desk/components/states.js";
import { Status } from "../desk/components/status.js";
import { type Api, reading } from "../shared/api.js";
import { number, time } from "../shared/format.js";
import { t } from "../texts/partner.js";
import { moveText } from "../texts/sandbox-moves.js";
import { scenarioNames, scenarioText } from "../texts/sandbox-scenarios.js";
import { t as sandboxes } from "../texts/sandboxes.js";
import { LOOKED_AT_MS } from "./looked-at.js";

const PATH = "/api/partner/sandbox";
type Scenario = (typeof scenarioNames)[number];

/** The partner's sandbox, once there is one. */
export const useSandbox = () => useQuery({ ...reading(PATH), refetchInterval: LOOKED_AT_MS });

/** Whether something can happen in it. */
export const isOpen = (sandbox: PartnerSandbox | null | undefined): sandbox is PartnerSandbox =>
  Boolean(sandbox) && sandbox?.state !== "ENDED";

/** A warehouse in which the partner tries things, and what happens there. */
export function Sandbox() {
  const [token, show] = useState<{ name: string; secret: string }>();
  const read = useSandbox();
  const begin = async (_: unknown, api: Api) => {
    const { sandbox, token: secret } = await api.post(PATH, { body: {} });
    show({ name: sandbox.warehouse_code, secret });
  };
  const step = ({ scenario }: Record<string, string>, api: Api) =>
    api.post(`${PATH}/step`, { body: { scenario: scenario as Scenario } });
  const choices = scenarioNames.map((value) => ({ value, label: scenarioText(value) }));
  return (
    <Section
      title={t("sandbox")}
      actions={
        isOpen(read.data?.sandbox) ? (
          <>
            <Decision isSmall label={sandboxes("step")} title={t("stepSandbox")} act={step}>
              <NativeSelect name="scenario" label={sandboxes("scenario")} data={choices} data-autofocus />
            </Decision>
            <Decision
              {...{ isSmall: true, isDangerous: true, label: sandboxes("end"), title: t("endSandbox") }}
              act={(_, api) => api.delete(PATH)}
            />
          </>
        ) : (
          <Decision label={sandboxes("begin")} title={t("beginSandbox")} act={begin} />
        )
      }
    >
      <Stack>
        <Text size="sm">{t("sandboxHint")}</Text>
        {token && (
          <ShownOnce
            title={sandboxes("tokenOf", { name: token.name })}
            secret={token.secret}
            close={() => show(undefined)}
          />
        )}
        <Loaded of={read}>
          {({ sandbox }) => (isOpen(sandbox) ? <State of={sandbox} /> : <Empty title={t("noSandbox")} />)}
        </Loaded>
      </Stack>
    </Section>
  );
}

const State = ({ of }: { of: PartnerSandbox }) => (
  <>
    <Status of={of.state} />
    <Facts
      of={[
        [sandboxes("warehouse"), of.warehouse_code],
        [sandboxes("orders"), number(of.orders)],
        [sandboxes("lastMove"), moveText(of.last_move)],
        [sandboxes("endsAt"), of.ends_at && time(of.ends_at)],
      ]}
    />
  </>
);
