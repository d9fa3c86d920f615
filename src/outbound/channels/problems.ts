import { problem } from "../../platform/problem.js";

/** Problems of the channel routes (docs/interface.md, Channels). */
const refusal = (kind: string, status: number) => problem(kind, status, kind);

export const ChannelNotFound = refusal("channel_not_found", 404);
export const ChannelIdTaken = refusal("channel_id_taken", 409);
export const CannotModifyRevokedChannel = refusal("cannot_modify_revoked_channel", 400);
export const CannotRotateRevokedChannel = refusal("cannot_rotate_revoked_channel", 400);
