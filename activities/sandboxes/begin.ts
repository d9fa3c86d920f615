import { UnknownConnector } from "../../src/outbound/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { bool, int } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { MOST_SANDBOXES } from "../../src/sandboxes/limits.js";
import { SandboxThere, TooManySandboxes } from "../../src/sandboxes/problems.js";
import { sandboxState } from "../../src/sandboxes/queries.js";
import type { SandboxRequest, SandboxState } from "../../src/sandboxes/workflow.js";
import { command, type Tx } from "../command.js";

/**
 * Makes a sandbox and its warehouse, which is empty yet. A repeated request gets the sandbox of the first.
 * @public Called by `sandbox`, which knows activities by their types alone.
 */
export function beginSandbox(sandboxId: number, request: SandboxRequest, by: Actor): Promise<SandboxState> {
  return command("sandboxes.begin", by, request, async (tx) => {
    const { connector_id, pace_seconds } = request;
    await refuseAnother(tx, connector_id);
    const warehouse_code = `SANDBOX-${sandboxId}`;
    const made = (await tx.row(
      { warehouse_id: int },
      `with made as (
         insert into warehouses (warehouse_code, warehouse_name, is_sandbox)
         select :warehouse_code, 'Sandbox of ' || display_name, true from connectors where connector_id = :connector_id
         returning warehouse_id
       )
       insert into sandboxes (sandbox_id, warehouse_id, warehouse_code, connector_id, pace_seconds, made_by)
       select :sandboxId, warehouse_id, :warehouse_code, :connector_id, :pace_seconds, :username from made
       returning warehouse_id`,
      { sandboxId, warehouse_code, connector_id, pace_seconds, username: by.username },
    )) as { warehouse_id: number };
    tx.audit({
      action: "SANDBOX_BEGIN",
      entity: "WAREHOUSE",
      entityId: made.warehouse_id,
      warehouseId: made.warehouse_id,
      details: { warehouse_code, connector_id },
    });
    return sandboxState(tx, sandboxId);
  });
}

const Others = { open: int, of_partner: bool };

/** One begins after the other, so that none is one too many. */
async function refuseAnother(tx: Tx, connector_id: string): Promise<void> {
  const [, partner, others] = await tx.inOrder([
    tx.run("select pg_advisory_xact_lock(hashtext('sandboxes'))"),
    tx.row({}, "select from connectors where connector_id = $1 for key share", [connector_id]),
    tx.row(
      Others,
      `select count(*) as open, coalesce(bool_or(connector_id = $1), false) as of_partner
       from sandboxes where ended_at is null`,
      [connector_id],
    ),
  ]);
  if (!partner) throw UnknownConnector();
  if (others?.of_partner) throw SandboxThere({ connector_id });
  if (others && others.open >= MOST_SANDBOXES) throw TooManySandboxes({ most: MOST_SANDBOXES });
}

/**
 * Reads a sandbox from its row; 404 when there is none.
 * @public The same.
 */
export const resumeSandbox = (sandboxId: number): Promise<SandboxState> => sandboxState(db, sandboxId);
