import type { SpeechStreamEvent } from '@speech-api/types';
import { decodeBase64 } from './base64.ts';
import { type CutPayload, cutPayload } from './cut-payload.ts';
import { SpeechStreamError } from './errors.ts';
import { LazyAlignment } from './lazy-alignment.ts';
import { SnapshotSequence } from './snapshot-sequence.ts';
import { parseWireEvent } from './wire-event.ts';

/** The payload of one event, opened as far as it must be. */
export interface OpenedPayload {
  /** Its audio and its alignment are not to be read here. */
  readonly fields: SpeechStreamEvent;
  readonly audio: Uint8Array<ArrayBuffer>;
  /** Undefined where the event has none. */
  readonly alignment: LazyAlignment | undefined;
}

/** Opens the payloads of one stream, in order. */
export interface PayloadOpener {
  /** @throws SpeechStreamError for this payload, or for one before of which more is known now. */
  open(data: string, eventIndex: number): OpenedPayload;
  /** @throws SpeechStreamError when there is something wrong in what nobody has read. */
  finish(): void;
}

/**
 * Opens payloads without parsing what is large in them: the audio goes to its decoder as it stands, and the segments
 * of an alignment stay text until they are read.
 */
export function createPayloadOpener(): PayloadOpener {
  const snapshots = new SnapshotSequence();
  const sharedWith = (data: string, position: number) => snapshots.sharedWith(data, position);
  // No stream can know it.
  const placeholder = Math.random();
  return {
    open(data, eventIndex) {
      try {
        const cut = cutPayload(data, placeholder, sharedWith);
        const audio = cut && tryAudio(cut);
        if (cut === undefined || audio === undefined) return openWhole(data, eventIndex);
        return { fields: cut.payload, audio, alignment: snapshots.next(cut, eventIndex) };
      } catch (error) {
        // Should a snapshot before be wrong too, then that is where the stream went wrong.
        snapshots.finish();
        throw error;
      }
    },
    finish: () => snapshots.finish(),
  };
}

function tryAudio(cut: CutPayload): Uint8Array<ArrayBuffer> | undefined {
  try {
    return decodeBase64(cut.audio);
  } catch {
    // It may be right all the same, with escapes in it.
    return undefined;
  }
}

function openWhole(data: string, eventIndex: number): OpenedPayload {
  const fields = parseWireEvent(data, eventIndex);
  const alignment = fields.alignment === null ? undefined : new LazyAlignment(fields.alignment, eventIndex);
  try {
    return { fields, audio: decodeBase64(fields.audio_base64), alignment };
  } catch (cause) {
    throw new SpeechStreamError(`Field /audio_base64 of event ${eventIndex} is not base64.`, {
      kind: 'invalid-base64',
      field: '/audio_base64',
      eventIndex,
      cause,
    });
  }
}
