import type { Row } from '../row.ts';
import { firstByte, get, largeAnswer, post } from './calls.ts';
import { generation } from './generate.ts';
import { heavyRequests } from './heavy-bodies.ts';
import { liveFirstAudio, liveFrames } from './live.ts';
import { mockStart, mockThroughput } from './mock.ts';
import { recordings } from './recordings.ts';
import { encoding, sending } from './references.ts';
import { relayMemory, relayRoundTrip, relayThroughput } from './relay.ts';
import { sandboxSpeech } from './sandbox.ts';
import { bundle, installed } from './size.ts';
import { coldImport, commandStart, typeCheck } from './start.ts';
import { growing, largeEvent, oneEvent, recordedStreams } from './timestamps.ts';

/** All rows, in the order of the table. */
export const rows: readonly Row[] = [
  bundle,
  installed,
  coldImport,
  commandStart,
  typeCheck,
  get,
  post,
  firstByte,
  oneEvent,
  recordedStreams,
  growing,
  largeEvent,
  encoding,
  sending,
  largeAnswer,
  sandboxSpeech,
  recordings,
  mockStart,
  mockThroughput,
  heavyRequests,
  liveFrames,
  liveFirstAudio,
  relayRoundTrip,
  relayThroughput,
  relayMemory,
  generation,
];
