import { checkNode } from '@speech-api/program/node-version';
import {
  CallLog,
  createLiveReceiver,
  createReceiver,
  type RecordedCall,
  type RecordMode,
  type RunningServer,
  startServer,
} from '@speech-api/server';
import { liveIdleSeconds } from '@speech-api/types';
import { registerFixture, type TranscriptionFixture } from './fixtures.ts';
import { createRecall } from './recall/recall.ts';
import { loadSeed, type Seed } from './seed.ts';
import { createService, type Logger, type Sandbox } from './server/visit.ts';
import type { SpeechService } from './speech/job.ts';
import { createSpeechService } from './speech/service.ts';
import { openState } from './state/state.ts';
import { createUploads } from './uploads/uploads.ts';

/** Options of {@link startSandbox}. */
export interface SandboxOptions {
  /** 0 for any free port. @defaultValue 0 */
  readonly port?: number;
  /** The address to bind to. @defaultValue `127.0.0.1` */
  readonly host?: string;
  /** Origins that may call beside the loopback ones; their host names are accepted in `Host` too. */
  readonly allowOrigin?: readonly string[];
  /** Accepts what the spec's tolerances list instead of refusing it. @defaultValue false */
  readonly lenient?: boolean;
  /** A folder to keep state in, made when it is not there. @defaultValue state is in memory */
  readonly data?: string;
  /** A JSON file with accounts, voice models and prices beside the built-in ones. */
  readonly seed?: string;
  /** Maximum number of concurrent requests per account, instead of the one in the seed data. */
  readonly concurrency?: number;
  /** Duration of the training of a `full` voice model. @defaultValue 5 */
  readonly trainingSeconds?: number;
  /**
   * Rules by which answers fail, such as `POST /v1/tts status=503 times=2`. If they are given, even if empty, the request
   * header `x-speech-fault` is obeyed too. @defaultValue no faults
   */
  readonly faults?: readonly string[];
  /**
   * The recorded part of each call: `settings` are numbers, booleans and words such as `format`; `bodies` is everything that
   * was sent except the key, and the audio of the answers, in memory only. @defaultValue `settings`
   */
  readonly record?: RecordMode;
  /** Seconds that a live socket stays open without a session. @defaultValue 30 */
  readonly liveIdleSeconds?: number;
  /** Unix time in milliseconds. @defaultValue the clock of the system */
  readonly now?: () => number;
  /** Receives the log, one line per request. @defaultValue no log is written */
  readonly logger?: Logger;
  /** Speech service, which is closed with the sandbox. @defaultValue the embedded engine */
  readonly speech?: SpeechService;
  /** Recordings whose words transcriptions return. @defaultValue none */
  readonly fixtures?: readonly TranscriptionFixture[];
}

/** A sandbox that is listening. `close` also stops the engines. */
export interface RunningSandbox {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Calls since the start or the last `clear`, oldest first; at most the last 10 000. */
  readonly calls: readonly RecordedCall[];
  /** The recorded part of each call. */
  readonly record: RecordMode;
  /** Forgets the calls; the rules of faults count anew. */
  clear(): void;
  /** Stops listening, cuts what is still under way and waits until all work has ended. Later calls wait for the same. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox in this process.
 *
 * @example
 * const sandbox = await startSandbox();
 * // ... call sandbox.url with the key `sandbox-key`
 * await sandbox.close();
 *
 * @throws Error with the code `EADDRINUSE` if the port is in use; Error if seed data or origins are invalid, if
 * the folder is unusable or in use by another sandbox, or if this Node is too old; UnreadableAudioError if a fixture cannot be decoded
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  checkNode(import.meta.url);
  const write = options.logger ?? (() => {});
  const log = new CallLog(undefined, options.record);
  const lenient = options.lenient ?? false;
  const seed = withConcurrency(loadSeed(options.seed), options.concurrency);
  const state = await openState({ seed, data: options.data, now: options.now });
  const recall = createRecall(state.recall, write);
  const speech = options.speech ?? createSpeechService();
  const uploads = createUploads();
  const sandbox: Sandbox = {
    state,
    lenient,
    trainingMilliseconds: (options.trainingSeconds ?? defaultTrainingSeconds) * 1000,
    log,
    speech,
    uploads,
    recall,
    underWay: new Map(),
  };
  const release = async (): Promise<void> => {
    await Promise.all([speech.close(), uploads.close(), recall.close()]);
  };
  const service = createService(sandbox, { write, release });
  const { port, host, allowOrigin, faults } = options;
  let server: RunningServer;
  try {
    await Promise.all(
      (options.fixtures ?? []).map((fixture) => registerFixture(fixture, { uploads, recall, lasting: true })),
    );
    const idleSeconds = options.liveIdleSeconds ?? liveIdleSeconds;
    const live = { receiver: createLiveReceiver({ lenient }), idleSeconds, timestamps: true };
    const receiver = createReceiver({ lenient });
    server = await startServer({ service, receiver, live, port, host, allowOrigin, faults });
  } catch (error) {
    await release();
    state.close();
    throw error;
  }
  let closed: Promise<void> | undefined;
  // Warm by the time of the first call; a failure shows in that call too.
  speech.ready().catch((error: unknown) => {
    // Ctrl-C ends the engines together with the sandbox.
    if (closed === undefined) write(`The speech engine does not start: ${String(error)}`);
  });
  return {
    ...server,
    record: log.record,
    get calls() {
      return log.calls;
    },
    clear: () => log.clear(),
    close() {
      // Calls that were cut have settled their bills by then.
      closed ??= server.close().then(() => state.close());
      return closed;
    },
  };
}

const defaultTrainingSeconds = 5;

function withConcurrency(seed: Seed, concurrency: number | undefined): Seed {
  if (concurrency === undefined) return seed;
  return { ...seed, accounts: seed.accounts.map((account) => ({ ...account, concurrency })) };
}
