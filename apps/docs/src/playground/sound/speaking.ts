import { createPlayer, type SpeechPlayer } from '@speech-api/audio/play';
import { createSpeechClient } from '@speech-api/client';
import { Timeline } from '@speech-api/streaming';
import { type RecordedRequest, recordingFetch } from './recorded-request.ts';
import { type PlaygroundSettings, startSeconds, toRequest } from './settings.ts';

/** Where an error came from: the answer of the service, or the playing of what had arrived. */
export interface Failure {
  readonly from: 'service' | 'player';
  readonly error: unknown;
}

/** Told while it runs. */
export interface SpeakingListener {
  /** The request, before it is sent. */
  record(request: RecordedRequest): void;
  /** The answer begins. */
  answered(): void;
  /** Something failed, just now; what had arrived still plays. */
  failed(failure: Failure): void;
}

/**
 * One press of Speak: asks, plays while the answer arrives, and keeps the audio for saving.
 * The sound is made by the browser's audio clock; {@link Speaking.position} tells what is heard right now.
 */
export class Speaking {
  readonly settings: PlaygroundSettings;
  /** The audio that has arrived, in order. */
  readonly pieces: Uint8Array<ArrayBuffer>[] = [];
  readonly #player: SpeechPlayer;
  readonly #abort = new AbortController();
  #timeline = new Timeline();

  /** Call it from a click or a key press: browsers let nothing else begin to sound. */
  constructor(settings: PlaygroundSettings) {
    this.settings = settings;
    this.#player = createPlayer({ format: settings.format, startSeconds });
  }

  get timeline(): Timeline {
    return this.#timeline;
  }

  /** Seconds that have been heard. */
  get position(): number {
    return this.#player.currentTime;
  }

  /** Seconds that have arrived and are decoded. */
  get receivedSeconds(): number {
    return this.#player.decodedSeconds;
  }

  get stopped(): boolean {
    return this.#abort.signal.aborted;
  }

  /** Resolves when all of it was heard or it was stopped. Never rejects: failures are told to the listener. */
  async run(listener: SpeakingListener): Promise<void> {
    try {
      await this.#receive(listener);
    } catch (error) {
      if (!this.stopped)
        listener.failed({ from: this.#player.state === 'failed' ? 'player' : 'service', error });
    }
    try {
      if (this.pieces.length === 0) await this.#player.stop();
      else await this.#player.end();
      await this.#player.finished;
    } catch (error) {
      if (!this.stopped) listener.failed({ from: 'player', error });
    }
  }

  /** Silences at once and gives the connection back. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await this.#player.stop();
  }

  async #receive(listener: SpeakingListener): Promise<void> {
    const client = createSpeechClient({
      baseUrl: this.settings.baseUrl,
      apiKey: this.settings.apiKey,
      allowBrowserKey: true,
      fetch: recordingFetch(
        (input, init) => fetch(input, init),
        (request) => listener.record(request),
      ),
    });
    const stream = await client.speech.streamWithTimestamps(toRequest(this.settings), {
      model: this.settings.model,
      signal: this.#abort.signal,
    });
    this.#timeline = stream.timeline;
    listener.answered();
    for await (const event of stream) {
      if (event.type !== 'audio-chunk') continue;
      this.pieces.push(event.audio);
      await this.#player.write(event.audio);
    }
  }
}
