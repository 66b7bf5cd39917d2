import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { type LiveService, type LiveSpeech, type OpenCall, switchingProtocols } from '@speech-api/server';
import { headerNames, prosodyDefaults, type SynthesisRequest } from '@speech-api/types';
import type { Sound } from '../audio/sound.ts';
import { endOfWholeWords, timeWords, withoutTags } from '../speech/script.ts';
import { soundOf } from '../speech/synthesis.ts';
import { answerDocumented, type OperationHandler } from './documented.ts';

/** `/v1/tts/live`: speaks text while it is written. */
export const openLiveSession: OperationHandler = (context) => {
  const { call, preferences, record } = context;
  const { code = String(switchingProtocols) } = preferences;
  if (code !== String(switchingProtocols)) return answerDocumented(context);
  const live: LiveService = {
    model: call.headers[headerNames.model],
    open: (request, signal) => new ToneOfText(request, signal, record),
  };
  return { status: switchingProtocols, headers: {}, live };
};

/** Seconds of audio per message. */
const messageSeconds = 0.4;

/** A voice needs longer than this to begin and end, so everything a client sends at once is checked first. */
const quietMilliseconds = 10;
/** After this many messages, a client that never pauses gets audio. */
const mostQuietTimes = 10;

/** The speech of one live session: a tone for all complete text, made while it is read. */
class ToneOfText implements LiveSpeech {
  readonly #request: SynthesisRequest;
  readonly #record: OpenCall;
  readonly #sound: Sound;
  #text = '';
  #wake: () => void = () => {};
  #ended = false;
  #waiting = '';
  #milliseconds = 0;
  #messages = 0;
  readonly pieces = this.#recordedPieces();

  /** @param signal ends the pieces when the client has gone */
  constructor(request: SynthesisRequest, signal: AbortSignal, record: OpenCall) {
    this.#request = request;
    this.#record = record;
    this.#sound = soundOf(request);
    this.write(request.text);
    signal.addEventListener('abort', () => {
      this.#waiting = '';
      this.#milliseconds = 0;
      this.end();
    });
  }

  write(text: string): void {
    this.#text += text;
    this.#record.said({ ...this.#request, text: this.#text });
    // Waiting text contains no complete word, so it is not examined again.
    const end = endOfWholeWords(text);
    const spoken = end > 0 ? this.#waiting + text.slice(0, end) : '';
    this.#waiting = end > 0 ? text.slice(end) : this.#waiting + text;
    this.#speak(spoken);
  }

  flush(): void {
    const text = this.#waiting;
    this.#waiting = '';
    this.#speak(text);
  }

  end(): void {
    this.#ended = true;
    this.flush();
  }

  #speak(text: string): void {
    this.#messages += 1;
    const speed = this.#request.prosody?.speed ?? prosodyDefaults.speed;
    for (const { milliseconds } of timeWords(withoutTags(text), speed)) this.#milliseconds += milliseconds;
    this.#wake();
  }

  async *#recordedPieces(): AsyncGenerator<Uint8Array> {
    this.#record.speaks(this.#request);
    for await (const piece of this.#pieces()) {
      this.#record.heard(piece);
      yield piece;
    }
  }

  /** Ends with the final bytes of the audio; without a word there is no audio. */
  async *#pieces(): AsyncGenerator<Uint8Array> {
    await this.#quiet();
    let written = 0;
    for (;;) {
      const until = this.#milliseconds / 1000;
      if (written < until) {
        written = Math.min(written + messageSeconds, until);
        yield this.#sound.until(written);
      } else if (!this.#ended) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else {
        if (until > 0) yield this.#sound.finish(until);
        return await this.#quiet();
      }
    }
  }

  /** Waits until no message has arrived for a moment. Extra turns let messages in if the timer was late. */
  async #quiet(): Promise<void> {
    for (let times = 0; times < mostQuietTimes; times += 1) {
      const before = this.#messages;
      await wait(quietMilliseconds);
      await turn();
      await turn();
      if (this.#messages === before) return;
    }
  }
}
