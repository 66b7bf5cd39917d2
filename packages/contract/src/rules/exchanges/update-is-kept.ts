import { type Rule, unless } from '../../judge/rule.ts';
import { show } from '../../specification/field-violations.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { isSame } from '../is-same.ts';
import { stepsOf } from '../voice-steps.ts';

export const updateIsKept: Rule<ExchangeGroup> = {
  id: 'update-is-kept',
  judge: (group) => {
    const steps = stepsOf(group);
    const { update, readUpdated, read, created } = steps ?? {};
    if (update === undefined || readUpdated?.model === undefined) return undefined;
    const { model, exchange } = readUpdated;
    const before = read?.model ?? created ?? {};
    const sent = Object.entries(update).filter(([, value]) => value !== null);
    const others = unchanged.filter((name) => !(name in update) && before[name] !== undefined);
    return [...sent, ...others.map((name) => [name, before[name]] as const)].flatMap(([name, value]) =>
      unless(isSame(model[name], value), {
        exchange,
        message: `After the update the ${name} is ${show(model[name])}, not ${show(value)}.`,
        where: `/${name}`,
        expected: show(value),
        actual: show(model[name]),
      }),
    );
  },
};

const unchanged = [
  '_id',
  'type',
  'title',
  'description',
  'tags',
  'visibility',
  'state',
  'created_at',
  'author',
];
