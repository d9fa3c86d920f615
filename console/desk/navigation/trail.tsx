import { Anchor, Group } from "@mantine/core";
import { Link, useLocation } from "react-router";
import { Icon } from "../../shared/icons.js";
import { t } from "../../texts/navigation.js";
import { groups } from "../groups.js";
import { useLinks } from "../links.js";
import { placeOf } from "../navigation.js";

/** Above a page that another one leads to: the group and that page. Its own name follows as its title. */
export function Trail() {
  const place = placeOf(useLocation().pathname);
  const linkOf = useLinks();
  if (!place?.list?.title || place.list === place.page) return null;
  const to = linkOf(`/${place.list.path}`);
  const name = place.list.title();
  return (
    <Group component="nav" aria-label={t("trail")} gap={4} mb={4} fz="sm" c="dimmed" className="no-print">
      <span>{groups[place.group].title()}</span>
      <Icon of="folded" size={14} />
      {to ? (
        <Anchor component={Link} to={to} inherit>
          {name}
        </Anchor>
      ) : (
        <span>{name}</span>
      )}
      <Icon of="folded" size={14} />
    </Group>
  );
}
