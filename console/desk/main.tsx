import { Session } from "../shared/session.js";
import { Notices } from "./components/notices.js";
import { Failure, Waiting } from "./components/states.js";
import { draw } from "./draw.js";
import { Enrolment, Login, NewPassword, SecondFactor } from "./login.js";
import { Shell } from "./shell.js";
import { StepUp } from "./step-up.js";

draw("/console", () => (
  <Session {...{ Login, NewPassword, Enrolment, SecondFactor, Waiting, Failed: Failure }}>
    <Notices>
      <Shell />
      <StepUp />
    </Notices>
  </Session>
));
