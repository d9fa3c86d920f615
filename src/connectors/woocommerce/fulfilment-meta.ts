/**
 * The order's meta data by which a shipment that was voided is told from one that stands: WooCommerce keeps
 * `date_completed` when an order goes back to processing.
 */
export const VOIDED = "_warehouse_shipment_voided";
