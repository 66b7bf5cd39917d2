import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Faults } from './faults.ts';

/** Time between two drips. */
const dripMilliseconds = 50;

const faulty = new WeakMap<ServerResponse, Faults>();

/** Gives the body of an answer these faults. */
export function giveFaults(response: ServerResponse, faults: Faults): void {
  faulty.set(response, faults);
}

/** The faults of an answer; absent for one that goes well. */
export function faultsOf(response: ServerResponse): Faults | undefined {
  return faulty.get(response);
}

/** Thrown where an answer breaks off because it was asked to: nothing is wrong with the server. */
export class CutOnPurpose extends Error {
  override readonly name = 'CutOnPurpose';

  constructor() {
    super('The answer was asked to break off here.');
  }
}

/**
 * The pieces of a body as its faults let them leave.
 *
 * @param isEvents whether each piece is one event of a stream
 * @throws {@link CutOnPurpose} where the body is cut
 */
export async function* misbehave(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  faults: Faults,
  { isEvents, signal }: { readonly isEvents: boolean; readonly signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const {
    cutAfterBytes: cut = Number.POSITIVE_INFINITY,
    dripBytesPerSecond: rate,
    paceMilliseconds,
  } = faults;
  let number = 0;
  let sent = 0;
  for await (const piece of pieces) {
    number += 1;
    if (number > 1 && paceMilliseconds !== undefined) await sleep(paceMilliseconds, undefined, { signal });
    const bytes = malformed(piece, number, faults, isEvents);
    const kept = bytes.subarray(0, cut - sent);
    const step = rate === undefined ? kept.length : Math.max(1, Math.floor((rate * dripMilliseconds) / 1000));
    for (let start = 0; start < kept.length; start += step) {
      const drop = kept.subarray(start, start + step);
      yield drop;
      if (rate !== undefined) await sleep((drop.length / rate) * 1000, undefined, { signal });
    }
    sent += kept.length;
    if (sent >= cut) throw new CutOnPurpose();
  }
  // A body without a byte is cut, too.
  if (cut === 0) throw new CutOnPurpose();
}

function malformed(piece: Uint8Array, number: number, faults: Faults, isEvents: boolean): Uint8Array {
  const half = piece.subarray(0, Math.ceil(piece.length / 2));
  if (faults.malformed && number === 1) {
    return Buffer.concat([half, Buffer.alloc(piece.length - half.length, '?')]);
  }
  return isEvents && faults.malformedEvent === number ? Buffer.concat([half, Buffer.from('\n\n')]) : piece;
}
