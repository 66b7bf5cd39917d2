import { shapeDifference } from '../answer/shape-difference.ts';
import { type Problem, unless } from '../judge/rule.ts';
import type { ExchangeGroup, GroupMember } from '../subjects/exchange-group.ts';

/** Where answers that are to be alike differ: in status, media type or shape. */
export function differences({ members }: ExchangeGroup): readonly Problem[] | undefined {
  const [first, ...others] = members.filter(({ status }) => !aboutTheMoment.includes(status));
  return first === undefined || others.length === 0
    ? undefined
    : others.flatMap((other) => compare(first, other));
}

/** Too many at once, no room: another answer may differ for a reason of its own. */
const aboutTheMoment = [429, 503];

function compare(first: GroupMember, other: GroupMember): readonly Problem[] {
  const pair = `"${first.exchange.name}" and "${other.exchange.name}"`;
  if (first.status !== other.status) {
    return [
      {
        message: `The statuses of ${pair} differ.`,
        expected: String(first.status),
        actual: String(other.status),
      },
    ];
  }
  if (first.mediaType !== other.mediaType) {
    const message = `The media types of ${pair} differ.`;
    return [
      {
        exchange: other.exchange,
        message,
        where: 'header content-type',
        expected: first.mediaType,
        actual: other.mediaType,
      },
    ];
  }
  const difference = shapeDifference(first.said, other.said);
  return unless(difference === undefined, {
    exchange: other.exchange,
    message: `The shapes of ${pair} differ: ${difference}.`,
  });
}
