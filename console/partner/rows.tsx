import { Anchor, Box, Group, Table } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";

interface Row {
  key: string | number;
  cells: ReactNode[];
  /** What can be done with it. */
  action?: ReactNode;
  /** What is unfolded beneath it, and read only then. */
  more: ReactNode;
}

interface RowsProps {
  title: string;
  heads: string[];
  /** What unfolds a row. */
  look: string;
  rows: Row[];
}

/** A table that scrolls, by keyboard as well; on a phone each row is a card. */
export const Rows = ({ title, heads, look, rows }: RowsProps) => (
  <Box component="section" className="scrolls" aria-label={title} tabIndex={0}>
    <Table className="cards" role="table" aria-label={title}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {heads.map((head) => (
            <Table.Th key={head} role="columnheader" scope="col">
              {head}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {rows.map(({ key, ...row }) => (
          <FoldedRow key={key} {...{ heads, look }} {...row} />
        ))}
      </Table.Tbody>
    </Table>
  </Box>
);

function FoldedRow({ heads, look, cells, action, more }: Omit<Row, "key"> & Pick<RowsProps, "heads" | "look">) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Table.Tr role="row">
        {cells.map((cell, place) => (
          <Table.Td
            key={heads[place]}
            role="cell"
            className={place === 0 ? "title" : undefined}
            data-label={place === 0 ? undefined : heads[place]}
            data-empty={cell ? undefined : true}
          >
            {cell}
          </Table.Td>
        ))}
        <Table.Td role="cell">
          <Group gap="sm" wrap="nowrap">
            <Anchor
              component="button"
              type="button"
              size="sm"
              style={{ whiteSpace: "nowrap" }}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setOpen(!isOpen)}
            >
              {look}
            </Anchor>
            {action}
          </Group>
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr role="row" id={id}>
          <Table.Td role="cell" colSpan={heads.length} style={{ textAlign: "start" }}>
            {more}
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}
