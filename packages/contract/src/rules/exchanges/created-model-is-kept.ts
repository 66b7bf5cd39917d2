import { type Rule, unless } from '../../judge/rule.ts';
import { show } from '../../specification/field-violations.ts';
import type { ExchangeGroup } from '../../subjects/exchange-group.ts';
import { isSame } from '../is-same.ts';
import { stepsOf } from '../voice-steps.ts';

export const createdModelIsKept: Rule<ExchangeGroup> = {
  id: 'created-model-is-kept',
  judge: (group) => {
    const steps = stepsOf(group);
    const created = steps?.created;
    if (steps === undefined || created === undefined) return undefined;
    const { read, list } = steps;
    if (read === undefined && list === undefined) return undefined;
    const stands = list?.items.some(({ _id }) => _id === created._id);
    return [
      ...(read === undefined
        ? []
        : unless(read.status === 200, {
            exchange: read.exchange,
            message: `The voice model that was created is answered with ${read.status} when it is read.`,
            expected: '200',
            actual: String(read.status),
          })),
      ...kept
        .filter((name) => read?.model?.[name] !== undefined && created[name] !== undefined)
        .flatMap((name) =>
          unless(isSame(read?.model?.[name], created[name]), {
            ...(read !== undefined && { exchange: read.exchange }),
            message: `The voice model was created with the ${name} ${show(created[name])}, and is read with ${show(read?.model?.[name])}.`,
            where: `/${name}`,
            expected: show(created[name]),
            actual: show(read?.model?.[name]),
          }),
        ),
      ...unless(stands !== false || list?.hasMore === true, {
        ...(list !== undefined && { exchange: list.exchange }),
        message: "The voice model that was created does not stand in the caller's list.",
      }),
    ];
  },
};

const kept = [
  '_id',
  'type',
  'title',
  'visibility',
  'train_mode',
  'description',
  'tags',
  'created_at',
  'author',
];
