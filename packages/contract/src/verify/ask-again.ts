import type { Exchange, GroupMembership } from '../exchange.ts';
import { judge } from '../judge/judge.ts';
import { measuredRules } from '../judge/measured.ts';
import type { JudgeOptions } from '../judge/report.ts';
import { asObject } from '../specification/document.ts';
import type { Scenario, Step } from './step.ts';

/** Operations whose answers are measured. */
const speaking: readonly (string | undefined)[] = [
  'createSpeech',
  'streamSpeechWithTimestamps',
  'openLiveSession',
];

/** The steps of a scenario to repeat with another text, because what was measured in their answers leaves doubt. */
export async function doubtful(
  scenario: Scenario,
  exchanges: readonly Exchange[],
  judging: JudgeOptions,
): Promise<readonly Step[]> {
  const spoken = exchanges.filter(
    ({ operationId, expectation }) => speaking.includes(operationId) && expectation?.outcome === 'success',
  );
  if (spoken.length === 0) return [];
  const rules = measuredRules();
  const { findings } = await judge(spoken, { ...judging, rules });
  const concerned = findings.flatMap(({ rule, exchange }): readonly string[] => {
    const step = scenario.steps.find(({ name }) => name === exchange);
    if (step === undefined) return [];
    if (rules.get(rule)?.subject !== 'exchanges') return [step.name];
    return scenario.steps.filter((other) => isComparedWith(other, step)).map(({ name }) => name);
  });
  return scenario.steps.filter(({ name }) => concerned.includes(name)).map(inOtherWords);
}

/** A comparison is repeated as a whole: those with a part in it, or those that ask for the same. */
function isComparedWith(one: Step, other: Step): boolean {
  const [first, second] = [one, other].map(({ groups = [] }) => groups.filter(isOfSpeech));
  return (first ?? []).some((each) =>
    second?.some(({ id, role }) => id === each.id && (role === undefined) === (each.role === undefined)),
  );
}

function isOfSpeech({ relation }: GroupMembership): boolean {
  return relation === 'speech';
}

const mark = ', in other words';

/** The same step with another text of the same length. */
function inOtherWords(step: Step): Step {
  const { remember: _ofTheFirst, groups, ...same } = step;
  const common = {
    name: `${step.name}${mark}`,
    repeats: step.name,
    ...(groups !== undefined && {
      groups: groups.filter(isOfSpeech).map((group) => ({ ...group, id: `${group.id}${mark}` })),
    }),
  };
  if (same.kind === 'call') {
    return {
      ...same,
      ...common,
      call: (memory) => {
        const call = same.call(memory);
        return { ...call, fields: withOtherText(asObject(call.fields)) };
      },
    };
  }
  return {
    ...same,
    ...common,
    script: (memory) =>
      same.script(memory).map((action) => ('send' in action ? { send: withOtherText(action.send) } : action)),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function withOtherText(fields: Fields): Fields {
  const { text, request } = fields;
  return {
    ...fields,
    ...(typeof text === 'string' && { text: otherText(text) }),
    ...(request !== undefined && { request: withOtherText(asObject(request)) }),
  };
}

const otherWords =
  'Every evening the old lighthouse keeper climbs the stairs, counts the ships on the water, and writes ' +
  'their names into a thick green book. ';

/** Tags of speakers stay where they are. */
function otherText(text: string): string {
  return text.replace(/(<\|[^|]*\|>)|[^<]+/g, (piece, tag?: string) => {
    if (tag !== undefined) return tag;
    const { length } = [...piece];
    return otherWords.repeat(Math.ceil(length / otherWords.length)).slice(0, length);
  });
}
