import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../texts/desk.js";

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
