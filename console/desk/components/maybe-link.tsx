import { Anchor, Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useLinks } from "../links.js";

interface MaybeLinkProps {
  to: string;
  /** It stands beside words of the same line, from which its colour alone does not tell it. */
  isInText?: boolean;
  children: ReactNode;
}

/** A link for whoever may open its page; for others what it says. */
export function MaybeLink({ to, isInText = false, children }: MaybeLinkProps) {
  const link = useLinks()(to);
  return link ? (
    <Anchor component={Link} to={link} inherit {...(isInText && { underline: "always" })}>
      {children}
    </Anchor>
  ) : (
    <Text span inherit>
      {children}
    </Text>
  );
}

interface LinkButtonProps {
  to: string;
  label: string;
  isFilled?: boolean;
  /** Stands beside a row. */
  isSmall?: boolean;
}

/** A button that leads to another page. */
export const LinkButton = ({ to, label, isFilled = false, isSmall = false }: LinkButtonProps) => (
  <Button component={Link} to={to} variant={isFilled ? "filled" : "default"} {...(isSmall && { size: "xs" })}>
    {label}
  </Button>
);
