export { createReturn } from "./create.js";
export { expireReturn } from "./expire.js";
export { receiveReturn } from "./receive.js";
export { resumeReturn } from "./resume.js";
export { voidByOperator, voidReturn } from "./void.js";
