import { createServer, type IncomingMessage } from 'node:http';
import {
  answerBrokenRequest,
  createOriginPolicy,
  createReceiver,
  FaultyResponse,
  httpServerOptions,
  type ListeningAt,
  listen,
  responseTo,
  stalledMilliseconds,
} from '@speech-api/server';
import { createConcurrencyCounter } from './accounts.ts';
import { createChaos, noChaos } from './chaos/chaos.ts';
import { registerFixture, type TranscriptionFixture } from './fixtures.ts';
import { type LatencyProfileName, latencyProfiles } from './latency/latency-profiles.ts';
import { createLiveEndpoint } from './live/live-endpoint.ts';
import { handlers } from './operations/handlers.ts';
import { createRecall } from './recall/recall.ts';
import { createRecentCalls } from './recent-calls.ts';
import { loadSeed, type Seed } from './seed.ts';
import { handleRequest, type RequestExtras, type Sandbox } from './server/handle-request.ts';
import type { Logger } from './server/log.ts';
import type { SpeechService } from './speech/job.ts';
import { createSpeechService } from './speech/service.ts';
import { openState } from './state/state.ts';
import { createUploads } from './uploads/uploads.ts';

/** How to start a sandbox. */
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
  /** How many requests of one account may be under way, in place of what the seed data says. */
  readonly concurrency?: number;
  /** How long the training of a `full` voice model takes. @defaultValue 5 */
  readonly trainingSeconds?: number;
  /** Imitates how soon and how fast audio comes. @defaultValue `none`: as fast as it can */
  readonly latencyProfile?: LatencyProfileName;
  /**
   * Rules by which answers go wrong, such as `POST /v1/tts status=503 times=2`. With it, be it empty, the request header
   * `x-sandbox-chaos` is obeyed too. @defaultValue nothing goes wrong
   */
  readonly chaos?: readonly string[];
  /** Shows the beginning of texts among the recent calls at `/__sandbox/`. @defaultValue false */
  readonly showText?: boolean;
  /** Seconds that a live socket stays open without a session. @defaultValue 30 */
  readonly liveIdleSeconds?: number;
  /** Unix time in milliseconds. @defaultValue the clock of the system */
  readonly now?: () => number;
  /** Takes the log, one line a request. @defaultValue none is written */
  readonly logger?: Logger;
  /** What speaks. It is closed with the sandbox. @defaultValue the embedded engine */
  readonly speech?: SpeechService;
  /** Recordings whose words transcriptions tell. @defaultValue none */
  readonly fixtures?: readonly TranscriptionFixture[];
}

/** A sandbox that is listening. */
export interface RunningSandbox {
  /** The base URL, without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, cuts what is still under way and stops the engines. Later calls wait for the same. */
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
 * @throws Error with the code `EADDRINUSE` when the port is taken; for seed data or origins that are not valid; for a folder
 * that cannot be used or that another sandbox uses; UnreadableAudioError for a fixture that cannot be decoded
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const host = options.host ?? '127.0.0.1';
  const log = options.logger ?? (() => {});
  const closing = new AbortController();
  const seed = withConcurrency(loadSeed(options.seed), options.concurrency);
  const chaos = options.chaos === undefined ? noChaos : createChaos(options.chaos);
  const origins = createOriginPolicy({ host, allowOrigin: options.allowOrigin ?? [] });
  const lenient = options.lenient ?? false;
  const receiver = createReceiver({ lenient });
  const live = createLiveEndpoint({
    lenient,
    idleSeconds: options.liveIdleSeconds ?? defaultLiveIdleSeconds,
  });
  const state = await openState({ seed, data: options.data, now: options.now });
  const recall = createRecall(state.recall);
  const speech = recall.listenTo(options.speech ?? createSpeechService());
  const uploads = createUploads();
  const sandbox: Sandbox = {
    receiver,
    origins,
    handlers,
    state,
    settings: {
      trainingMilliseconds: (options.trainingSeconds ?? defaultTrainingSeconds) * 1000,
      latencyProfile: latencyProfiles[options.latencyProfile ?? 'none'],
    },
    chaos,
    recentCalls: createRecentCalls({ showText: options.showText ?? false }),
    speech,
    uploads,
    recall,
    live,
    concurrency: createConcurrencyCounter(),
    log,
    closing: closing.signal,
  };
  const server = createServer({ ...httpServerOptions, ServerResponse: FaultyResponse });
  server.timeout = stalledMilliseconds;
  const underWay = new Set<Promise<void>>();
  const handle = (...call: [IncomingMessage, FaultyResponse, RequestExtras?]): void => {
    const handled = handleRequest(sandbox, ...call).finally(() => underWay.delete(handled));
    underWay.add(handled);
  };
  server.on('request', (request, response) => handle(request, response));
  // The head alone can refuse a large upload; only a request that passes is told to go on.
  server.on('checkContinue', (request, response) => {
    handle(request, response, { beforeBody: () => response.writeContinue() });
  });
  server.on('upgrade', (request, socket, head) => {
    const upgrade = { request, socket, head };
    handle(request, responseTo(upgrade), { upgrade });
  });
  server.on('clientError', answerBrokenRequest);
  let address: ListeningAt;
  try {
    await Promise.all(
      (options.fixtures ?? []).map((fixture) => registerFixture(fixture, { uploads, recall, lasting: true })),
    );
    address = await listen(server, options.port ?? 0, host);
  } catch (error) {
    await Promise.all([speech.close(), uploads.close(), recall.close()]);
    state.close();
    throw error;
  }
  // Warm by the time of the first call; a failure shows in that call too.
  speech.ready().catch((error: unknown) => log(`The speech engine does not start: ${String(error)}`));

  const shutDown = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    closing.abort();
    server.closeIdleConnections();
    const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
    await closed;
    clearTimeout(timer);
    await Promise.all([speech.close(), uploads.close(), recall.close()]);
    // What was cut still settles its bill.
    await Promise.all(underWay);
    state.close();
  };
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closed ??= shutDown();
    return closed;
  };
  return { ...address, close };
}

/** What is still under way after this is cut. */
const graceMilliseconds = 250;

const defaultTrainingSeconds = 5;

const defaultLiveIdleSeconds = 30;

function withConcurrency(seed: Seed, concurrency: number | undefined): Seed {
  if (concurrency === undefined) return seed;
  return { ...seed, accounts: seed.accounts.map((account) => ({ ...account, concurrency })) };
}
