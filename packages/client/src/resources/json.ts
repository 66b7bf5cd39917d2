import { requiredFields } from '@speech-api/types/constants';
import { explain } from '../api-error.ts';
import { BodyReader } from '../core/body.ts';
import type { Call } from '../core/call.ts';

/** The largest JSON answer that is read, in bytes: far above any list of models, far below what fills a memory. */
const maximumJsonBytes = 32 * 1024 * 1024;

/** Required fields of a JSON answer: the type of each, or `any` if it only needs to exist. */
export type Expected = Readonly<Record<string, 'string' | 'number' | 'list' | 'any'>>;

const present = (names: readonly string[]): Expected =>
  Object.fromEntries(names.map((name) => [name, 'any']));

// Those that the interface marks as required, and those that the client or its types need.
export const voiceModelFields: Expected = { ...present(requiredFields.VoiceModel), _id: 'string' };
export const packageFields: Expected = { ...present(requiredFields.Package), balance: 'number' };

/** A JSON answer that must be an object with certain fields. On failure, the paid answer is the body of the error. */
export async function readJson<Value extends object>(
  call: Call,
  response: Response,
  expected: Expected,
): Promise<Value> {
  const text = await readText(call, response);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // A syntax error's message would quote the text.
    const type = response.headers.get('content-type') ?? 'no media type';
    const words = `expected JSON, but got ${text.length} other characters (${type}), the body of this error`;
    throw call.protocolError(words, { body: text });
  }
  requireFields(call, value, expected);
  return value as Value;
}

/** Refuses a value that is not an object or lacks one of the fields. `body` is the whole answer. */
export function requireFields(call: Call, value: unknown, expected: Expected, body: unknown = value): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const kind = Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
    throw call.protocolError(`expected a JSON object, but got ${kind}`, { body });
  }
  for (const [name, type] of Object.entries(expected)) {
    const field = (value as Record<string, unknown>)[name];
    if (type === (Array.isArray(field) ? 'list' : typeof field)) continue;
    if (type === 'any' && field !== undefined) continue;
    const reason = explain(value);
    const words = `the answer has no ${name}${type === 'any' ? '' : ` that is a ${type}`}`;
    throw call.protocolError(reason ? `${words}; it says: ${reason}` : words, { body });
  }
}

/** The body as text. It is read to its end, even if unused, so that the connection can be reused. */
export async function readText(call: Call, response: Response): Promise<string> {
  const bytes = await new BodyReader(call, response).bytes({ maximumBytes: maximumJsonBytes });
  return new TextDecoder().decode(bytes);
}
