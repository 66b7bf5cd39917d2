import type { BinaryInput } from '@speech-api/types';
import { RequestError } from './errors.ts';

/** Error message for a string in place of a file. */
export const notAFile =
  'is a text; read the file first and pass its bytes, a Blob or a File (in Node: await openAudioFile(path) of @speech-api/client/node)';

/**
 * A snapshot of what a call was given: it copies the own fields of objects, and no bytes of binaries. Refuses what no encoding
 * carries: cycles, NaN, functions, dates and other objects that are not plain data, and halves of characters.
 *
 * @throws `RequestError` naming the field.
 */
export function copyOf<Value>(given: Value): Value {
  return copyAt({ value: given }) as Value;
}

/** A value, and where it is in the request. */
interface Place {
  readonly value: unknown;
  readonly name?: number | string;
  readonly within?: Place;
}

function copyAt(place: Place): unknown {
  const { value } = place;
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (typeof value === 'string') {
    refuseIf(/\p{Surrogate}/u.test(value), place, 'holds half a character');
    return value;
  }
  if (typeof value !== 'object') {
    refuseIf(!Number.isFinite(value), place, `cannot be ${describe(value)}`);
    return value;
  }
  if (isBinary(value)) return ofThisRealm(value);
  for (let outer = place.within; outer; outer = outer.within) {
    refuseIf(outer.value === value, place, 'contains itself');
  }
  refuseIf(
    Symbol.asyncIterator in value || 'getReader' in value,
    place,
    'cannot be a stream; read it to its end first (in Node: await readAudio(stream) of @speech-api/client/node)',
  );
  const kind = kindOf(value);
  const instead = kind === 'Promise' ? '; await it first' : '';
  refuseIf(kind !== 'Object' && kind !== 'Array', place, `cannot be a ${kind}${instead}`);
  if (Array.isArray(value)) return value.map((child, name) => copyAt({ value: child, name, within: place }));
  const fields: [string, unknown][] = Object.entries(value);
  for (const field of fields) field[1] = copyAt({ value: field[1], name: field[0], within: place });
  return Object.fromEntries(fields);
}

/** True if a copy contains bytes at any depth. */
export function holdsBinary(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return isBinary(value) || Object.values(value).some(holdsBinary);
}

/** `Object`, `Array`, `Blob` and so on; `instanceof` fails for objects of another realm. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

export const isBlob = (value: unknown): value is Blob => ['Blob', 'File'].includes(kindOf(value));

/** True if a value is bytes, a Blob or a File, from this realm or another: tests have their own realm. */
export function isBinary(value: unknown): value is BinaryInput {
  return ArrayBuffer.isView(value) || kindOf(value) === 'ArrayBuffer' || isBlob(value);
}

/** The same memory, by a type of this realm. */
function ofThisRealm(value: BinaryInput): BinaryInput {
  const isOwn = value instanceof Uint8Array || value instanceof ArrayBuffer;
  if (isOwn || isBlob(value)) return value;
  const { buffer = value, byteOffset = 0, byteLength } = value as Uint8Array<ArrayBuffer>;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

/** Throws for the value at a place of the request. */
function refuseIf(wrong: boolean, place: Place, reason: string): void {
  if (!wrong) return;
  let field = '';
  for (let at: Place | undefined = place; at?.within; at = at.within) field = `${at.name}.${field}`;
  field = field.slice(0, -1) || 'body';
  throw new RequestError(`${field} ${reason}`, { field });
}

function describe(value: unknown): string {
  return typeof value === 'number' ? String(value) : `a ${typeof value}`;
}
