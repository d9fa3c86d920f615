import { Box, Table } from "@mantine/core";
import type { ReactNode } from "react";

interface RowsProps {
  title: string;
  heads: string[];
  /** The cells of each row, under its key. */
  rows: [key: string | number, cells: ReactNode[]][];
}

/** A table that scrolls, by keyboard as well. */
export const Rows = ({ title, heads, rows }: RowsProps) => (
  <Box component="section" aria-label={title} tabIndex={0} style={{ overflowX: "auto" }}>
    <Table aria-label={title}>
      <Table.Thead>
        <Table.Tr>
          {heads.map((head) => (
            <Table.Th key={head} scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(([key, cells]) => (
          <Table.Tr key={key}>
            {cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column has no other name
              <Table.Td key={place}>{cell}</Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Box>
);
