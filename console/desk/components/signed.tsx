import { Text } from "@mantine/core";
import { number } from "../../shared/format.js";

/** A change of a quantity, with its sign. */
export const Signed = ({ of }: { of: number }) => (
  <Text span fw={600}>
    {of > 0 && "+"}
    {number(of)}
  </Text>
);
