/** The service answered, and refused. */
export class Refusal extends Error {
  override name = "Refusal";

  constructor(
    readonly status: number,
    /** What kind of refusal it is, such as `over_receipt`: for programs, while the message is for people. */
    readonly code: string,
    message: string,
    /** The whole answer, with the fields that some kinds have. */
    readonly body: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** No answer came, however often it was tried. Whether the request was carried out is not known. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text();
  const body = objectIn(text);
  const code = String(body.code ?? body.error_kind ?? `http_${response.status}`);
  const [detail] = Array.isArray(body.details) ? (body.details as { loc?: unknown[]; msg?: string }[]) : [];
  const message = detail?.msg
    ? [...(detail.loc ?? []), detail.msg].join(" ")
    : String(body.message ?? body.error ?? text);
  return new Refusal(response.status, code, message, body);
}

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
