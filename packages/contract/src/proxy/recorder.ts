import type { IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { CannotJudge } from '../errors.ts';
import { judge } from '../judge/judge.ts';
import type { Finding, JudgeOptions, Report } from '../judge/report.ts';
import { hideKey } from '../key.ts';
import { findOperation } from '../specification/operations.ts';
import { clientRules, serviceRules } from '../specification/rules.ts';
import { headersOf } from '../transport/send-call.ts';
import type { Said, ThreadData } from './judging-thread.ts';
import { pathBelow, type Watcher } from './pass.ts';
import { CallRecord, type Copy, type CopyLimits, type Keeper } from './record.ts';

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

interface RecorderOptions {
  readonly upstream: string;
  readonly live: string;
  readonly limits: CopyLimits;
  /** Calls that are judged. */
  readonly maxCalls: number;
  readonly judging: JudgeOptions;
  readonly onFinding: (finding: Finding) => void;
}

/** Entries of a list that grows with what passes. */
const maximumListed = 100;

/** JavaScript's own memory of the judging thread: one answer of many small values takes a multiple of its bytes. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };

/** Milliseconds for what is left to judge when the proxy ends. */
const finishMs = 120_000;

/** Everything that passes, until the thread has judged it. */
export class Recorder implements Keeper {
  bytes = 0;
  readonly limits: CopyLimits;
  readonly #options: RecorderOptions;
  readonly #underWay = new Map<CallRecord, PromiseWithResolvers<void>>();
  readonly #report = Promise.withResolvers<Report>();
  readonly #notJudged: { readonly exchange: string; readonly reason: string }[] = [];
  readonly #others = new Map<string, number>();
  #notJudgedCount = 0;
  #calls = 0;
  /** Started with the first copy: a thread that judges nothing is not needed. */
  #thread: Worker | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.limits = options.limits;
    // It is looked at once the proxy ends.
    this.#report.promise.catch(() => {});
  }

  /** Begins to record one call, unless it is not one of the API or too many were recorded. */
  watch(incoming: IncomingMessage, isUpgrade: boolean): Watcher | undefined {
    const { upstream, live, maxCalls } = this.#options;
    const { method = 'GET', url: target = '/' } = incoming;
    const base = isUpgrade ? live : upstream;
    // `OPTIONS *` asks about the whole server, and is no address.
    const url = URL.parse(base + pathBelow(new URL('http://x'), target))?.href ?? '';
    const operation = findOperation(method, url);
    if (operation === undefined) {
      const name = `${method} ${pathOf(incoming)}`;
      if (this.#others.has(name) || this.#others.size < maximumListed)
        this.#others.set(name, (this.#others.get(name) ?? 0) + 1);
      return undefined;
    }
    this.#calls += 1;
    const name = `call ${this.#calls}, ${operation.id} ${pathOf(incoming)}`;
    if (this.#calls > maxCalls) {
      this.#leaveOut(name, `more than ${maxCalls} calls`);
      return undefined;
    }
    const call = { name, operationId: operation.id, method, url, headers: headersOf(incoming) };
    const record = new CallRecord(call, this);
    this.#underWay.set(record, Promise.withResolvers());
    return record;
  }

  done(record: CallRecord, copy: Copy | undefined, notJudged: readonly string[]): void {
    for (const reason of notJudged) this.#leaveOut(record.call.name, reason);
    if (copy !== undefined) {
      this.#thread ??= this.#start();
      this.#thread.postMessage(copy);
    }
    this.#underWay.get(record)?.resolve();
    this.#underWay.delete(record);
  }

  #start(): Worker {
    const { judging: options, onFinding } = this.#options;
    const workerData: ThreadData = { options, bodyBytes: this.limits.bodyBytes };
    // Run from source in tests, and from the build otherwise.
    const program = import.meta.url.endsWith('.ts') ? './judging-thread.ts' : './judging-thread.js';
    const url = new URL(program, import.meta.url);
    const thread = new Worker(url, { workerData, resourceLimits, execArgv: [] });
    thread.on('message', (said: Said) => {
      if ('report' in said) return this.#report.resolve(said.report);
      this.bytes -= said.bytes;
      if (said.notJudged !== undefined) this.#leaveOut(said.judged, said.notJudged);
      for (const finding of said.findings) onFinding(finding);
    });
    thread.on('error', this.#report.reject);
    thread.on('exit', () => this.#report.reject(new Error('it ended without a word')));
    return thread;
  }

  #leaveOut(exchange: string, reason: string): void {
    this.#notJudgedCount += 1;
    if (this.#notJudged.length < maximumListed) this.#notJudged.push({ exchange, reason });
  }

  /** Judges what is left and says what came of it all. @throws CannotJudge when the thread fails or needs too long */
  async finish(): Promise<ProxyReport> {
    await Promise.all([...this.#underWay.values()].map(({ promise }) => promise));
    const thread = this.#thread;
    if (thread === undefined) return this.#withSummary(await judge([]));
    thread.postMessage('report');
    const late = new Error(`it was not done after ${finishMs / 1000} seconds`);
    const timer = setTimeout(this.#report.reject, finishMs, late);
    try {
      return this.#withSummary(await this.#report.promise);
    } catch (error) {
      throw new CannotJudge(`The thread that judges failed: ${(error as Error).message}.`);
    } finally {
      clearTimeout(timer);
      await thread.terminate();
    }
  }

  #withSummary(report: Report): ProxyReport {
    const ofClient = clientRules();
    const broken = (isClient: boolean) => {
      const own = report.findings.filter(
        ({ rule, known }) => known !== true && ofClient.has(rule) === isClient,
      );
      const { error = [], warning = [] } = Object.groupBy(own, ({ severity }) => severity);
      return { errors: error.length, warnings: warning.length };
    };
    const judged = new Set(report.coverage.cells.flatMap(({ rules }) => Object.keys(rules)));
    const relations = [...serviceRules().values()].filter(({ subject }) => subject === 'exchanges');
    const proxy = {
      upstream: this.#options.upstream,
      calls: this.#calls,
      broken: { client: broken(true), server: broken(false) },
      notJudged: this.#notJudged,
      notJudgedCount: this.#notJudgedCount,
      others: Object.fromEntries(this.#others),
      notCovered: relations.map(({ id }) => id).filter((id) => !judged.has(id)),
    };
    return { ...report, proxy };
  }
}

/** The path of a request as a report shows it. */
function pathOf({ url = '/', headers }: IncomingMessage): string {
  const [path = ''] = url.split('?', 1);
  return hideKey(path.slice(0, 200), headers.authorization?.replace(/^\S+\s+/, ''));
}
