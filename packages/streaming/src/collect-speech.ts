import type { SpeechEvent } from './events.ts';
import { Timeline } from './timeline.ts';

/** A whole stream, read to its end. */
export interface CollectedSpeech {
  /** The complete audio: every chunk in arrival order. */
  readonly audio: Uint8Array<ArrayBuffer>;
  readonly timeline: Timeline;
}

/**
 * Reads a stream of events to its end. Holds all of the audio in memory.
 *
 * @param timeline - Filled while reading, so that it can be watched. @defaultValue a new one
 * @throws SpeechStreamError when the stream fails.
 */
export async function collectSpeech(
  events: AsyncIterable<SpeechEvent>,
  timeline: Timeline = new Timeline(),
): Promise<CollectedSpeech> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const event of events) {
    timeline.apply(event);
    if (event.type === 'audio-chunk') chunks.push(event.audio);
  }
  return { audio: joinChunks(chunks), timeline };
}

function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let position = 0;
  for (const chunk of chunks) {
    joined.set(chunk, position);
    position += chunk.length;
  }
  return joined;
}
