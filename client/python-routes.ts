import { answersOf, type Document, jsonIn, type Operation, type Parameter, parametersOf } from "./document.js";
import { docstring, nameOf, PythonTypes, pascal, union } from "./python-types.js";

const snake = (operationId: string) => operationId.replace(/[A-Z]/g, (sign) => `_${sign.toLowerCase()}`);

/** One method: path parameters, then the body, then by name the query and the key. */
function methodOf(
  method: string,
  path: string,
  operation: Operation,
  known: Record<string, Parameter>,
  types: PythonTypes,
) {
  const prefix = pascal(operation.operationId);
  const parameters = parametersOf(operation, known);
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const typeOf = (parameter: Parameter) => types.typeOf(parameter.schema, prefix + pascal(parameter.name));
  const named = (all: Parameter[]) => all.map(({ name }) => `"${name}": ${nameOf(name)}`).join(", ");

  const { json, isEmpty } = jsonIn(operation.requestBody?.content);
  const body = json.length > 0 ? union(json.map((schema) => types.typeOf(schema, `${prefix}Body`))) : "Any";
  const isOptional = operation.requestBody?.required === false;
  const answers = answersOf(operation).map((content) => {
    const answer = jsonIn(content);
    if (answer.json.length > 0) return union(answer.json.map((schema) => types.typeOf(schema, `${prefix}Answer`)));
    return answer.isEmpty ? "None" : "bytes";
  });

  const byName = inQuery.map((parameter) =>
    parameter.required
      ? `${nameOf(parameter.name)}: ${typeOf(parameter)}`
      : `${nameOf(parameter.name)}: ${union([typeOf(parameter), "None"])} = None`,
  );
  if (method !== "get") byName.push("idempotency_key: Union[str, None] = None");
  const taken = [
    "self",
    ...inPath.map((parameter) => `${nameOf(parameter.name)}: ${typeOf(parameter)}`),
    ...(isEmpty ? [] : [isOptional ? `body: ${union([body, "None"])} = None` : `body: ${body}`]),
    ...(byName.length > 0 ? ["*", ...byName] : []),
  ];
  const given = [
    `"${method.toUpperCase()}"`,
    `"${path}"`,
    `{${named(inPath)}}`,
    `{${named(inQuery)}}`,
    ...(method === "get" ? [] : [isEmpty ? "None" : "body", "idempotency_key"]),
  ];
  return [
    `    def ${snake(operation.operationId)}(${taken.join(", ")}) -> ${union(answers)}:`,
    `        ${docstring(operation.summary ?? path)}`,
    `        return self._call(${given.join(", ")})`,
  ].join("\n");
}

/** The two modules that are made: a method for each route, and the types of what is sent and answered. */
export function pythonModules(document: Document) {
  const types = new PythonTypes(document);
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      methodOf(method, path, operation, document.components.parameters, types),
    ),
  );
  const routes = [
    '"""A method for each route. Made from the OpenAPI document by the build."""',
    "",
    "from __future__ import annotations",
    "",
    "from typing import TYPE_CHECKING, Any, Dict, List, Literal, Union",
    "",
    "from .transport import Transport",
    "",
    "if TYPE_CHECKING:",
    "    from .types import *",
    "",
    "",
    "class Routes(Transport):",
    methods.join("\n\n"),
    "",
  ].join("\n");
  return { routes, types: types.text() };
}
