import { writePages } from "./write.js";

/** `npm run pages`: makes the pages anew from the figures, whoever wrote those. */
writePages("docs");
