import { createHash } from 'node:crypto';
import type { Exchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions } from '../judge/report.ts';
import type { GeneratedCase } from './generate/case.ts';
import { emptyMemory } from './make-step.ts';
import type { CallStep } from './step.ts';

/** Options of the search for a smaller request. */
interface ShrinkOptions {
  readonly judging: JudgeOptions;
  /** Sends a request; undefined when the budget has no room for it. */
  readonly send: (step: CallStep) => Promise<Exchange | undefined>;
}

/** A request that takes this many attempts to make smaller is small enough. */
const attempts = 25;

/**
 * Looks at the answer to a generated request, and when it breaks the contract, for a smaller request whose answer
 * breaks the same rule.
 *
 * @returns the exchange to judge: the smallest that was found, or the one that was given
 */
export async function smallestViolation(
  exchange: Exchange,
  { makeSmaller }: GeneratedCase,
  { judging, send }: ShrinkOptions,
): Promise<Exchange> {
  const rules = await brokenRules(exchange, judging);
  if (rules.length === 0) return exchange;
  const sent = new Map<string, Exchange>();
  const seen = new Set([fingerprint(exchange)]);
  const smallest = await makeSmaller(async (step) => {
    if (sent.size >= attempts) return undefined;
    const key = fingerprintOf(step);
    if (seen.has(key)) return undefined;
    seen.add(key);
    const answered = await send(step);
    if (answered === undefined) return undefined;
    sent.set(key, answered);
    return (await brokenRules(answered, judging)).some((rule) => rules.includes(rule));
  });
  const found = smallest === undefined ? undefined : sent.get(fingerprintOf(smallest));
  return found === undefined ? exchange : { ...found, name: `${exchange.name}, made smaller` };
}

async function brokenRules(exchange: Exchange, judging: JudgeOptions): Promise<string[]> {
  const { findings } = await judge([exchange], { ...judging, profile: 'stateless' });
  return findings
    .filter(({ severity, known }) => severity === 'error' && known !== true)
    .map(({ rule }) => rule);
}

function fingerprint(exchange: Exchange): string {
  return exchange.kind === 'http'
    ? digest(exchange.request.decoded, new URL(exchange.request.url).search)
    : '';
}

function fingerprintOf(step: CallStep): string {
  const call = step.call(emptyMemory);
  return digest(
    call.fields,
    call.query === undefined
      ? ''
      : `?${new URLSearchParams(call.query.map(([name, value]): [string, string] => [name, value]))}`,
  );
}

/** By what is meant, since a form has another boundary each time. */
function digest(fields: unknown, query: string): string {
  return createHash('sha256')
    .update(JSON.stringify(fields) ?? '')
    .update(query)
    .digest('hex');
}
