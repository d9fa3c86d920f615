import ipaddr from "ipaddr.js";
import { z } from "zod";
import { env } from "./variable-kinds.js";

const CIDR_WORDS = "networks as address/bits, comma-separated, such as 192.168.10.0/24";

/** Environment variables of printing. */
export const printingVariables = {
  printerNetworks: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .transform((entries) => entries.filter((entry) => entry !== ""))
    .refine((entries) => entries.every(ipaddr.isValidCIDR), CIDR_WORDS)
    .meta(
      env(
        "SERVICE_PRINTER_NETWORKS",
        "Networks that printers may be in, comma-separated, such as 192.168.10.0/24: workers send to no others. Not " +
          "given: none, so that only services like PrintNode can be used (docs/printing.md).",
      ),
    ),
};
