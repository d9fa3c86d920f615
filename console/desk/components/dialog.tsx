import { Button, Group, Modal, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/desk.js";
import { valuesOf } from "../values.js";
import { Refused } from "./states.js";

interface DialogProps {
  title: string;
  isOpen: boolean;
  close: () => void;
  /** For many fields. */
  isWide?: boolean;
  children: ReactNode;
}

/** What lies over the page until it is closed. */
export const Dialog = ({ title, isOpen, close, isWide = false, children }: DialogProps) => (
  <Modal.Root opened={isOpen} onClose={close} size={isWide ? "xl" : "md"} centered>
    <Modal.Overlay />
    <Modal.Content>
      {/* The page has a header of its own. */}
      <Modal.Header role="presentation">
        <Modal.Title>{title}</Modal.Title>
        <Modal.CloseButton aria-label={t("close")} />
      </Modal.Header>
      <Modal.Body>{children}</Modal.Body>
    </Modal.Content>
  </Modal.Root>
);

interface AskFormProps {
  /** What the button says that does it. */
  verb: string;
  /** Does it with the values of the fields. */
  submit: (values: Record<string, string>) => void;
  close: () => void;
  /** It takes something away: it deletes, cancels, voids or revokes. */
  isDangerous?: boolean | undefined;
  isPending?: boolean;
  /** Why it was refused. */
  error?: unknown;
  children?: ReactNode;
}

/** What a dialog asks: its fields, each with a name, and whether to do it. */
export const AskForm = ({
  verb,
  submit,
  close,
  isDangerous = false,
  isPending = false,
  error,
  children,
}: AskFormProps) => (
  <form onSubmit={(event) => submit(valuesOf(event))}>
    <Stack>
      {children}
      <Refused error={error} />
      <Group justify="end">
        <Button variant="default" onClick={close}>
          {t("back")}
        </Button>
        <Button type="submit" loading={isPending} {...(isDangerous && { color: "red.9" })} data-autofocus>
          {verb}
        </Button>
      </Group>
    </Stack>
  </form>
);
