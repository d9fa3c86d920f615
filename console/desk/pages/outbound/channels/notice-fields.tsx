import { Checkbox } from "@mantine/core";
import { t } from "../../../../texts/channels.js";
import { type Notice, noticeTypes, scopeChoices } from "../../../../texts/scopes.js";
import { Choices, chosenOf } from "../../../components/choices.js";

/** What a destination is told of, and whether it is told at all. */
export const NoticeFields = ({ of, isOn = true }: { of: readonly Notice[]; isOn?: boolean }) => (
  <>
    <Choices name="event_filter" label={t("notices")} choices={scopeChoices(noticeTypes)} chosen={of} />
    <Checkbox name="enabled" label={t("on")} defaultChecked={isOn} />
  </>
);

export const noticesOf = (values: Record<string, string>) => chosenOf(values, "event_filter") as Notice[];
