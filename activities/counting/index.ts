export { cancelCount } from "./cancel.js";
export { createCounts } from "./create.js";
export { resumeCount } from "./resume.js";
export { approveCount, rejectCount } from "./review.js";
export { submitCount } from "./submit.js";
