// # A LiveKit agent that speaks and listens
// A plugin for `@livekit/agents`: text to speech over live sessions with word times, and speech to text.

import {
  APIConnectionError,
  type APIConnectOptions,
  APIError,
  APIStatusError,
  APITimeoutError,
  type AudioBuffer,
  AudioByteStream,
  createTimedString,
  mergeFrames,
  normalizeLanguage,
  stt,
  tts,
  type voice,
} from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import { writeWavHeader } from '@speech-api/audio';
import {
  ApiError,
  ConnectionError,
  createSpeechClient,
  type SpeechClient,
  TimeoutError,
} from '@speech-api/client';
import { connectLive, type LiveConnection, type LiveRequest, type LiveSpeech } from '@speech-api/live';

export interface SpeechTTSOptions {
  /** @defaultValue `createSpeechClient()`, which reads `SPEECH_API_KEY` */
  readonly client?: SpeechClient;
  /** Voice and settings. The format is pcm, because LiveKit's frames are samples. */
  readonly request?: Omit<LiveRequest, 'format' | 'sample_rate'>;
  /** @defaultValue 24000 */
  readonly sampleRate?: 8000 | 16000 | 24000 | 32000 | 44100;
  /** Asks for word times, which the service may not have. LiveKit then cuts an interrupted answer exactly. @defaultValue true */
  readonly timestamps?: boolean;
}

/** Text to speech over live sessions. Close it: the connection that is kept open keeps the process running. */
export class SpeechTTS extends tts.TTS {
  readonly label = 'speech-api.TTS';
  readonly #client: SpeechClient;
  readonly #options: SpeechTTSOptions;
  /** An idle connection. It reopens by itself if the service has closed its socket. */
  #kept: Promise<LiveConnection> | undefined;
  #isClosed = false;

  constructor(options: SpeechTTSOptions = {}) {
    const { client = createSpeechClient(), sampleRate = 24_000, timestamps = true } = options;
    super(sampleRate, 1, { streaming: true, alignedTranscript: timestamps });
    this.#client = client;
    this.#options = options;
  }

  override get provider(): string {
    return 'speech-api';
  }

  override get model(): string {
    return this.#client.settings.model ?? 'unknown';
  }

