import { problem } from "../platform/problem.js";

export const Unauthorized = problem("unauthorized", 401, "Unauthorized");
export const TokenExpired = problem("token_expired", 401, "Token expired");
export const TokenInvalidated = problem("token_invalidated", 401, "Token invalidated by password change");
export const AccountGone = problem("account_gone", 401, "Account disabled or deleted");
export const SessionEnded = problem("session_ended", 401, "Session ended by logout");
export const InvalidCredentials = problem("invalid_credentials", 401, "Invalid username or password");
export const LockedNow = problem("login_locked_now", 429, "Too many failed attempts. Locked for 15 minutes");
export const Locked = problem("login_locked", 429, "Too many failed attempts. Try again in {minutes}m {seconds}s");
export const WeakPassword = problem("weak_password", 400, "Password {otherwise}");
export const WrongCurrentPassword = problem("wrong_current_password", 403, "Current password is incorrect");
export const BadgeSignInOff = problem("badge_sign_in_off", 403, "Badges are switched off in the settings");
export const InvalidBadge = problem("invalid_badge", 401, "Invalid badge or PIN");
export const NoBadge = problem("no_badge", 404, "The user has no badge");
export const WeakPin = problem("weak_pin", 400, "The PIN is too easy to guess: {why}");
/** The role of the badge's user needs a second factor, and a badge is none. */
export const BadgeNotEnough = problem(
  "badge_not_enough",
  403,
  "A badge does not open a role that needs a second factor",
);
/** The password was right; its body says by which challenge and in which ways one goes on. */
export const SecondFactorRequired = problem("second_factor_required", 401, "second_factor_required");
export const InvalidSecondFactor = problem("invalid_second_factor", 401, "Invalid or already used second factor");
export const ChallengeExpired = problem("challenge_expired", 401, "Too late, or used already: begin anew");
export const SecondFactorMissing = problem("second_factor_missing", 401, "Sign in with the second factor");
export const EnrolmentRequired = problem("second_factor_enrolment_required", 403, "second_factor_enrolment_required");
/** RFC 9470: the session is valid, and too long ago proved whose it is; its body says in which ways one does that. */
export const StepUpRequired = problem("step_up_required", 401, "Prove once more that it is you, then send it again");
export const WrongCode = problem("wrong_code", 400, "The code is not right; is the clock of the device?");
export const TotpExists = problem("totp_exists", 409, "There is an authenticator app already: remove it first");
export const NoTotp = problem("no_totp", 404, "There is no authenticator app");
export const NoSecondFactor = problem("no_second_factor", 404, "There is no second factor");
export const InvalidPasskey = problem("invalid_passkey", 400, "This is no new passkey for this site");
export const PasskeyTaken = problem("passkey_taken", 409, "This passkey is somebody's already");
export const PasskeyNotFound = problem("passkey_not_found", 404, "Passkey not found");
export const OwnFactors = problem("own_factors", 400, "Nobody resets their own second factors");
export const SessionNotFound = problem("session_not_found", 404, "Session not found");
export const KeysOff = problem("keys_off", 403, "Personal keys are switched off in the settings");
export const KeyLastsTooLong = problem("key_lasts_too_long", 400, "A key lasts {days} days at most");
export const TooManyKeys = problem("too_many_keys", 409, "A user has {most} keys at most: revoke one first");
export const KeyNotFound = problem("key_not_found", 404, "Key not found");
export const NotWithKey = problem("not_with_a_key", 403, "A person does this, and no key");
export const KeyReadsOnly = problem("key_reads_only", 403, "This key only reads");
// Sign-in at the company's identity provider (docs/sign-in.md).
export const SsoOff = problem("sso_off", 404, "No identity provider is set up");
export const SsoUnavailable = problem("sso_unavailable", 503, "The identity provider does not answer");
export const SsoRequired = problem("sso_required", 403, "Sign in at the identity provider");
export const SsoNotReady = problem("sso_not_ready", 400, "sso_required needs {what}");
export const LogoutTokenInvalid = problem("logout_token_invalid", 400, "The logout token is not valid");
export const PasswordOfProvider = problem("password_of_provider", 403, "The user signs in at the identity provider");
export const BreakGlassUnfit = problem(
  "break_glass_unfit",
  400,
  "A break-glass user is an active ADMIN with a password, and not linked to the identity provider",
);
export const LastBreakGlass = problem(
  "last_break_glass",
  400,
  "The last break-glass ADMIN must stay one while sso_required is on",
);
export const CsrfInvalid = problem("csrf_invalid", 403, "CSRF token missing or invalid");
export const OtherUser = problem("other_user", 403, "Somebody else is signed in by now");
export const PasswordChangeRequired = problem("password_change_required", 403, "password_change_required");
export const PermissionDenied = problem("permission_denied", 403, "permission_denied");
/** With the setting `enforce_allowed_functions`. */
export const FunctionNotAllowed = problem("function_not_allowed", 403, "function_not_allowed");
export const WarehouseMismatch = problem("warehouse_mismatch", 400, "warehouse_id mismatch across request");
export const WarehouseInvalid = problem("warehouse_invalid", 400, "Invalid warehouse_id");
export const TooManyRequests = problem("too_many_requests", 429, "Too many requests, try again in a moment");

export const UsernameTaken = problem("username_taken", 400, "Duplicate username: {username} already exists");
export const UnknownWarehouses = problem("unknown_warehouses", 400, "Unknown warehouse_ids: {ids}");
export const GrantsTooMuch = problem("grants_too_much", 403, "Nobody grants or changes more than they have: {what}");
export const UserNotFound = problem("user_not_found", 404, "User not found");
export const CannotDeactivateSelf = problem("cannot_deactivate_self", 400, "You cannot deactivate yourself");
export const CannotDemoteSelf = problem("cannot_demote_self", 400, "You cannot take the role ADMIN from yourself");
export const CannotDeleteSelf = problem("cannot_delete_self", 400, "You cannot delete yourself");
export const OwnRights = problem("own_rights", 403, "Nobody changes their own role, warehouses, functions or pages");
export const LastAdmin = problem("last_admin", 400, "The last active ADMIN must stay one");
