import { Notices } from "../desk/components/notices.js";
import { draw } from "../desk/draw.js";
import { PartnerPage } from "./page.js";

/** What stands behind the # of the link; taken out of the address at once, which is kept and shown in many places. */
const token = location.hash.slice(1);
if (token) history.replaceState(null, "", location.pathname);

draw("/partner", () => (
  <Notices>
    <PartnerPage token={token} />
  </Notices>
));