  /** Opens a connection, so that the first answer does not wait for it. LiveKit calls it for an agent that is next. */
  prewarm(): void {
    if (this.#kept) return;
    const opening = this.#connect();
    this.#kept = opening;
    // The next utterance tries again and reports the error.
    opening.catch(() => {
      if (this.#kept === opening) this.#kept = undefined;
    });
  }

  /** @internal The kept connection, or a new one while another utterance uses that. */
  takeConnection(): Promise<LiveConnection> {
    const connection = this.#kept ?? this.#connect();
    this.#kept = undefined;
    return connection;
  }

  /** @internal Keeps the connection of an utterance for the next one. */
  returnConnection(connection: LiveConnection): void {
    if (this.#isClosed || this.#kept) connection.close();
    else this.#kept = Promise.resolve(connection);
  }

  #connect(): Promise<LiveConnection> {
    const { request, timestamps = true } = this.#options;
    const pcm = { ...request, format: 'pcm', sample_rate: this.sampleRate } as LiveRequest;
    return connectLive(this.#client, pcm, { timestamps });
  }

  override synthesize(
    text: string,
    connectOptions?: APIConnectOptions,
    abortSignal?: AbortSignal,
  ): tts.ChunkedStream {
    return new WholeText(text, this, connectOptions, abortSignal);
  }

  override stream(options: { connOptions?: APIConnectOptions } = {}): tts.SynthesizeStream {
    return new GrowingText(this, options.connOptions);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    const timed = this.#kept;
    this.#kept = undefined;
    (await timed?.catch(() => undefined))?.close();
  }
}

class WholeText extends tts.ChunkedStream {
  readonly label = 'speech-api.ChunkedStream';
  readonly #tts: SpeechTTS;

  constructor(text: string, owner: SpeechTTS, connectOptions?: APIConnectOptions, abortSignal?: AbortSignal) {
    super(text, owner, connectOptions, abortSignal);
    this.#tts = owner;
  }

  protected override run(): Promise<void> {
    return speak(this.#tts, new SpokenText(this.inputText), this.abortSignal, (audio) =>
      this.queue.put(audio),
    );
  }
}

class GrowingText extends tts.SynthesizeStream {
  readonly label = 'speech-api.SynthesizeStream';
  readonly #tts: SpeechTTS;
  /** The text between two flushes, which is one utterance. It is kept for another attempt. */
  #text: SpokenText | undefined;

  constructor(owner: SpeechTTS, connectOptions?: APIConnectOptions) {
    super(owner, connectOptions);
    this.#tts = owner;
  }

  protected override async run(): Promise<void> {
    for (;;) {
      this.#text ??= await this.#nextText();
      if (this.#text === undefined) return;
      this.markStarted();
      await speak(this.#tts, this.#text, this.abortSignal, (audio) => this.queue.put(audio));
      if (!this.abortSignal.aborted) this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
      this.#text = undefined;
    }
  }

  /** Waits for the first piece of an utterance; undefined at the end of the input. */
  async #nextText(): Promise<SpokenText | undefined> {
    for await (const piece of this.input) {
      if (typeof piece === 'string' && piece !== '') return new SpokenText(piece, this.input);
    }
    return undefined;
  }
}

/** The text of one utterance and the times of its words. */
class SpokenText implements AsyncIterable<string> {
  readonly #input: AsyncIterator<string | symbol> | undefined;
  /** Each piece is read once and stored, so that another attempt starts at the beginning; undefined means the end. */
  readonly #pieces: Promise<string | undefined>[];
  #text: string;
  #timedTo = 0;
  #timedSeconds = 0;
  #timedSegments = 0;

  constructor(first: string, input?: AsyncIterable<string | symbol>) {
    this.#text = first;
    this.#pieces = [Promise.resolve(first)];
    this.#input = input?.[Symbol.asyncIterator]();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    this.#timedTo = 0;
    this.#timedSegments = 0;
    for (let index = 0; ; index += 1) {
      this.#pieces[index] ??= this.#read();
      const piece = await this.#pieces[index];
      if (piece === undefined) return;
      yield piece;
    }
  }

  async #read(): Promise<string | undefined> {
    const step = await this.#input?.next();
    // A flush ends the utterance.
    if (typeof step?.value !== 'string') return undefined;
    this.#text += step.value;
    return step.value;
  }

  /**
   * The words that end within so many seconds, each with what is before it in the text: put together they are the text,
   * whatever punctuation the service leaves out. The last call gives all that is left.
   */
  wordsUntil(seconds: number, { timeline }: LiveSpeech): voice.TimedString[] {
    const words: voice.TimedString[] = [];
    for (const { text, start, end } of timeline.segments.slice(this.#timedSegments)) {
      if (end > seconds) break;
      this.#timedSegments += 1;
      const at = this.#text.indexOf(text, this.#timedTo);
      // A word that the text spells differently is joined with the next one.
      if (at < 0) continue;
      words.push(this.#timed(at + text.length, start, end));
    }
    if (
      seconds === Number.POSITIVE_INFINITY &&
      this.#timedSegments > 0 &&
      this.#timedTo < this.#text.length
    ) {
      words.push(this.#timed(this.#text.length, this.#timedSeconds, this.#timedSeconds));
    }
    return words;
  }

  #timed(to: number, startTime: number, endTime: number): voice.TimedString {
    const text = this.#text.slice(this.#timedTo, to);
    this.#timedTo = to;
    this.#timedSeconds = endTime;
    return createTimedString({ text, startTime, endTime });
  }
}

let utterances = 0;

/** Speaks one utterance. An interruption is not an error: it ends the utterance and its connection. */
async function speak(
  owner: SpeechTTS,
  text: SpokenText,
  signal: AbortSignal,
  put: (audio: tts.SynthesizedAudio) => void,
): Promise<void> {
  let connection: LiveConnection;
  try {
    connection = await owner.takeConnection();
  } catch (error) {
    if (signal.aborted) return;
    throw apiError(error, isPassing(error));
  }
  const { sampleRate } = owner;
  const speech = connection.speak(text);
  const interrupt = (): void => void speech.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  utterances += 1;
  const requestId = `speech-${utterances}`;
  const frames = new AudioByteStream(sampleRate, 1);
  let seconds = 0;
  let last: AudioFrame | undefined;
  /** One frame is held back, because the last one must be marked. */
  const pass = (frame: AudioFrame | undefined): void => {
    if (last) {
      seconds += last.samplesPerChannel / sampleRate;
      const final = frame === undefined;
      const timedTranscripts = text.wordsUntil(final ? Number.POSITIVE_INFINITY : seconds, speech);
      put({ requestId, segmentId: requestId, frame: last, final, timedTranscripts });
    }
    last = frame;
  };
  try {
    for await (const audio of speech) for (const frame of frames.write(audio)) pass(frame);
    if (signal.aborted) return;
    for (const frame of frames.flush()) pass(frame);
    pass(undefined);
  } catch (error) {
    const { characters, bytes } = speech.metrics;
    // Sent text may be billed, so only a refusal is worth another attempt.
    const isRefused = ApiError.isInstance(error) && error.status === 429 && bytes === 0;
    throw apiError(error, isRefused || (characters === 0 && isPassing(error)));
  } finally {
    signal.removeEventListener('abort', interrupt);
    owner.returnConnection(connection);
  }
}

export interface SpeechSTTOptions {
  /** @defaultValue `createSpeechClient()`, which reads `SPEECH_API_KEY` */
  readonly client?: SpeechClient;
  /** The language of the speech, such as `en`; detected where it is left out. */
  readonly language?: string;
}

/** Speech to text. The service hears whole recordings, so LiveKit cuts the speech by its voice activity detection. */
export class SpeechSTT extends stt.STT {
  readonly label = 'speech-api.STT';
  readonly #client: SpeechClient;
  readonly #language: string | undefined;

  constructor({ client = createSpeechClient(), language }: SpeechSTTOptions = {}) {
    super({ streaming: false, interimResults: false });
    this.#client = client;
    this.#language = language;
  }

  override get provider(): string {
    return 'speech-api';
  }

  protected override async _recognize(buffer: AudioBuffer, signal?: AbortSignal): Promise<stt.SpeechEvent> {
    try {
      const reply = await this.#client.transcriptions.create(
        { audio: wavOf(mergeFrames(buffer)), ...(this.#language && { language: this.#language }) },
        { ...(signal && { signal }) },
      );
      const language = normalizeLanguage(reply.language_code ?? this.#language ?? '');
      return {
        type: stt.SpeechEventType.FINAL_TRANSCRIPT,
        alternatives: [{ text: reply.text, language, startTime: 0, endTime: reply.duration, confidence: 1 }],
      };
    } catch (error) {
      if (signal?.aborted) throw error;
      throw apiError(error, isPassing(error));
    }
  }

  override stream(): stt.SpeechStream {
    throw new Error('give the session a VAD: LiveKit then passes whole utterances to _recognize');
  }
}

/** The minimum duration that the service accepts. */
const shortestSeconds = 1;

function wavOf({ data, sampleRate, channels }: AudioFrame): Blob {
  const silence = Math.max(0, Math.ceil(shortestSeconds * sampleRate) * channels - data.length);
  const samples = new Int16Array(data.length + silence);
  samples.set(data);
  const header = writeWavHeader({ sampleRate, channels, dataBytes: samples.byteLength });
  return new Blob([header, samples], { type: 'audio/wav' });
}

/** True if the same call may succeed a moment later. */
function isPassing(error: unknown): boolean {
  if (ApiError.isInstance(error)) return error.status === 408 || error.status === 429 || error.status >= 500;
  return ConnectionError.isInstance(error) || TimeoutError.isInstance(error);
}

/** An error as LiveKit reads it; it tries again by itself where `retryable` is set. */
function apiError(cause: unknown, retryable: boolean): APIError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const options = { retryable };
  const error = ApiError.isInstance(cause)
    ? new APIStatusError({
        message,
        options: { ...options, statusCode: cause.status, requestId: cause.traceId ?? null },
      })
    : TimeoutError.isInstance(cause)
      ? new APITimeoutError({ message, options })
      : ConnectionError.isInstance(cause)
        ? new APIConnectionError({ message, options })
        : new APIError(message, options);
  error.cause = cause;
  return error;
}
