import { AssertionError } from "node:assert";
import { ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import type { ActivityInboundCallsInterceptor, ActivityInterceptorsFactory } from "@temporalio/worker";
import { databaseBusy, sqlState } from "../src/platform/db/db.js";
import { refusedValue } from "../src/platform/db/refused-value.js";
import { DomainError } from "../src/platform/problem.js";
import { DATABASE_BUSY, FAULT, REFUSAL } from "../src/platform/temporal/failures.js";
import { attributesMissingHere } from "../src/platform/temporal/missing-attributes.js";

const FAULTS = [TypeError, ReferenceError, RangeError, SyntaxError, URIError, AssertionError];

/**
 * SQLSTATE classes 23, a constraint that no check foresaw, and 42, an invalid statement; class 22 is refused
 * (refusedValue).
 */
const isFault = (error: unknown) =>
  FAULTS.some((Fault) => error instanceof Fault) || ["23", "42"].includes(sqlState(error)?.slice(0, 2) ?? "");

/**
 * A refusal fails the activity without retries and is passed to the caller. Faults and lock waits get a type, by which
 * each workflow decides what is tried again; any other error is retried by Temporal.
 */
export const failures: ActivityInboundCallsInterceptor = {
  async execute(input, next) {
    try {
      return await next(input);
    } catch (thrown) {
      const error = refusedValue(thrown) ?? thrown;
      if (error instanceof DomainError) {
        const { message, kind, status, body } = error;
        throw ApplicationFailure.create({
          message,
          type: REFUSAL,
          details: [kind, status, body],
          nonRetryable: true,
          category: ApplicationFailureCategory.BENIGN,
        });
      }
      const type = isFault(error) ? FAULT : databaseBusy(error) ? DATABASE_BUSY : undefined;
      if (!type) throw error;
      const cause = error as Error;
      throw ApplicationFailure.create({ message: cause.message, type, cause });
    }
  },
};

/** The activities that a workflow begins with. */
const BEGINNINGS = [
  ...["createWave", "resumeWave", "createCounts", "resumeCount", "createReturn", "resumeReturn"],
  ...[
    "beginTransfer",
    "resumeTransfer",
    "claimSync",
    "claimScheduledSync",
    "heldSync",
    "releaseTemplate",
    "makeDueCounts",
  ],
  ...["lookForReplenishment", "resumeInspection", "readPartner", "readDestination", "describePush"],
  ...["describePrint", "describeLabel", "beginLabel", "describeCollection", "askApproval", "resumeApproval"],
  ...["beginSandbox", "resumeSandbox"],
];

/** Their answers include the search attributes that the namespace lacks (`ToldMissing`, workflows/attributes.ts). */
export const missingAttributes: ActivityInterceptorsFactory = ({ info }) => {
  if (!BEGINNINGS.includes(info.activityType)) return {};
  return {
    inbound: {
      async execute(input, next) {
        const answer = await next(input);
        return answer && { ...answer, missing_attributes: attributesMissingHere() };
      },
    },
  };
};
