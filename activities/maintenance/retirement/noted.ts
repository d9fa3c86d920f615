import type { Tx } from "../../command.js";
import type { WrittenFile } from "./file.js";

/** A file of rows that leave the database, or have left their table. */
export interface NotedFile extends WrittenFile {
  table_name: string;
  /** The first day of it. */
  month: string;
  first_no: number;
  last_no: number;
  row_count: number;
  /** Of the audit log: the hash of the newest row, in hex. */
  head: string | null;
}

/** Notes a file in `retired_files` and in the audit log, which seals its checksum. Audit ROWS_RETIRE. */
export async function noteFile(tx: Tx, noted: NotedFile): Promise<void> {
  await tx.run(
    `insert into retired_files
       (table_name, month, file_name, first_no, last_no, row_count, byte_count, sha256, head)
     values (:table_name, :month, :file_name, :first_no, :last_no, :row_count, :byte_count, :sha256,
       decode(:head, 'hex'))`,
    { ...noted },
  );
  tx.audit({
    ...{ action: "ROWS_RETIRE", user: "system:retention", entity: "RETENTION", entityId: 0 },
    details: { ...noted },
  });
}
