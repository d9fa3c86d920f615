/** Messages of the Internet Printing Protocol, as RFC 8010 encodes them: what Print-Job and its questions need. */

/** Tags that begin a group of attributes, or end them all. */
export const groups = { operation: 0x01, job: 0x02, end: 0x03, printer: 0x04 } as const;
/** Everything below is a tag of a group. */
const FIRST_VALUE_TAG = 0x10;

/** Tags of values. */
const tags = {
  ...{ integer: 0x21, boolean: 0x22, enum: 0x23 },
  ...{ textWithLanguage: 0x35, nameWithLanguage: 0x36, text: 0x41, name: 0x42, keyword: 0x44, uri: 0x45 },
  ...{ charset: 0x47, naturalLanguage: 0x48, mimeMediaType: 0x49 },
} as const;
type Syntax = keyof typeof tags;

/** An attribute that is sent, with its values. */
export interface Attribute {
  name: string;
  syntax: Syntax;
  values: (string | number)[];
}

export interface IppRequest {
  operation: number;
  requestId: number;
  /** Of the group of the operation, behind charset and language, which come first. */
  attributes: Attribute[];
  data?: Buffer;
}

/** Values of an attribute: text, numbers, and bytes of what is not needed here. */
export type Value = string | number | boolean | Buffer;

export interface IppAnswer {
  status: number;
  requestId: number;
  /** The groups in order, each with its attributes by name. */
  groups: { tag: number; attributes: Map<string, Value[]> }[];
}

/** Version 1.1, which every printer understands. */
const VERSION = [1, 1];

export function encodeIpp({ operation, requestId, attributes, data }: IppRequest): Buffer {
  const head = Buffer.alloc(8);
  head.set(VERSION);
  head.writeUInt16BE(operation, 2);
  head.writeUInt32BE(requestId, 4);
  const all: Attribute[] = [
    { name: "attributes-charset", syntax: "charset", values: ["utf-8"] },
    { name: "attributes-natural-language", syntax: "naturalLanguage", values: ["en"] },
    ...attributes,
  ];
  return Buffer.concat([
    head,
    Buffer.from([groups.operation]),
    ...all.map(encodeAttribute),
    Buffer.from([groups.end]),
    ...(data ? [data] : []),
  ]);
}

/** Further values follow with an empty name. */
const encodeAttribute = ({ name, syntax, values }: Attribute): Buffer =>
  Buffer.concat(
    values.flatMap((value, i) => [
      Buffer.from([tags[syntax]]),
      withLength(Buffer.from(i === 0 ? name : "")),
      withLength(bytesOf(value)),
    ]),
  );

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

function bytesOf(value: string | number): Buffer {
  if (typeof value === "string") return Buffer.from(value);
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** Reads an answer; throws a RangeError where it is cut off or no such message. */
export function decodeIpp(bytes: Buffer): IppAnswer {
  const answer: IppAnswer = { status: bytes.readUInt16BE(2), requestId: bytes.readUInt32BE(4), groups: [] };
  let at = 8;
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new RangeError("the IPP message is cut off");
    at += length;
    return bytes.subarray(at - length, at);
  };
  const measured = () => take(take(2).readUInt16BE());
  let values: Value[] = [];
  for (;;) {
    const tag = take(1).readUInt8();
    if (tag === groups.end) return answer;
    if (tag < FIRST_VALUE_TAG) {
      answer.groups.push({ tag, attributes: new Map() });
      continue;
    }
    const name = measured().toString();
    const value = readValue(tag, measured());
    const group = answer.groups.at(-1);
    if (!group) throw new RangeError("the IPP message has an attribute outside of a group");
    if (name !== "") {
      values = [];
      group.attributes.set(name, values);
    }
    values.push(value);
  }
}

function readValue(tag: number, bytes: Buffer): Value {
  if (tag === tags.integer || tag === tags.enum) return bytes.readInt32BE();
  if (tag === tags.boolean) return bytes.readUInt8() !== 0;
  // The language, with its length, stands before the text.
  if (tag === tags.textWithLanguage || tag === tags.nameWithLanguage)
    return bytes.subarray(2 + bytes.readUInt16BE() + 2).toString();
  return tag >= tags.text && tag <= tags.mimeMediaType ? bytes.toString() : bytes;
}
