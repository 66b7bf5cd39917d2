import { prosodyDefaults, type SynthesisRequest } from '@speech-api/types';
import type { Sound } from '../audio/sound.ts';
import { chunkText } from '../speech/chunks.ts';
import { soundOf } from '../speech/synthesis.ts';
import { timeWords, withoutTags } from '../speech/words.ts';

/** How much audio goes into one message, in seconds. */
const messageSeconds = 0.4;

/** The speech of one live session: takes text as it comes, and gives audio for as much as makes a chunk. */
export class LiveSpeech {
  readonly #request: SynthesisRequest;
  readonly #sound: Sound;
  #waiting: string;
  #milliseconds = 0;
  #written = 0;

  constructor(request: SynthesisRequest) {
    this.#request = request;
    this.#sound = soundOf(request);
    this.#waiting = request.text;
  }

  /** Takes text, and gives the audio of every chunk that is whole by then. */
  *write(text: string): Generator<Uint8Array> {
    this.#waiting += text;
    const { text: _, ...settings } = this.#request;
    const chunks = chunkText(this.#waiting, settings);
    const last = chunks.pop();
    if (last === undefined || chunks.length === 0) return;
    // With the blanks behind it: the next word must not grow onto it.
    this.#waiting = this.#waiting.slice(this.#waiting.lastIndexOf(last));
    for (const chunk of chunks) yield* this.#speak(chunk);
  }

  /** Gives the audio of what is waiting. */
  *flush(): Generator<Uint8Array> {
    const text = this.#waiting;
    this.#waiting = '';
    yield* this.#speak(text);
  }

  /** Gives the rest, and what ends the audio. Nothing was said, nothing is sent. */
  *end(): Generator<Uint8Array> {
    yield* this.flush();
    if (this.#milliseconds === 0) return;
    const rest = this.#sound.finish(this.#milliseconds / 1000);
    if (rest.length > 0) yield rest;
  }

  *#speak(text: string): Generator<Uint8Array> {
    const speed = this.#request.prosody?.speed ?? prosodyDefaults.speed;
    for (const { milliseconds } of timeWords(withoutTags(text), speed)) this.#milliseconds += milliseconds;
    const until = this.#milliseconds / 1000;
    while (this.#written < until) {
      this.#written = Math.min(this.#written + messageSeconds, until);
      const audio = this.#sound.until(this.#written);
      if (audio.length > 0) yield audio;
    }
  }
}
