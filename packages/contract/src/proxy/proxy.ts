import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { CannotJudge, UsageError } from '../errors.ts';
import { judge } from '../judge/judge.ts';
import type { Finding, JudgeOptions, Report } from '../judge/report.ts';
import { hideKey } from '../key.ts';
import { findOperation, type Operation } from '../specification/operations.ts';
import { clientRules, serviceRules } from '../specification/rules.ts';
import { readAddress, whyUnreachable } from '../transport/address.ts';
import { type Judging, startJudging } from './judging.ts';
import { headerBytes, passCall, passUpgrade, pathBelow, unwatched, type Watcher } from './pass.ts';
import { CallRecord, type Copy, type CopyLimits, type Kept } from './record.ts';

/** Options of a proxy and its judge. */
export interface ContractProxyOptions
  extends Pick<JudgeOptions, 'profile' | 'deterministic' | 'baseline' | 'decodeDeadlineMs'> {
  /** Base address of the server, such as `https://api.example.com`. */
  readonly upstream: string;
  /** Base address of the server's live socket. @defaultValue the address of `upstream`, with the scheme of WebSockets */
  readonly live?: string;
  /** The address to listen on. Any other than this machine's lets others use the server through the proxy. @defaultValue '127.0.0.1' */
  readonly host?: string;
  /** 0 chooses a free one. @defaultValue 4040 */
  readonly port?: number;
  /** Limits on the copy of each call that is kept until it is judged. */
  readonly limits?: Partial<CopyLimits>;
  /** Calls that are judged; later ones pass all the same. @defaultValue 10000 */
  readonly maxCalls?: number;
  /** Seconds that calls under way may last once `close` was called. @defaultValue 2 */
  readonly drainSeconds?: number;
  /** Called with each finding as soon as its call is judged. */
  readonly onFinding?: (finding: Finding) => void;
}

/** A proxy that is listening. */
export interface ContractProxy {
  /** Base address for clients, without a trailing slash. */
  readonly url: string;
  /**
   * Stops listening, lets calls under way end, and judges what is left. A second call gives the same report.
   *
   * @throws CannotJudge when the judge itself failed
   */
  close(): Promise<ProxyReport>;
}

/** Report of a proxy: the judgement of both sides, and what was skipped. */
export interface ProxyReport extends Report {
  readonly proxy: ProxySummary;
}

/** Summary of the traffic: what passed, and what of it was not judged. */
export interface ProxySummary {
  readonly upstream: string;
  /** Calls of the API that passed, judged or not. */
  readonly calls: number;
  /** Broken rules, known violations left out: requests are the client's, answers the server's. */
  readonly broken: Readonly<
    Record<'client' | 'server', { readonly errors: number; readonly warnings: number }>
  >;
  /** Calls and parts of calls that were not judged, with the reason; the first 100. */
  readonly notJudged: readonly { readonly exchange: string; readonly reason: string }[];
  /** Total number of calls and parts of calls that were not judged. */
  readonly notJudgedCount: number;
  /** Number of requests that are not operations of the API, by method and path; the first 100. */
  readonly others: Readonly<Record<string, number>>;
  /** Rules about calls that only `verify` makes together, by id. */
  readonly notCovered: readonly string[];
}

export const defaultLimits: CopyLimits = {
  bodyBytes: 64 * 1024 * 1024,
  allBytes: 256 * 1024 * 1024,
  seconds: 900,
};
export const defaultPort = 4040;
export const defaultMaxCalls = 10_000;
const defaultDrainSeconds = 2;

/** Entries of a list that grows with what passes. */
const maximumListed = 100;

/** Milliseconds for sending one request: a long upload passes, and one that never ends does not stay. */
const requestMs = 3_600_000;

/** Milliseconds without a call after which a client's connection is closed. */
const keepAliveMs = 10_000;

