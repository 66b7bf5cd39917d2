import { type ConnectLive, createConnectLive } from './connection.ts';
import { openWebSocket } from './web-socket.ts';

export type { ConnectLive, LiveConnection } from './connection.ts';
export type { LiveRequest } from './messages.ts';
export {
  type LiveOptions,
  type LiveSettings,
  type LiveSource,
  type SpeakOptions,
  type Ticket,
  throughRelay,
} from './options.ts';
export type { Interruption, LiveMetrics, LiveSpeech } from './utterance.ts';

/**
 * Opens a live session: text that is still being written becomes speech.
 *
 * @throws `ConfigurationError` for settings that cannot work, `ApiError` and its family for a refusal, `ConnectionError`
 * where nothing answers or the runtime hides why, `TimeoutError`, `AbortError`.
 *
 * @example
 * ```ts
 * import { createSpeechClient } from '@speech-api/client';
 * import { connectLive } from '@speech-api/live';
 *
 * const connection = await connectLive(createSpeechClient(), { format: 'mp3' });
 * let bytes = 0;
 * for await (const audio of connection.speak('The tide comes in at seven.')) bytes += audio.length;
 * connection.close();
 * console.log(bytes);
 * ```
 */
export const connectLive: ConnectLive = createConnectLive(openWebSocket);
