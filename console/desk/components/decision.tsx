import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { type Api, useAction } from "../../shared/api.js";
import { t } from "../../texts/desk.js";
import { useActionOfPage } from "../action.js";
import { useWhereDone } from "./about.js";
import { AskForm, Dialog } from "./dialog.js";
import { useSay } from "./notices.js";

interface DecisionProps {
  /** What the button says. */
  label: string;
  /** What the button of the dialog says that does it, where that is something else. */
  verb?: string;
  /** The question; its fields follow as children, each with a name. */
  title: string;
  children?: ReactNode;
  /** Does it with the values of the fields, by a service that repeats it when no answer came. */
  act: (values: Record<string, string>, api: Api) => Promise<unknown>;
  /** It takes something away: it deletes, cancels, voids or revokes. */
  isDangerous?: boolean;
  isDisabled?: boolean;
  /** Stands beside a row or a part of a page. */
  isSmall?: boolean;
  /** For many fields. */
  isWide?: boolean;
  /** It is the action of its page, to which the palette leads. */
  isAction?: boolean;
}

/** A button whose action is confirmed in a dialog, which stays open and says why when it is refused. */
export function Decision({ label, verb = label, title, children, act, ...looks }: DecisionProps) {
  const { isDangerous = false, isDisabled = false, isSmall = false, isWide = false, isAction = false } = looks;
  const [isOpen, { open, close }] = useDisclosure();
  const say = useSay();
  const whereDone = useWhereDone();
  const action = useAction(act, () => {
    close();
    say({ text: t("didIt", { what: title.replace(/\s*\?$/, "") }), to: whereDone() });
  });
  const start = () => {
    action.reset();
    open();
  };
  useActionOfPage(isAction, start);
  return (
    <>
      <Button
        variant="default"
        mod={{ dangerous: isDangerous }}
        size={isSmall ? "xs" : "sm"}
        onClick={start}
        disabled={isDisabled}
      >
        {label}
      </Button>
      <Dialog {...{ title, isOpen, close, isWide }}>
        <AskForm
          {...{ verb, close, isDangerous }}
          submit={action.mutate}
          isPending={action.isPending}
          error={action.error}
        >
          {children}
        </AskForm>
      </Dialog>
    </>
  );
}
