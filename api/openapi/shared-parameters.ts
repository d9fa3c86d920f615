import { ref } from "./components.js";
import type { JsonSchema } from "./example.js";

interface Parameter {
  name: string;
  in: "path" | "query";
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** The components of parameters: equal parameters of the same name and place are one. */
export class SharedParameters {
  readonly used: Record<string, Parameter> = {};

  /** A reference to the parameter. Its name in the components is such as `query_page`, numbered where others differ. */
  use(parameter: Parameter): { $ref: string } {
    for (let number = 1; ; number++) {
      const name = `${parameter.in}_${parameter.name}${number === 1 ? "" : `_${number}`}`;
      this.used[name] ??= parameter;
      if (JSON.stringify(this.used[name]) === JSON.stringify(parameter)) return ref("parameters", name);
    }
  }
}
