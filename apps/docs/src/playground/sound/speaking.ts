import { openPlayer, type Player } from '@speech-api/audio/player';
import { ConnectionError, type SpeechRequest } from '@speech-api/client';
import { type SpeechEvent, Timeline } from '@speech-api/streaming';
import type { AudioFormat, SynthesisModel } from '@speech-api/types';
import { isAnswering, isLoopback } from '../connection/address.ts';
import { openClient } from '../connection/connection.ts';
import type { Connection } from '../connection/fields.ts';

/** Seconds of audio gathered before the first sound: enough for the times of the first word to be there too. */
const startSeconds = 0.4;

/** A speech request and its destination. */
export interface SpeakingCall {
  readonly connection: Connection;
  readonly request: SpeechRequest;
  readonly model: SynthesisModel;
  readonly format: AudioFormat;
  /** Address of the engine's files, for speaking in the page where no server answers. */
  readonly folder: string;
  /** No server is asked first: the page is not on this machine, and the reader has named no server. */
  readonly isHereFirst: boolean;
}

/** One call, what has arrived of it, and its sound. Make it in a click or a key press: browsers let nothing else sound. */
export class Speaking {
  readonly call: SpeakingCall;
  readonly abort = new AbortController();
  readonly began = performance.now();
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  timeline = new Timeline();
  player: Player;
  /** The page itself speaks, without a server. */
  isHere: boolean;
  isAnswered = false;
  /** No answer came, although something answers at the address. */
  isThere = false;
  /** Outcome of the first playback; replays end in the same state. */
  outcome: 'done' | 'stopped' | 'failed' | undefined;
  readonly #onSamples: (samples: Float32Array, sampleRate: number) => void;

  constructor(call: SpeakingCall, onSamples: (samples: Float32Array, sampleRate: number) => void) {
    this.call = call;
    this.isHere = call.isHereFirst;
    this.#onSamples = onSamples;
    this.player = this.#openPlayer();
  }

  get format(): AudioFormat {
    // The page's own voice has a wav header before its samples.
    return this.isHere ? 'wav' : this.call.format;
  }

  get position(): number {
    return this.player.playedMilliseconds / 1000;
  }

  /** Asks the server; where none is on this machine, the page speaks. */
  async ask(): Promise<AsyncIterable<SpeechEvent>> {
    const { connection, request, model } = this.call;
    const { signal } = this.abort;
    if (this.isHere) return this.#speakHere();
    try {
      const { speech } = openClient(connection);
      const stream = await speech.streamWithTimestamps(request, { model, signal });
      this.timeline = stream.timeline;
      return stream;
    } catch (error) {
      // A call to a real service is never replaced: its reader wants to know that it failed.
      if (!ConnectionError.isInstance(error) || signal.aborted) throw error;
      this.isThere = await isAnswering(connection.baseUrl);
      if (this.isThere || !isLoopback(connection.baseUrl)) throw error;
      await this.player.close();
      signal.throwIfAborted();
      this.isHere = true;
      this.player = this.#openPlayer();
      return this.#speakHere();
    }
  }

  async #speakHere(): Promise<AsyncIterable<SpeechEvent>> {
    const { request, model, folder } = this.call;
    const { text, reference_id: id, temperature, prosody } = request;
    const { eventsHere } = await import('../../embedded/events-here.ts');
    return eventsHere(text, folder, this.abort.signal, {
      model,
      voices: Array.isArray(id) ? id : undefined,
      temperature,
      speed: prosody?.speed,
      volume: prosody?.volume,
    });
  }

  #openPlayer(): Player {
    const onSamples = this.#onSamples;
    return openPlayer(this.format, { startSeconds, seekable: true, onSamples });
  }
}
