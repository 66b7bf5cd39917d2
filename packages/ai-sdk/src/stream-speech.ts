import {
  InvalidArgumentError,
  type Experimental_SpeechModelV4StreamOptions as StreamOptions,
  type Experimental_SpeechModelV4StreamPart as StreamPart,
  type Experimental_SpeechModelV4StreamResult as StreamResult,
  type Experimental_SpeechModelV4StreamTextPart as TextPart,
} from '@ai-sdk/provider';
import type { SpeechClient } from '@speech-api/client';
import { connectLive, type LiveConnection } from '@speech-api/live';
import { audioMediaTypes, defaultSampleRates, synthesisDefaults } from '@speech-api/types/constants';
import { definedHeaders, providerName, toProviderError } from './errors.ts';
import { toRequest } from './speech-settings.ts';

/** Speaks text that is still being written, over a live session. An abort ends the text and the audio. */
export async function streamSpeech(
  client: SpeechClient,
  model: string,
  options: StreamOptions,
): Promise<StreamResult> {
  const { abortSignal: signal, outputFormat } = options;
  const { request: converted, warnings } = toRequest(options, outputFormat?.type);
  const { timestamps, ...request } = { timestamps: undefined as unknown, ...converted };
  const format = request.format ?? synthesisDefaults.format;
  if (format === 'pcm' && outputFormat?.rate !== undefined) {
    Object.assign(request, { sample_rate: request.sample_rate ?? outputFormat.rate });
  }
  // `ai` sends its own name as the user agent.
  if (Object.keys(definedHeaders(options.headers)).some((name) => name.toLowerCase() !== 'user-agent')) {
    const details = 'A live session has the headers of the client.';
    warnings.push({ type: 'unsupported', feature: 'headers', details });
  }
  const translated = (error: unknown): unknown =>
    toProviderError(error, { abortSignal: signal, url: client.settings.webSocketUrl, modelId: model });
  const text = new SpokenText(options.text, request.reference_id);
  let connection: LiveConnection | undefined;
  const stop = (reason?: unknown): void => {
    signal?.removeEventListener('abort', onAbort);
    text.cancel(reason);
    connection?.close();
  };
  const onAbort = (): void => stop(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    connection = await connectLive(client, request, {
      model,
      signal,
      timestamps: timestamps === true || undefined,
    });
  } catch (error) {
    stop(error);
    throw translated(error);
  }
  const rate = format === 'pcm' ? { rate: request.sample_rate ?? defaultSampleRates.pcm } : {};
  const audioFormat = { type: audioMediaTypes[format], ...rate };
  const parts = speak(connection, text, format === 'wav', audioFormat, signal);
  const stream = new ReadableStream<StreamPart>(
    {
      start(controller) {
        controller.enqueue({ type: 'stream-start', warnings });
        controller.enqueue({ type: 'response-metadata', timestamp: new Date(), modelId: model });
      },
      async pull(controller) {
        try {
          const { done, value } = await parts.next();
          signal?.throwIfAborted();
          if (!done) return controller.enqueue(value);
          stop();
          controller.close();
        } catch (error) {
          stop(error);
          controller.error(translated(error));
        }
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  );
  return { stream };
}

async function* speak(
  connection: LiveConnection,
  text: SpokenText,
  isWav: boolean,
  audioFormat: { readonly type: string; readonly rate?: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPart, void, undefined> {
  const segments: { text: string; start: number; end: number; utterance: number }[] = [];
  for (let utterance = 0; await text.hasMore(); utterance += 1) {
    const voice = await text.nextVoice();
    if (utterance > 0 && isWav) {
      const message = `wav cannot be joined from utterances of several voices; name them all in providerOptions.${providerName}.reference_id, or use another format`;
      throw new InvalidArgumentError({ argument: 'voice', message });
    }
    const request = voice === undefined ? undefined : { reference_id: voice };
    const speech = connection.speak(text.ofOneVoice(), { signal, request });
    for await (const audio of speech) yield { type: 'audio', audio, audioFormat };
    for (const { text: word, start, end } of speech.timeline.segments) {
      segments.push({ text: word, start, end, utterance });
    }
  }
  yield {
    type: 'finish',
    usage: { inputCharacters: text.characters },
    providerMetadata: { [providerName]: { segments } },
  };
}

/**
 * The parts of a text. Where the voices are known from the start, all of it is one utterance, a dialogue in which each
 * part names its speaker; otherwise each change of the voice begins another utterance.
 */
class SpokenText {
  readonly #reader: ReadableStreamDefaultReader<TextPart>;
  readonly #voices: readonly string[] | undefined;
  readonly #defaultVoice: string | undefined;
  #next: Promise<TextPart | undefined> | undefined;
  /** Code points read so far, without speaker tags. */
  characters = 0;

  constructor(text: ReadableStream<TextPart>, voice: string | readonly string[] | undefined) {
    this.#reader = text.getReader();
    this.#voices = typeof voice === 'string' ? undefined : voice;
    this.#defaultVoice = typeof voice === 'string' ? voice : undefined;
  }

  #peek(): Promise<TextPart | undefined> {
    this.#next ??= this.#reader.read().then(({ value }) => value);
    return this.#next;
  }

  async hasMore(): Promise<boolean> {
    return (await this.#peek()) !== undefined;
  }

  /** The voice of the next utterance, where it is not that of the connection. */
  async nextVoice(): Promise<string | undefined> {
    return this.#voices ? undefined : (await this.#peek())?.voice;
  }

  /** The text up to the next change of voice. */
  async *ofOneVoice(): AsyncGenerator<string, void, undefined> {
    let speaker: number | undefined;
    const first = (await this.#peek())?.voice ?? this.#defaultVoice;
    for (let part = await this.#peek(); part; part = await this.#peek()) {
      if (!this.#voices && (part.voice ?? this.#defaultVoice) !== first) return;
      this.#next = undefined;
      this.characters += [...part.text].length;
      const next = part.voice === undefined ? speaker : this.#speakerOf(part.voice);
      yield next === speaker ? part.text : `<|speaker:${next}|>${part.text}`;
      speaker = next;
    }
  }

  #speakerOf(voice: string): number | undefined {
    const speaker = this.#voices?.indexOf(voice);
    if (speaker !== -1) return speaker;
    const message = `the voice "${voice}" is not in providerOptions.${providerName}.reference_id`;
    throw new InvalidArgumentError({ argument: 'voice', message });
  }

  cancel(reason: unknown): void {
    // Rejects if the text has failed already, which does not matter here.
    this.#reader.cancel(reason).catch(() => undefined);
  }
}
