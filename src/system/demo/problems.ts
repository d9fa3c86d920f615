import { problem } from "../../platform/problem.js";

export const DemoThere = problem("demo_there", 409, "There is a demo already");
export const NoDemo = problem("no_demo", 404, "There is no demo");
export const DemoInUse = problem(
  "demo_in_use",
  409,
  "The demo is not removed, because something outside of it depends on it: {what}",
);
