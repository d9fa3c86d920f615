import { Anchor } from "@mantine/core";
import { trackingPage } from "../tracking.js";

/** A tracking number, which leads to the carrier's page where that is known. */
export function TrackingLink({ carrier, number }: { carrier: string | null; number: string | null }) {
  const page = trackingPage(carrier, number);
  return page ? (
    <Anchor href={page} target="_blank" rel="noreferrer" inherit>
      {number}
    </Anchor>
  ) : (
    number
  );
}
