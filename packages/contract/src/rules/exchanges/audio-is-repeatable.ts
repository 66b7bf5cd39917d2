import { type Rule, unless } from '../../judge/rule.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';

export const audioIsRepeatable: Rule<ExchangeGroup> = {
  id: 'audio-is-repeatable',
  judge: ({ relation, members, isDeterministic }) => {
    const prints = members.filter(({ fingerprint }) => fingerprint !== undefined);
    if (
      !isDeterministic ||
      prints.length < 2 ||
      (relation !== 'encodings' && relation !== 'trace' && relation !== 'repeat')
    )
      return undefined;
    const [first, ...others] = prints;
    return others.flatMap(({ exchange, fingerprint }) =>
      unless(fingerprint === first?.fingerprint, {
        exchange,
        message: `The audio of "${exchange.name}" has other samples than that of "${first?.exchange.name}".`,
        expected: (first?.fingerprint ?? '').slice(0, 16),
        actual: (fingerprint ?? '').slice(0, 16),
      }),
    );
  },
};
