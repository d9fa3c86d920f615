import { Code } from "@mantine/core";

/** A payload as it is; what is too wide or too long scrolls, by keyboard as well. */
export const Json = ({ title, of }: { title: string; of: object }) => (
  <Code block tabIndex={0} aria-label={title} role="region" mah={480} style={{ overflow: "auto" }}>
    {JSON.stringify(of, null, 2)}
  </Code>
);
