import { type ConnectionLike, isGrpcServiceError } from "@temporalio/client";
import { searchAttributes } from "./search-attributes.js";

export type TemporalServices = Pick<ConnectionLike, "operatorService" | "workflowService">;

const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNIMPLEMENTED = 12;

/** The search attributes of this service that the namespace lacks. */
export async function missingAttributes(services: TemporalServices, namespace: string) {
  const there = await registeredNames(services, namespace);
  return searchAttributes.filter(({ name }) => !there.includes(name));
}

/** Where only an admin may list search attributes, as in Temporal Cloud, the description of the namespace has them. */
async function registeredNames({ operatorService, workflowService }: TemporalServices, namespace: string) {
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
    return Object.keys(customAttributes);
  } catch (error) {
    if (!isGrpcServiceError(error) || ![GRPC_PERMISSION_DENIED, GRPC_UNIMPLEMENTED].includes(error.code)) throw error;
    const { config } = await workflowService.describeNamespace({ namespace });
    return Object.values(config?.customSearchAttributeAliases ?? {});
  }
}

let missing: string[] = [];

/** The missing ones that a worker has found, for its workflows: setting one would fail them. */
export const attributesMissingHere = (): string[] => missing;

/** The same as an activity, for workflows whose activities did not tell. */
export interface AttributeActivities {
  attributesMissingHere(): Promise<string[]>;
}

/** Stores which are missing; returns whether that changed. */
export function noteMissing(names: string[]): boolean {
  const news = names.join() !== missing.join();
  missing = names;
  return news;
}
