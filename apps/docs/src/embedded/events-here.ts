import { writeWavHeader } from '@speech-api/audio';
import type { PageSettings } from '@speech-api/sandbox/browser';
import type { SpeechEvent } from '@speech-api/streaming';
import type { SpeechStreamEvent } from '@speech-api/types';
import { sampleRate, speakHere } from './speak-here.ts';

/** A text as the page speaks it, as wav, in the events that a service would send. */
export async function* eventsHere(
  text: string,
  folder: string,
  signal: AbortSignal,
  settings?: PageSettings,
): AsyncGenerator<SpeechEvent, void, undefined> {
  let chunk = -1;
  let isFirst = true;
  for await (const piece of speakHere(text, folder, signal, settings)) {
    const { chunk_seq, chunk_audio_offset_sec, content, alignment } = piece;
    const header = isFirst ? writeWavHeader({ sampleRate }) : new Uint8Array();
    isFirst = false;
    const audio = new Uint8Array(await new Blob([header, new Uint8Array(piece.audio)]).arrayBuffer());
    if (chunk_seq !== chunk) yield { type: 'chunk-start', chunk_seq, chunk_audio_offset_sec, content };
    chunk = chunk_seq;
    const wire: SpeechStreamEvent = {
      // Encoded only when a reader opens the event.
      get audio_base64() {
        return encodeBase64(audio);
      },
      content,
      alignment,
      chunk_seq,
      chunk_audio_offset_sec,
    };
    yield { type: 'audio-chunk', audio, wire };
    if (alignment !== null)
      yield { type: 'alignment-update', chunk_seq, chunk_audio_offset_sec, content, alignment };
  }
  yield { type: 'end' };
}

function encodeBase64(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
