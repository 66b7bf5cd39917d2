import type { Exchange } from '../exchange.ts';
import { hideKey, keyOf } from '../key.ts';
import { type JudgedRule, serviceRules } from '../specification/rules.ts';
import type { Finding } from './report.ts';

/** The rules that compare lengths, loudness or rates: chance may break one of them once. */
export function measuredRules(): ReadonlyMap<string, JudgedRule> {
  return new Map([...serviceRules()].filter(([, { measured }]) => measured === true));
}

/** Findings that count, and findings that another text did not confirm. */
interface Weighed {
  readonly findings: readonly Finding[];
  readonly unconfirmed: readonly Finding[];
}

/**
 * A measurement alone convicts nobody. With another text that shows the same it counts as its rule says; with one
 * that does not, it does not count; without another text it is a warning.
 */
export function weighMeasurements(findings: readonly Finding[], exchanges: readonly Exchange[]): Weighed {
  const rules = measuredRules();
  const nameOf = (exchange: Exchange, name: string) => hideKey(name, keyOf(exchange));
  const repeats = new Map(
    exchanges.flatMap((exchange) =>
      exchange.repeats === undefined
        ? []
        : [[nameOf(exchange, exchange.name), nameOf(exchange, exchange.repeats)] as const],
    ),
  );
  const askedAgain = new Set(repeats.values());
  const broken = new Set(findings.map(({ rule, exchange }) => `${rule} ${exchange}`));
  const brokenAgain = new Set(findings.map(({ rule, exchange }) => `${rule} ${repeats.get(exchange)}`));
  const unconfirmed: Finding[] = [];
  const counting = findings.flatMap((finding): readonly Finding[] => {
    const { rule, exchange, message } = finding;
    const first = repeats.get(exchange);
    // A finding that both texts show is reported once.
    if (first !== undefined && broken.has(`${rule} ${first}`)) return [];
    if (!rules.has(rule)) return [finding];
    if (brokenAgain.has(`${rule} ${exchange}`))
      return [{ ...finding, message: `${message} Another text shows the same.` }];
    if (first === undefined && !askedAgain.has(exchange)) {
      return [{ ...finding, severity: finding.severity === 'error' ? 'warning' : finding.severity }];
    }
    unconfirmed.push(finding);
    return [];
  });
  return { findings: counting, unconfirmed };
}
