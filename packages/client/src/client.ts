import { createCore, type SpeechHttp } from './core/http.ts';
import { Queue } from './core/queue.ts';
import type { SpeechClientOptions } from './options.ts';
import { createModelsResource, type ModelsResource } from './resources/models.ts';
import { createSpeechResource, type SpeechResource } from './resources/speech.ts';
import { createTranscriptionsResource, type TranscriptionsResource } from './resources/transcriptions.ts';
import { createWalletResource, type WalletResource } from './resources/wallet.ts';
import { type ClientSettings, mergeOptions, resolveSettings } from './settings.ts';

/** The whole interface over HTTP; `@speech-api/live` adds the WebSocket. */
export interface SpeechClient {
  /** Text to speech. */
  readonly speech: SpeechResource;
  /** Speech to text. */
  readonly transcriptions: TranscriptionsResource;
  /** Voice models. */
  readonly models: ModelsResource;
  /** Credit and package. */
  readonly wallet: WalletResource;
  /**
   * The openapi-fetch client beneath, typed by the specification, for anything else; its middleware sees every call
   * of this client. It answers as openapi-fetch does, with `{ data, error, response }`.
   */
  readonly http: SpeechHttp;
  /** Client settings with defaults applied. */
  readonly settings: ClientSettings;
  /**
   * Another client with some options changed; what you leave out stays. Both share the limit of calls that run at once,
   * unless you change `concurrency`, the address or the key. Middleware is not carried over.
   *
   * @example
   * ```ts
   * import { createSpeechClient } from '@speech-api/client';
   *
   * const client = createSpeechClient();
   * const patient = client.with({ timeouts: { headers: 120_000 }, headers: { 'x-team': 'radio' } });
   * console.log((await patient.models.list()).total);
   * ```
   */
  with(options: SpeechClientOptions): SpeechClient;
}

/**
 * Makes a client. Nothing is sent and nothing is loaded before the first call.
 *
 * @throws `ConfigurationError` without a key or a base URL, with ones that cannot work, and for a key in a browser
 * without `allowBrowserKey`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 *
 * // apiKey and baseUrl come from SPEECH_API_KEY and SPEECH_BASE_URL here.
 * const client = createSpeechClient({ model: 's2-pro', timeouts: { headers: 20_000 } });
 * const audio = await client.speech.create({ text: 'Hello there.', format: 'wav' });
 * console.log(audio.contentType, (await audio.bytes()).length);
 * ```
 */
export function createSpeechClient(options: SpeechClientOptions = {}): SpeechClient {
  const settings = resolveSettings(options);
  return clientOf(options, settings, new Queue(settings.concurrency));
}

/** Options that say whose calls are counted together. */
const queueOptions = ['concurrency', 'baseUrl', 'apiKey'] as const;

function clientOf(options: SpeechClientOptions, settings: ClientSettings, queue: Queue): SpeechClient {
  const core = createCore(settings, queue);
  return {
    speech: createSpeechResource(core),
    transcriptions: createTranscriptionsResource(core),
    models: createModelsResource(core),
    wallet: createWalletResource(core),
    get http() {
      return core.openApi.http;
    },
    settings,
    with(more) {
      // The headers of the settings are in lower case, so that those of `more` replace them.
      const merged = mergeOptions({ ...options, headers: settings.headers }, more);
      const isOwn = queueOptions.some((name) => more[name] !== undefined);
      return isOwn ? createSpeechClient(merged) : clientOf(merged, resolveSettings(merged), queue);
    },
  };
}
