import { type ConnectionLike, isGrpcServiceError } from "@temporalio/client";
import { searchAttributes } from "./search-attributes.js";

export type TemporalServices = Pick<ConnectionLike, "operatorService" | "workflowService">;

const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNIMPLEMENTED = 12;

/** Which of our search attributes the namespace lacks. */
export async function missingAttributes(services: TemporalServices, namespace: string) {
  const there = await registeredNames(services, namespace);
  return searchAttributes.filter(({ name }) => !there.includes(name));
}

/** Where only an admin may list search attributes, as in Temporal Cloud, the namespace itself says what it has. */
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

/** What a worker has found to be missing, for its workflows: to set it would fail them. */
export const attributesMissingHere = (): string[] => missing;

/** The same as an activity, for workflows that got no rows. */
export interface AttributeActivities {
  attributesMissingHere(): Promise<string[]>;
}

/** Notes what is missing; gives whether that is news. */
export function noteMissing(names: string[]): boolean {
  const news = names.join() !== missing.join();
  missing = names;
  return news;
}
