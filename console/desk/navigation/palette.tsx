import { Box, Button, Combobox, Group, Kbd, Modal, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue, useDisclosure, useHotkeys } from "@mantine/hooks";
import { useEffect, useState } from "react";
import { useNavigate } from "react-router";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/navigation.js";
import { Choice } from "./choice.js";
import { useKnown } from "./known.js";
import { Records } from "./records.js";

/** From so many letters on the service is asked. */
const LEAST = 2;

/** Leads to a page, a record or an action by a part of its name; `/` and Ctrl+K open it everywhere. */
export function Palette() {
  const [isOpen, { open, close }] = useDisclosure();
  // Some keyboards have the slash on another key with shift.
  useHotkeys([
    ["/", open],
    ["shift+/", open],
  ]);
  useHotkeys([["mod+K", open]], []);
  return (
    <>
      <Button
        variant="default"
        px={{ base: "xs", sm: "md" }}
        fw={400}
        aria-label={t("searchAll")}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon of="lookUp" size={18} />
        <Box visibleFrom="sm" px="xs" miw={{ md: 180 }} ta="left" c="dimmed">
          {t("searchAll")}
        </Box>
        <Kbd size="xs" visibleFrom="sm">
          /
        </Kbd>
      </Button>
      <Modal.Root opened={isOpen} onClose={close} size="lg" transitionProps={{ duration: 0 }}>
        <Modal.Overlay />
        <Modal.Content aria-label={t("searchAll")}>
          <Modal.Body p="sm">
            <Finder close={close} />
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </>
  );
}

function Finder({ close }: { close: () => void }) {
  const [typed, setTyped] = useState("");
  const text = typed.trim();
  const [q] = useDebouncedValue(text, 200);
  const navigate = useNavigate();
  // It is open: then what comes next is another search.
  useHotkeys([["mod+K", () => setTyped("")]], []);
  const list = useCombobox({ opened: true, onDropdownClose: close });
  const { recent, pages, actions } = useKnown(text);
  const parts = [
    { title: t("recent"), choices: recent },
    { title: t("pages"), choices: pages },
    { title: t("actions"), choices: actions },
  ].filter(({ choices }) => choices.length > 0);
  // Enter opens the first, unless another one was chosen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each text
  useEffect(() => void list.selectFirstOption(), [text]);
  const arrived = () => {
    if (list.getSelectedOptionIndex() < 0) list.selectFirstOption();
  };
  const isAsked = text.length >= LEAST;
  return (
    <Combobox
      store={list}
      onOptionSubmit={(to) => {
        close();
        void navigate(to);
      }}
    >
      <Group gap="xs" wrap="nowrap">
        <Combobox.EventsTarget>
          <TextInput
            type="search"
            aria-label={t("searchAll")}
            placeholder={t("paletteHint")}
            leftSection={<Icon of="lookUp" size={18} />}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            flex={1}
            autoFocus
            data-autofocus
          />
        </Combobox.EventsTarget>
        <Modal.CloseButton aria-label={t("close")} />
      </Group>
      <Combobox.Options
        aria-label={t("searchAll")}
        hidden={parts.length === 0 && !isAsked}
        mah="60vh"
        tabIndex={0}
        mt="xs"
        style={{ overflowY: "auto" }}
      >
        {parts.map(({ title, choices }) => (
          <Combobox.Group key={title} label={title}>
            {choices.map((choice) => (
              <Choice key={choice.to} {...choice} />
            ))}
          </Combobox.Group>
        ))}
        {isAsked &&
          (q === text ? (
            <Records q={q} known={parts.flatMap(({ choices }) => choices.map(({ to }) => to))} arrived={arrived} />
          ) : null)}
      </Combobox.Options>
    </Combobox>
  );
}
