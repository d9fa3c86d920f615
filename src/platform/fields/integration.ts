import { z } from "zod";
import { AnyText, ConnectorId, Id, Name, SourceSystemName, Text, Time } from "../fields.js";

/** Fields of the data that other systems send and receive. */

export const Connector = ConnectorId.describe("The program on the other side, by its own name.");
export const DisplayName = AnyText("ERP orders").describe("Name for people.");
export const GivenDisplayName = Name(128, "Acme ERP").describe("Name for people.");
export const SourceSystem = SourceSystemName.describe("Name of the system.");
export const IdInSource = Text(128, "4711").describe("Id of the record in its source system.");
export const ExternalVersion = Text(64, "2026-05-06T12:00:00Z").describe(
  "Version of the record in its source system; greater is newer, as text.",
);
export const MappingOverride = z.boolean().describe("Whether the token may override the mapping.");
export const LinkId = Id.describe("Id of the link between an id of a source system and a record here.");
export const InboundId = Id.describe("Id of the record as it was received.");
export const TokenId = Id.describe("Id of the integration token.");
export const ExpiresAt = Time.describe("When it ends.");
export const RotatedAt = Time.describe("When the secret was last replaced.");
export const RevokedAt = Time.describe("When it was revoked.");
export const FailureKind = AnyText("connection").describe("The kind of failure.");
export const GivenErrorKind = Text(32, "5xx").describe("The kind of failure.");
export const ErrorDetail = Text(512, "HTTP status 503").describe("More about the failure.");
export const EventType = Text(64, "ship.confirmed").describe("The type of the event, such as `ship.confirmed`.");
export const EventVersion = z.literal(1).describe("Version of the event type's payload.");
export const EventTimestamp = Time.describe("When it happened.");
export const AggregateId = z.uuid().describe("UUID of the record that the event is about.");
export const SourceTxnId = z.uuid().describe("Id of the request that caused the event.");
export const Version = AnyText("1.0.0").describe("Version of the service.");
