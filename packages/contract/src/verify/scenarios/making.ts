import { defaultModel, headerNames, type OperationId } from '@speech-api/types';
import type { Exchange, Expectation, GroupMembership, RefusalExpected, Rests } from '../../exchange.ts';
import type { Memory } from '../make-step.ts';
import type { CallStep, Scenario, Step } from '../step.ts';

/** Text for speech where any words will do. */
export const greeting = 'Good morning.';

/** Long enough to be transcribed: a server takes no less than a second. */
export const sentence = 'Good morning, and welcome to the harbour at the end of the bay.';

/** Longer than any text chunk, so that there are several. */
export const story = [
  'The harbour wakes before the sun does. A lamp is lit on the pier, then another, and the boats turn slowly on their lines.',
  'By seven the tide is in and the gulls are loud. Nobody hurries. The ferry leaves at eight, as it has for forty years.',
  'At noon the market opens, and by evening the lamps are lit again.',
].join(' ');

/** Steps that belong together. */
export function scenario(
  name: string,
  priority: number,
  about: string,
  steps: readonly Step[],
  more: Pick<Scenario, 'writes'> = {},
): Scenario {
  return { name, priority, about, steps, ...more };
}

export const success: Expectation = { outcome: 'success' };

/** @param refusals ids of the refusals of the spec that may answer */
export function refused(because: string, ...refusals: string[]): RefusalExpected {
  const isOpen = refusals.length > 0 && refusals.every((id) => openRefusals.includes(id));
  return { outcome: 'refused', refusals, because, ...(isOpen && { rests: 'public' }) };
}

/** The interface leaves open when a service says these: what is not there, and who may see what. */
const openRefusals: readonly string[] = [
  'unknown-voice',
  'not-found',
  'forbidden',
  'unknown-path',
  'unknown-method',
  'upgrade-required',
  'model-rule',
];

/** A request that is wrong in one field. */
export function wrongIn(field: string, because: string, rests?: Rests): RefusalExpected {
  return { ...refused(because, 'schema'), field, ...(rests !== undefined && { rests }) };
}

export type SpeechOperation = Extract<OperationId, 'createSpeech' | 'streamSpeechWithTimestamps'>;

/** Options of a synthesis request. */
interface SpeakOptions
  extends Partial<Pick<CallStep, 'expectation' | 'groups' | 'remember' | 'needs' | 'cost'>> {
  /** @defaultValue 'createSpeech' */
  readonly operationId?: SpeechOperation;
  /** @defaultValue the default model of the spec; null leaves the header out */
  readonly model?: string | null;
  readonly mediaType?: string;
  readonly traceparent?: string;
}

/** A step that has something spoken. Fields that only a run knows come from the memory. */
export function speak(
  what: string,
  fields: Readonly<Record<string, unknown>> | ((memory: Memory) => Readonly<Record<string, unknown>>),
  options: SpeakOptions = {},
): CallStep {
  const { operationId = 'createSpeech', model = defaultModel, mediaType, traceparent } = options;
  const { expectation = success, groups, remember, needs, cost } = options;
  return {
    kind: 'call',
    name: `${operationId}, ${what}`,
    operationId,
    expectation,
    ...(groups !== undefined && { groups }),
    ...(remember !== undefined && { remember }),
    ...(needs !== undefined && { needs }),
    ...(cost !== undefined && { cost }),
    call: (memory) => ({
      fields: typeof fields === 'function' ? fields(memory) : fields,
      headers: {
        ...(model !== null && { [headerNames.model]: model }),
        ...(traceparent !== undefined && { [headerNames.traceparent]: traceparent }),
      },
      ...(mediaType !== undefined && { mediaType }),
    }),
  };
}

/** A member of a group, once for each relation in which it is judged. */
export function inGroups(
  id: string,
  ...relations: (GroupMembership['relation'] | readonly [GroupMembership['relation'], string])[]
) {
  return relations.map((relation): GroupMembership => {
    const [name, role] = typeof relation === 'string' ? [relation, undefined] : relation;
    return { id: `${id}/${name}`, relation: name, ...(role !== undefined && { role }) };
  });
}

/** The JSON of a good answer; nothing for any other. */
export function jsonOf(exchange: Exchange): Record<string, unknown> | undefined {
  if (exchange.kind !== 'http' || exchange.response.status >= 300) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(exchange.response.body).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Notes the audio of a good answer under a name. */
export function rememberAudio(name: string): (exchange: Exchange, memory: Memory) => void {
  return (exchange, memory) => {
    if (exchange.kind === 'http' && exchange.response.status === 200)
      memory.set(name, exchange.response.body);
  };
}

/** Trace context as another program might send it: random ids, no user in them. */
export const validTraceparent = '00-5b8aa5a2d2c872e8321cf37308d69df2-051581bf3cb55c13-01';

/** All digits of an id zero is what the trace context calls invalid. */
export const invalidTraceparent = '00-00000000000000000000000000000000-051581bf3cb55c13-01';
