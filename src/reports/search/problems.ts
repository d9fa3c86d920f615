import { problem } from "../../platform/problem.js";

export const TooShort = problem("min_length", 400, "min_length");
