import { Buffer } from 'node:buffer';

const encoder = new TextEncoder();

export interface Segment {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** One event as a service writes it. */
export function eventBytes(segments: readonly Segment[], audioBytes: number): Uint8Array<ArrayBuffer> {
  const payload = {
    audio_base64: Buffer.alloc(audioBytes, segments.length).toString('base64'),
    content: 'The words of this chunk of text.',
    alignment: { audio_duration: segments.at(-1)?.end ?? 0, segments },
    chunk_seq: 0,
    chunk_audio_offset_sec: 0,
  };
  return encoder.encode(`data: ${JSON.stringify(payload)}\n\n`);
}

/** Words of a third of a second each. */
export function words(count: number): Segment[] {
  return Array.from({ length: count }, (_, index) => ({
    text: `word${index}`,
    start: Math.round(index * 31) / 100,
    end: Math.round(index * 31 + 25) / 100,
  }));
}

/** A chunk that grows by a word with each of its events, written again from its beginning each time. */
export async function* growingChunk(events: number): AsyncGenerator<Uint8Array<ArrayBuffer>, void, void> {
  const parts = words(events).map((word, index) =>
    encoder.encode(`${index === 0 ? '' : ','}${JSON.stringify(word)}`),
  );
  const tail = encoder.encode(']},"chunk_seq":0,"chunk_audio_offset_sec":0}\n\n');
  // One buffer for all events: what is measured is the reader, not the writer.
  const memory = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 1000));
  const audio = 'QUJD'.repeat(64);
  const head = (index: number) => {
    const duration = String(index).padStart(6, '1');
    const alignment = `"alignment":{"audio_duration":${duration},"segments":[`;
    return encoder.encode(`data: {"audio_base64":"${audio}","content":"words",${alignment}`);
  };
  let end = head(0).length;
  for (const [index, part] of parts.entries()) {
    memory.set(head(index));
    memory.set(part, end);
    end += part.length;
    memory.set(tail, end);
    yield memory.subarray(0, end + tail.length);
  }
}

/** The least that anybody must do: look at each byte once. */
export function countLines(piece: Uint8Array): number {
  let lines = 0;
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) lines += 1;
  return lines;
}
