import type { Routes } from "../generated/routes.js";
import { type Args, type Client, type ClientOptions, createClient, type Of, type Paths } from "./client.js";

export type * from "../generated/routes.js";
export { type CallOptions, type ClientOptions, newKey, urlOf } from "./client.js";
export { Refusal, Unreachable } from "./refusal.js";

/** A client with the types of every route. */
export type WarehouseClient = Client<Routes>;
export const createWarehouseClient = (options?: ClientOptions): WarehouseClient => createClient<Routes>(options);

/** The paths of what can be read, what is asked of one, and what it answers. */
export type ReadPath = Paths<Routes, "get">;
export type ReadInput<P extends ReadPath> = Args<Of<Routes, P, "get">>;
export type Answer<P extends ReadPath> = Of<Routes, P, "get">["answer"];
