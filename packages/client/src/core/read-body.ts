import { protocolError } from '../errors/protocol-error.ts';
import type { Call } from './call.ts';
import { shorten } from './shorten.ts';

/** The largest JSON answer that is read, in bytes: far above any list of models, far below what fills a memory. */
const maximumJsonBytes = 32 * 1024 * 1024;

/** The pieces of a body as they come, each within its deadline. Leaving the loop early cancels the body. */
export async function* readPieces(
  response: Response,
  call: Call,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  let phase: 'firstByte' | 'idle' = 'firstByte';
  try {
    for (;;) {
      const { done, value } = await call.wait(() => reader.read(), phase);
      if (done) return;
      if (value.length > 0) yield value;
      phase = 'idle';
    }
  } finally {
    // Rejects where the body has failed already, which is as well.
    reader.cancel().catch(() => undefined);
  }
}

/** A JSON body that must be an object: nothing else stands in the specification. */
export async function readJson<Value extends object>(response: Response, call: Call): Promise<Value> {
  const text = new TextDecoder().decode(await readWhole(response, call));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const found = shorten(text) || 'an empty body';
    throw protocolError({ response, call }, `expected JSON, but got: ${found}`, cause);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw protocolError({ response, call }, `expected a JSON object, but got: ${shorten(text)}`);
  }
  return value as Value;
}

/** Reads a body to its end for the sake of the connection; what it holds does not matter. */
export async function drain(response: Response, call: Call): Promise<void> {
  await readWhole(response, call);
}

async function readWhole(response: Response, call: Call): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of readPieces(response, call)) {
      pieces.push(piece);
      length += piece.length;
      if (length > maximumJsonBytes) {
        throw protocolError({ response, call }, `the answer is larger than ${maximumJsonBytes} bytes`);
      }
    }
  } finally {
    call.finish();
  }
  return joinBytes(pieces, length);
}

/** One array of all the pieces, in order. */
export function joinBytes(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
