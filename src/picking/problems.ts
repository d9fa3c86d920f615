import { openProblem, problem } from "../platform/problem.js";

export const BatchNotFound = problem("batch_not_found", 404, "Pick batch not found");
export const UnknownBatch = problem("unknown_batch", 400, "Pick batch {batch_id} does not exist");
export const BatchNotActive = problem("batch_not_active", 409, "batch_not_active");
export const TransferBatch = problem(
  "transfer_batch",
  409,
  "{batch_number} picks a transfer order: cancel that order instead",
);
export const NotTransferBatch = problem(
  "not_a_transfer_batch",
  409,
  "{batch_number} is a wave: only the batch of a transfer order can be taken over",
);
/** Of a batch that was released and is nobody's yet (docs/waves.md). */
export const BatchWaits = problem(
  "batch_waits",
  409,
  "{batch_number} waits for a picker: take it as the next batch first",
);
export const BatchHasPicks = problem(
  "batch_has_picks",
  409,
  "{batch_number} was begun: complete or cancel it instead of giving it back",
);
export const BatchAssigned = problem("batch_assigned", 409, "{batch_number} is being picked by {assigned_to}");
export const UnknownPicker = problem("unknown_picker", 400, "User {user_id} does not exist or is not active");
export const MayNotPick = problem("may_not_pick", 400, "{username} may not pick in this warehouse");
export const WaitingWaveNotFound = problem("waiting_wave_not_found", 404, "No such orders wait for a pick face");
export const WaitingWaveReleased = problem(
  "waiting_wave_released",
  409,
  "These orders are being released: cancel their waves instead",
);
export const TemplateNotFound = problem("template_not_found", 404, "Wave template not found");
export const TemplateNameTaken = problem(
  "template_name_taken",
  409,
  "The warehouse has a wave template {template_name} already",
);
export const NoBatchWaits = problem("no_batch_waits", 404, "No batch waits for a picker");
export const TaskNotFound = problem("task_not_found", 400, "Pick task {pick_task_id} does not exist");
export const NoSuchTask = problem("no_such_task", 404, "Pick task not found");
export const TaskNotPending = openProblem("task_not_pending", 400, "Pick task is already {status}");
export const WrongItem = problem("wrong_item", 400, "Wrong item: expected {sku}");
export const WrongLot = openProblem("wrong_lot", 400, "Wrong lot: expected {expected}, scanned {scanned}");
/** For an item whose pickers may take another lot of the bin (docs/lots.md). */
export const LotExpiresLater = openProblem(
  "lot_expires_later",
  400,
  "Lot {lot} expires later than {planned}, which is to be picked first",
);
export const LotNotFree = problem("lot_not_free", 400, "Lot {lot} has {available} free here, {quantity} wanted");
/** The task is taken back at once, and others take its place (docs/lots.md). */
export const UnitsPastSale = problem(
  "units_past_sale",
  409,
  "{sku} with the last day {expiry_date} is not sold any more: this task is taken back",
);
export const PicksMoreThanTask = problem(
  "picks_more_than_task",
  400,
  "Only {quantity_to_pick} to pick, {quantity} given",
);
/** For a task of a transfer order (docs/interface.md, Picking). */
export const TransferOverPick = problem("transfer_over_pick", 409, "Only {quantity_to_pick} to pick, {quantity} given");
export const TasksPending = problem("tasks_pending", 400, "{count} pick task(s) are still pending");
export const SilentShortfall = problem(
  "silent_shortfall",
  400,
  "Picked less than ordered without a short pick being reported: {skus}",
);
export const OrdersRepeated = problem(
  "orders_repeated",
  400,
  "Duplicate order in the wave: the same one is named twice",
);
export const OrderUnknown = problem("order_unknown", 400, "Sales order {order} not found");
export const OrderElsewhere = problem("order_elsewhere", 400, "Sales order {so_number} belongs to another warehouse");
export const OrderNotOpen = problem("order_not_open", 400, "Sales order {so_number} is {status}");
export const OrderWithoutItems = problem("order_without_items", 400, "Sales order {so_number} has no items to pick");
export const AllExcluded = problem("all_excluded", 400, "Every order is excluded");
/** A wave refuses with 409, a per-order batch with 400 (docs/interface.md, Picking). */
export const OrderInWave = problem("order_in_wave", 409, "Sales order {so_number} is already in active pick batch");
export const OrderInBatch = problem("order_in_batch", 400, "Sales order {so_number} is already in active pick batch");
export const InsufficientCoverage = problem("insufficient_coverage", 409, "insufficient_coverage");

/** Reasons for which wave-validate refuses a scan; the bodies have `valid: false`. */
export const ScanUnknown = problem("scan_unknown", 404, "No sales order with this barcode");
export const ScanInWave = problem("scan_in_wave", 409, "Sales order {so_number} is already in active pick batch");
export const ScanNotOpen = problem("scan_not_open", 400, "Sales order {so_number} is {status}");
export const ScanWithoutItems = problem("scan_without_items", 400, "Sales order {so_number} has no items to pick");
/** The same for a transfer order: it cannot be picked now, its walk was not begun, or another user began it. */
export const ScanTransferStatus = problem("scan_transfer_status", 409, "Transfer order {to_number} is {to_status}");
export const ScanTransferNotStarted = problem(
  "scan_transfer_not_started",
  409,
  "Picking of transfer order {to_number} was not started",
);
export const ScanTransferOfAnother = problem(
  "scan_transfer_of_another",
  409,
  "Transfer order {to_number} is being picked by {assigned_to}",
);
/** For releases by people; those by the clock say that they skipped it. */
export const ReleaseWarehouseInactive = problem(
  "release_warehouse_inactive",
  400,
  "Warehouse {warehouse_code} is not active: no waves are released in it",
);