/**
 * Starts a proxy between clients and a server: what passes is judged, by the rules of {@link judge}, on both sides.
 *
 * Bodies, event streams and sockets pass byte for byte and as they come; only the headers of the connection itself differ.
 * The judge works on copies in a thread of its own, so that nothing that passes waits for it.
 *
 * @throws UsageError when an address is invalid
 * @throws CannotJudge when the address to listen on is in use
 * @example
 * ```ts norun
 * import { exitCodeOf, startContractProxy, writeReport } from '@speech-api/contract';
 *
 * const proxy = await startContractProxy({ upstream: 'http://127.0.0.1:4010', port: 0 });
 * // Let the code under test use proxy.url as its base address, then:
 * const report = await proxy.close();
 * console.log(writeReport('summary', report));
 * process.exitCode = exitCodeOf(report);
 * ```
 */
export async function startContractProxy(options: ContractProxyOptions): Promise<ContractProxy> {
  const { host = '127.0.0.1', port = defaultPort } = options;
  const upstream = readAddress('--upstream', options.upstream, ['http:', 'https:']);
  const live =
    options.live === undefined
      ? upstream
      : readAddress('--live', options.live, ['ws:', 'wss:']).replace(/^ws/, 'http');
  const explain = (failure: Error) => whyUnreachable(failure, { base: upstream }, '--upstream');
  const recorder = new Recorder(upstream, live, explain, options);
  const server = createServer({
    maxHeaderSize: headerBytes,
    requestTimeout: requestMs,
    keepAliveTimeout: keepAliveMs,
    shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
  });
  const explained = (failure: Error) => `The proxy got no answer: ${explain(failure)}`;
  const base = new URL(upstream);
  const serve: Parameters<typeof createServer>[1] = (incoming, outgoing) =>
    passCall(base, incoming, outgoing, recorder.watch(incoming, false), explained);
  server.on('request', serve);
  // The server says whether it wants the body.
  server.on('checkContinue', serve);
  server.on('checkExpectation', serve);
  const sockets = new Set<Duplex>();
  server.on('upgrade', (incoming, socket, head) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    passUpgrade(new URL(live), incoming, socket, head, recorder.watch(incoming, true), explained);
  });
  await listen(server, host, port);
  const { port: listening } = server.address() as AddressInfo;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`;
  if (isSame(base, url) || isSame(new URL(live), url)) {
    server.close();
    throw new UsageError(`--upstream ${upstream} is the proxy itself. Give the address of the server.`);
  }
  const end = async (): Promise<ProxyReport> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeIdleConnections();
    const cut = setTimeout(
      () => {
        for (const socket of sockets) socket.destroy();
        server.closeAllConnections();
      },
      (options.drainSeconds ?? defaultDrainSeconds) * 1000,
    );
    await closed;
    await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
    clearTimeout(cut);
    return await recorder.finish();
  };
  let ending: Promise<ProxyReport> | undefined;
  return {
    url,
    close: () => {
      ending ??= end();
      return ending;
    },
  };
}

/** Everything that passes, until it is judged. */
class Recorder {
  readonly #notes: Notes;
  readonly #upstream: string;
  readonly #live: string;
  readonly #explain: (failure: Error) => string;
  readonly #options: ContractProxyOptions;
  readonly #limits: CopyLimits;
  readonly #kept: Kept = { bytes: 0 };
  readonly #underWay = new Set<Promise<void>>();
  /** Started with the first copy: a thread that judges nothing is not needed. */
  #judging: Judging | undefined;

  constructor(
    upstream: string,
    live: string,
    explain: (failure: Error) => string,
    options: ContractProxyOptions,
  ) {
    this.#upstream = upstream;
    this.#live = live;
    this.#explain = explain;
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#notes = new Notes(upstream);
  }

  /** Begins to record one call, unless it is not one of the API or too many were recorded. */
  watch(incoming: IncomingMessage, isUpgrade: boolean): Watcher {
    const path = pathBelow(new URL('http://x'), incoming.url ?? '/');
    const { href: url } = new URL((isUpgrade ? this.#live : this.#upstream) + path);
    const operation = findOperation(incoming.method ?? 'GET', url);
    if (operation === undefined) {
      this.#notes.other(incoming);
      return unwatched;
    }
    const name = this.#notes.call(incoming, operation);
    const { maxCalls = defaultMaxCalls } = this.#options;
    if (this.#notes.calls > maxCalls) {
      this.#notes.notJudged(name, `more than ${maxCalls} calls`);
      return unwatched;
    }
    const over = Promise.withResolvers<void>();
    this.#underWay.add(over.promise);
    const call = { name, incoming, operation, url };
    return new CallRecord(call, this.#limits, this.#kept, this.#explain, (copy, notJudged) => {
      this.#underWay.delete(over.promise);
      over.resolve();
      for (const reason of notJudged) this.#notes.notJudged(name, reason);
      if (copy !== undefined) this.#judge(copy);
    });
  }

  #judge(copy: Copy): void {
    const { profile, deterministic, baseline, decodeDeadlineMs } = this.#options;
    const options = { profile, deterministic, baseline, decodeDeadlineMs };
    const told = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
    this.#judging ??= startJudging({ options: told, bodyBytes: this.#limits.bodyBytes }, (said) => {
      this.#kept.bytes -= said.bytes;
      if (said.notJudged !== undefined) this.#notes.notJudged(said.judged, said.notJudged);
      for (const finding of said.findings) this.#options.onFinding?.(finding);
    });
    this.#judging.add(copy);
  }

  async finish(): Promise<ProxyReport> {
    await Promise.all(this.#underWay);
    const report = await (this.#judging?.finish() ?? judge([]));
    return { ...report, proxy: this.#notes.summary(report) };
  }
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why =
        error.code === 'EADDRINUSE' ? 'another program uses it. Choose another --port' : error.message;
      reject(new CannotJudge(`The proxy can't listen on ${host}:${port}: ${why}.`));
    });
    server.listen(port, host, resolve);
  });
}

