import { keptOfAll } from "../shared/kept.js";
import { signOut } from "../shared/session.js";
import { tasks } from "./task.js";
import { UNANSWERED } from "./unsent.js";

/** Signs out. What the service keeps for the device is given back first, where nothing is left to be sent for it. */
export async function leaveDevice(user: string): Promise<void> {
  const isUnsent = keptOfAll(UNANSWERED).some((one) => one.user === user);
  if (!isUnsent) await Promise.all(tasks.map(({ leave }) => leave?.(user)));
  await signOut();
}
