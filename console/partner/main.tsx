import { Notices } from "../desk/components/notices.js";
import { draw } from "../desk/draw.js";
import { PartnerPage } from "./page.js";

/** What stands behind the # of a link; a place of the page may stand there, too. */
const tokenIn = (hash: string) => (hash.startsWith("#wpl_") ? hash.slice(1) : "");

/** Taken out of the address at once, which is kept and shown in many places. */
const token = tokenIn(location.hash);
if (token) history.replaceState(null, "", location.pathname);

// A link that is put into the address of the open page loads nothing by itself.
addEventListener("hashchange", () => {
  if (tokenIn(location.hash)) location.reload();
});

draw("/partner", () => (
  <Notices>
    <PartnerPage token={token} />
  </Notices>
));