/** True if an address is that of the proxy, by any of the names of this machine. */
function isSame(address: URL, own: string): boolean {
  const { port, hostname } = new URL(own);
  const names = ['localhost', '127.0.0.1', '[::1]', '0.0.0.0', hostname];
  return address.port === port && names.includes(address.hostname);
}

/** Notes for the report about what passed. */
class Notes {
  readonly #upstream: string;
  readonly #notJudged: { readonly exchange: string; readonly reason: string }[] = [];
  readonly #others = new Map<string, number>();
  #notJudgedCount = 0;
  #calls = 0;

  constructor(upstream: string) {
    this.#upstream = upstream;
  }

  get calls(): number {
    return this.#calls;
  }

  /** Counts a call and gives it a name. */
  call({ url = '/', headers }: IncomingMessage, { id }: Operation): string {
    this.#calls += 1;
    return `call ${this.#calls}, ${id} ${shown(url, headers)}`;
  }

  other({ method, url = '/', headers }: IncomingMessage): void {
    const name = `${method} ${shown(url, headers)}`;
    if (this.#others.has(name) || this.#others.size < maximumListed)
      this.#others.set(name, (this.#others.get(name) ?? 0) + 1);
  }

  notJudged(exchange: string, reason: string): void {
    this.#notJudgedCount += 1;
    if (this.#notJudged.length < maximumListed) this.#notJudged.push({ exchange, reason });
  }

  summary({ coverage, findings }: Report): ProxySummary {
    const ofClient = clientRules();
    const broken = (isClient: boolean) => {
      const own = findings.filter(({ rule, known }) => known !== true && ofClient.has(rule) === isClient);
      return {
        errors: own.filter(({ severity }) => severity === 'error').length,
        warnings: own.filter(({ severity }) => severity === 'warning').length,
      };
    };
    const judged = new Set(coverage.cells.flatMap(({ rules }) => Object.keys(rules)));
    const relations = [...serviceRules().values()].filter(({ subject }) => subject === 'exchanges');
    return {
      upstream: this.#upstream,
      calls: this.#calls,
      broken: { client: broken(true), server: broken(false) },
      notJudged: this.#notJudged,
      notJudgedCount: this.#notJudgedCount,
      others: Object.fromEntries(this.#others),
      notCovered: relations.map(({ id }) => id).filter((id) => !judged.has(id)),
    };
  }
}

/** The path of a request as a report shows it. */
function shown(url: string, { authorization }: IncomingMessage['headers']): string {
  const [path = ''] = url.split('?', 1);
  return hideKey(path.slice(0, 200), authorization?.replace(/^\S+\s+/, ''));
}
