/** No more than this is handed to the connection at a time, so that an abort is not felt megabytes later. */
const pieceBytes = 256 * 1024;

/**
 * A body of parts that are sent as they are: one after the other where the runtime streams uploads, as a `Blob`
 * elsewhere.
 */
export class PartsBody {
  readonly parts: readonly (Uint8Array<ArrayBuffer> | Blob)[];
  readonly byteLength: number;

  constructor(parts: readonly (Uint8Array<ArrayBuffer> | Blob)[], byteLength: number) {
    this.parts = parts;
    this.byteLength = byteLength;
  }

  blob(): Blob {
    return new Blob([...this.parts]);
  }

  /** A stream over the same memory; each call makes a new one, so that a body can be sent again. */
  stream(): ReadableStream<Uint8Array> {
    const pieces = readParts(this.parts);
    let left = this.byteLength;
    return new ReadableStream(
      {
        async pull(controller) {
          const { value } = await pieces.next();
          if (value) controller.enqueue(value);
          left -= value?.length ?? left;
          // With the last piece and not after it: a service that has its bytes answers at once, and a fetch that is
          // still asking for more takes that for a refusal.
          if (left <= 0) controller.close();
        },
        async cancel() {
          await pieces.return();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

async function* readParts(parts: PartsBody['parts']): AsyncGenerator<Uint8Array, void, undefined> {
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      for (let begin = 0; begin < part.length; begin += pieceBytes) {
        yield part.subarray(begin, begin + pieceBytes);
      }
    } else yield* part.stream();
  }
}
