import { context, type Span, SpanKind, trace } from "@opentelemetry/api";
import { failSpan, isTracing, startSpan } from "../tracing/tracing.js";

/** Long enough for the statement that ends a command. */
const LONGEST_TEXT = 8_000;

/** The span of a pipeline, from when its statements are sent until they are answered. */
export interface PipelineSpan {
  begin(statements: readonly { text: string }[]): void;
  end(error?: unknown): void;
}

/**
 * The span of a pipeline that is made within another span; loops of the worker have none. The parent is noted here,
 * because the pipeline is sent later, when a connection is free, in another async context.
 */
export function pipelineSpan(): PipelineSpan | undefined {
  if (!isTracing()) return undefined;
  const under = context.active();
  if (!trace.getSpanContext(under)) return undefined;
  let span: Span | undefined;
  return {
    begin(statements) {
      const verbs = new Set(statements.map(({ text }) => /[a-z]+/i.exec(text)?.[0].toLowerCase()));
      const attributes = {
        "db.system.name": "postgresql",
        // Without values: they are parameters.
        "db.query.text": statements
          .map(({ text }) => text.trim())
          .join(";\n")
          .slice(0, LONGEST_TEXT),
        "db.operation.batch.size": statements.length,
      };
      span = startSpan(`SQL ${[...verbs].join(" ")}`, SpanKind.CLIENT, attributes, under);
    },
    end(error) {
      if (span && error) failSpan(span, error);
      span?.end();
      span = undefined;
    },
  };
}
