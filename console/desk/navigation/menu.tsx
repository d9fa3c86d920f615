import { Box, Group, NavLink, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { Icon } from "../../shared/icons.js";
import { mayOpen, useMe } from "../../shared/session.js";
import { useKeptFor } from "../components/use-kept.js";
import { type GroupName, groups } from "../groups.js";
import { type DeskPage, navigation, placeOf } from "../navigation.js";

/** So many pages are seen at a glance: nothing of them folds. */
const FEW = 10;

/** The groups of pages that the user may open. That of the open page is unfolded as long as nobody folds it. */
export function Navigation() {
  const me = useMe();
  const { pathname } = useLocation();
  const [unfolded, setUnfolded] = useKeptFor<GroupName[]>("menu", ["today"]);
  const here = placeOf(pathname)?.group;
  const [isHereFolded, foldHere] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page of another group
  useEffect(() => foldHere(false), [here]);
  const isOpen = (name: GroupName) => (name === here ? !isHereFolded : unfolded.includes(name));
  const toggle = (name: GroupName) => {
    const others = unfolded.filter((other) => other !== name);
    if (name === here) foldHere(isOpen(name));
    setUnfolded(isOpen(name) ? others : [...others, name]);
  };
  const shown = (Object.keys(groups) as GroupName[])
    .map((name) => ({
      name,
      pages: navigation
        .filter(({ group }) => group === name)
        .flatMap(({ pages }) => pages)
        .filter(({ title, needs }) => title && mayOpen(me, needs)),
    }))
    .filter(({ pages }) => pages.length > 0);
  const areFew = shown.reduce((sum, { pages }) => sum + pages.length, 0) <= FEW;
  return shown.map(({ name, pages }) =>
    areFew ? (
      <Box key={name} pb="xs">
        <Group gap="sm" px="sm" py={6} c="dimmed">
          <Icon of={groups[name].icon} size={18} />
          <Text size="sm" fw={600}>
            {groups[name].title()}
          </Text>
        </Group>
        <Pages of={pages} />
      </Box>
    ) : (
      <FoldingGroup key={name} name={name} pages={pages} isOpen={isOpen(name)} toggle={() => toggle(name)} />
    ),
  );
}

interface FoldingGroupProps {
  name: GroupName;
  pages: DeskPage[];
  isOpen: boolean;
  toggle: () => void;
}

/** What waits on a page that is folded away is counted at its group. */
function FoldingGroup({ name, pages, isOpen, toggle }: FoldingGroupProps) {
  const { title, icon } = groups[name];
  const id = `menu-${name}`;
  return (
    <>
      <NavLink
        component="button"
        label={title()}
        leftSection={<Icon of={icon} size={18} />}
        rightSection={
          <Group component="span" gap={6} wrap="nowrap">
            {!isOpen && pages.map(({ path, count: Count }) => Count && <Count key={path} />)}
            <Icon of={isOpen ? "unfolded" : "folded"} size={16} />
          </Group>
        }
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        fw={600}
        onClick={toggle}
      />
      {isOpen && (
        <Box id={id} role="group" aria-label={title()} pb="xs">
          <Pages of={pages} />
        </Box>
      )}
    </>
  );
}

function Pages({ of }: { of: DeskPage[] }) {
  const here = placeOf(useLocation().pathname)?.list?.path;
  return of.map(({ path, title, count: Count }) => {
    const isHere = path === here;
    return (
      <NavLink
        key={path}
        component={Link}
        to={`/${path}`}
        label={title?.()}
        rightSection={Count && <Count />}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        py={6}
        pl={42}
      />
    );
  });
}
