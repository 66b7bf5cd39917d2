import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { LiveSpeech } from '@speech-api/server';
import { headerNames, prosodyDefaults, type SynthesisRequest } from '@speech-api/types';
import type { Sound } from '../audio/sound.ts';
import { chunkText, timeWords, withoutTags } from '../speech/script.ts';
import { soundOf } from '../speech/synthesis.ts';
import { type OperationHandler, sendDocumented } from './documented.ts';

/** `/v1/tts/live`: speaks what is written, while it is written (section 4.6). */
export const openLiveSession: OperationHandler = (context) => {
  const { call, preferences, exchange, live, record } = context;
  if (preferences.code !== undefined && preferences.code !== '101') return sendDocumented(context);
  return live.accept(exchange, {
    model: call.headers[headerNames.model],
    open(request, signal) {
      const tone = new ToneOfText(request, signal);
      let { text } = request;
      record.said(request);
      return {
        pieces: tone.pieces,
        flush: () => tone.flush(),
        end: () => tone.end(),
        write(more) {
          text += more;
          record.said({ ...request, text });
          tone.write(more);
        },
      };
    },
  });
};

/** Seconds of audio per message. */
const messageSeconds = 0.4;

/** A voice takes longer than this to begin and to end, so what a client sends in one go is all judged before. */
const quietMilliseconds = 10;
/** A client that never pauses is spoken to after so many of them. */
const mostQuietTimes = 10;

/** The speech of one live session: a tone for as much text as makes a chunk. Made while it is read, in the order of the text. */
class ToneOfText implements LiveSpeech {
  readonly #request: SynthesisRequest;
  readonly #sound: Sound;
  readonly #work: Iterable<Uint8Array>[] = [];
  #news = Promise.withResolvers<void>();
  #ended = false;
  #waiting: string;
  #milliseconds = 0;
  #written = 0;
  #messages = 0;
  readonly pieces = this.#pieces();

  /** @param signal ends the pieces when the client has gone */
  constructor(request: SynthesisRequest, signal: AbortSignal) {
    this.#request = request;
    this.#sound = soundOf(request);
    this.#waiting = request.text;
    this.write('');
    signal.addEventListener('abort', () => {
      this.#work.length = 0;
      this.#ended = true;
      this.#news.resolve();
    });
  }

  write(text: string): void {
    this.#add(this.#wholeChunks(text));
  }

  flush(): void {
    this.#add(this.#rest());
  }

  end(): void {
    this.#ended = true;
    this.#add(this.#ending());
  }

  #add(work: Iterable<Uint8Array>): void {
    this.#messages += 1;
    this.#work.push(work);
    this.#news.resolve();
  }

  async *#pieces(): AsyncGenerator<Uint8Array> {
    await this.#quiet();
    for (;;) {
      const work = this.#work.shift();
      if (work !== undefined) {
        yield* work;
        continue;
      }
      if (this.#ended) return await this.#quiet();
      this.#news = Promise.withResolvers();
      await this.#news.promise;
    }
  }

  /** Waits until no message of the session has come for a moment. A timer may be late: then the turns let them in. */
  async #quiet(): Promise<void> {
    for (let times = 0; times < mostQuietTimes; times += 1) {
      const before = this.#messages;
      await wait(quietMilliseconds);
      await turn();
      await turn();
      if (this.#messages === before) return;
    }
  }

  /** The audio of every chunk that is whole with this text. */
  *#wholeChunks(text: string): Generator<Uint8Array> {
    this.#waiting += text;
    const { text: _, ...settings } = this.#request;
    const chunks = chunkText(this.#waiting, settings);
    const last = chunks.pop();
    if (last === undefined || chunks.length === 0) return;
    // With the blanks behind it: the next word must not grow onto it.
    this.#waiting = this.#waiting.slice(this.#waiting.lastIndexOf(last));
    for (const chunk of chunks) yield* this.#speak(chunk);
  }

  /** The audio of what is waiting. */
  *#rest(): Generator<Uint8Array> {
    const text = this.#waiting;
    this.#waiting = '';
    yield* this.#speak(text);
  }

  /** The rest, and what ends the audio. Without a word there is no audio. */
  *#ending(): Generator<Uint8Array> {
    yield* this.#rest();
    if (this.#milliseconds === 0) return;
    yield this.#sound.finish(this.#milliseconds / 1000);
  }

  *#speak(text: string): Generator<Uint8Array> {
    const speed = this.#request.prosody?.speed ?? prosodyDefaults.speed;
    for (const { milliseconds } of timeWords(withoutTags(text), speed)) this.#milliseconds += milliseconds;
    const until = this.#milliseconds / 1000;
    while (this.#written < until) {
      this.#written = Math.min(this.#written + messageSeconds, until);
      yield this.#sound.until(this.#written);
    }
  }
}
