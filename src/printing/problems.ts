import { problem } from "../platform/problem.js";

export const PrinterNotFound = problem("printer_not_found", 404, "Printer not found");
export const PrinterExists = problem("printer_exists", 409, "The warehouse has a printer {printer_name} already");
export const BadPrinterAddress = problem("bad_printer_address", 400, "The address is to be {expected}");
export const PrinterAddressRefused = problem(
  "printer_address_refused",
  400,
  "{why}; SERVICE_PRINTER_NETWORKS says where printers may be",
);
export const PrinterApiKey = problem(
  "printer_api_key",
  400,
  "Printers of kind printnode need an API key, with another service a new one; others have none",
);
export const DocumentNotOnSize = problem("document_not_on_size", 400, "{document} cannot be printed on size {size}");
export const PrinterInactive = problem("printer_inactive", 409, "Printer {printer_name} is not in use");
export const NoPrinter = problem("no_printer", 404, "No printer is set up for {document} here");
export const PrinterNotNamed = problem("printer_not_named", 400, "Either a printer or a warehouse is needed");
export const OneRecordOnly = problem("one_record_only", 400, "{document} is printed of one record at a time");

export const PrintJobNotFound = problem("print_job_not_found", 404, "Print job not found");
export const PrintJobNotEnded = problem("print_job_not_ended", 409, "Print job {job_id} has not ended");
export const PrintJobEnded = problem("print_job_ended", 409, "Print job {job_id} is {status}");
