import { z } from "zod";
import { defineCarrier } from "../carrier.js";

/** Somebody buys the label elsewhere and types its tracking number: nothing is asked. */
export default defineCarrier({
  name: "manual",
  title: "By hand",
  config: z.strictObject({}),
  formats: [],
  services: [],
});
