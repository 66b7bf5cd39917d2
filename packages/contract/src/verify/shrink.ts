import { createHash } from 'node:crypto';
import type { Exchange } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeOptions } from '../judge/report.ts';
import type { GeneratedScenario } from './generate/generated-scenarios.ts';
import { writeQuery } from './request.ts';
import { type CallStep, pretended } from './step.ts';

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
  { steps: [first], makeSmaller }: GeneratedScenario,
  { judging, send }: ShrinkOptions,
): Promise<Exchange> {
  const rules = await brokenRules(exchange, judging);
  if (rules.length === 0) return exchange;
  const sent = new Map<string, Exchange>();
  const seen = new Set([fingerprintOf(first)]);
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

/** By what is meant, since a form has another boundary each time. */
function fingerprintOf(step: CallStep): string {
  const { fields, query } = step.call(pretended);
  return createHash('sha256')
    .update(JSON.stringify(fields) ?? '')
    .update(writeQuery(query))
    .digest('hex');
}
