/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/asyncapi.json  sha256 6f6cf089dadb32c6
 */

/** The messages that a client of a live session sends, each with its fields. Servers refuse others. */
export const liveClientFields = {
  start: ['event', 'request'],
  text: ['event', 'text'],
  flush: ['event'],
  stop: ['event'],
} as const;

/** The close codes of the live WebSocket, by what they mean. A service may use others. */
export const liveCloseCodes = {
  finished: 1000,
  goingAway: 1001,
  none: 1005,
  notMessagePack: 1007,
  refused: 1008,
  tooLarge: 1009,
  fault: 1011,
} as const;

/** How long a server waits for another `start` after `finish`, in seconds. */
export const liveIdleSeconds = 30 as const;

/** The path of live sessions with word times, which is public and not part of the interface. */
export const liveTimestampsPath = '/v1/tts/live/with-timestamp' as const;
