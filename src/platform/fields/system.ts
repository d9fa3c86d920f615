import { z } from "zod";
import {
  AnyText,
  DayText,
  Id,
  Name,
  QueryBool,
  QueryInt,
  QueryLimit,
  QueryOffset,
  SearchText,
  Text,
  Time,
} from "../fields.js";

/** Fields of users, lists and times. */

export const User = AnyText("ann").describe("Name of the user who did it or is meant.");
export const UserId = Id.describe("Id of the user in this service.");
export const FullName = Name(256, "Ann Packer").describe("The user's full name.");
export const CreatedAt = Time.describe("When the record was made.");
export const CreatedBy = AnyText("ann").describe("Who made the record.");
export const UpdatedAt = Time.describe("When the record was last changed.");
export const CompletedAt = Time.describe("When it was done.");
export const CompletedAtInEvent = z.iso.datetime().describe("When it was done.");
export const CancelledAt = z.iso.datetime().describe("When it was cancelled.");
export const EditedAt = z.iso.datetime().describe("When it was edited.");
export const Done = AnyText("Done").describe("What was done, in words.");
export const Detail = AnyText("12 units short").describe("More about it.");
export const Limit = z.int().describe("How many records at most.");
export const LimitParam = QueryLimit(2000).describe("How many records at most.");
export const OffsetParam = QueryOffset.describe("How many records are skipped.");
export const SearchParam = SearchText("mug").describe("Words to look for.");
export const Start = Text(32, "2026-05-01").describe("The first day.");
export const End = Text(32, "2026-05-06").describe("The last day.");
export const DateFrom = DayText.describe("The first day.");
export const DateTo = DayText.describe("The last day.");
export const AuditLogId = Id.describe("Id of the entry of the audit log.");
export const Label = AnyText("Web shop").describe("Name for people.");
export const AnyId = Id.describe("Id of the record.");
export const Key = AnyText("require_packing").describe("Name of the setting.");
export const Value = AnyText("true").describe("The value, as text.");
export const ActiveParam = QueryBool.describe("Whether it is in use.");
export const Deleted = z.literal(true).describe("Whether it was deleted.");
export const Unchanged = z.literal(true).describe("Whether nothing had to be changed.");
export const ToId = Id.describe("Id of the transfer order.");
export const ToIdParam = QueryInt.describe("Id of the transfer order.");
export const ToNumber = AnyText("TO-3001").describe("Number of the transfer order.");

export const ApprovalId = Id.describe("Id of what an agent asked for.");
export const ApprovalIdParam = QueryInt.describe("Id of what an agent asked for.");
