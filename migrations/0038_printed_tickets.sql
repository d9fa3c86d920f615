-- Picking tickets are printed as the other documents are.

alter table printers drop constraint printers_documents_check;
alter table printers add constraint printers_documents_check check (documents <@ array[
  'bin_label', 'item_label', 'tote_label', 'packing_slip', 'picking_ticket', 'parcel_label', 'parcel_slip',
  'carrier_label']);

alter table print_jobs drop constraint print_jobs_document_check;
alter table print_jobs add constraint print_jobs_document_check check (document in (
  'bin_label', 'item_label', 'tote_label', 'packing_slip', 'picking_ticket', 'parcel_label', 'parcel_slip',
  'carrier_label', 'test_page'));
