import { defaultModel, headerNames, type OperationId } from '@speech-api/types';
import { wavOf } from '../../audio/wav.ts';
import {
  type Exchange,
  type Expectation,
  type GroupMembership,
  type RefusalExpected,
  type Rests,
  responseOf,
} from '../../exchange.ts';
import { asObject, type JsonObject, openApi, operations, resolve } from '../../specification/document.ts';
import type { Call, CallStep, Fields, Memory, Scenario, Step } from '../step.ts';

/** Any text to speak. */
export const greeting = 'Good morning.';

/** Seconds of audio that every server transcribes: less than one second is refused. */
export const sentence = 'Good morning, and welcome to the harbour at the end of the bay.';

/** A text longer than any chunk, so that there are several. */
export const story = [
  'The harbour wakes before the sun does. A lamp is lit on the pier, then another, and the boats turn slowly on their lines.',
  'By seven the tide is in and the gulls are loud. Nobody hurries. The ferry leaves at eight, as it has for forty years.',
  'At noon the market opens, and by evening the lamps are lit again.',
].join(' ');

/** Steps that belong together. */
export function scenario(
  name: string,
  about: string,
  steps: readonly Step[],
  more: Pick<Scenario, 'writes' | 'isQuick'> = {},
): Scenario {
  return { name, about, steps, ...more };
}

/** A scenario that `--quick` plays too. */
export function quick(name: string, about: string, steps: readonly Step[]): Scenario {
  return scenario(name, about, steps, { isQuick: true });
}

/** Steps that change voice models. */
export function writing(name: string, about: string, steps: readonly Step[]): Scenario {
  return scenario(name, about, steps, { writes: true });
}

type StepOptions = Partial<Omit<CallStep, 'kind' | 'name' | 'operationId' | 'call'>>;

/** One request, which must succeed by default. Fields known only during a run come from the memory. */
export function call(
  operationId: OperationId,
  what: string,
  made: Call | ((memory: Memory) => Call) = {},
  options: StepOptions = {},
): CallStep {
  return {
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation: success,
    ...options,
    call: typeof made === 'function' ? made : () => made,
  };
}

export const success: Expectation = { outcome: 'success' };

/** @param refusals ids of the spec's refusals that are accepted as an answer */
export function refused(because: string, ...refusals: string[]): RefusalExpected {
  const isOpen = refusals.length > 0 && refusals.every((id) => openRefusals.includes(id));
  return { outcome: 'refused', refusals, because, ...(isOpen && { rests: 'public' }) };
}

/** The interface does not say when a service refuses for these reasons, so what is expected rests on public sources. */
const openRefusals: readonly string[] = [
  'unknown-voice',
  'not-found',
  'forbidden',
  'unknown-path',
  'unknown-method',
  'upgrade-required',
  'model-rule',
];

/** A request with one wrong field. */
export function wrongIn(field: string, because: string, rests?: Rests): RefusalExpected {
  return { ...refused(because, 'schema'), field, ...(rests !== undefined && { rests }) };
}

export type SpeechOperation = Extract<OperationId, 'createSpeech' | 'streamSpeechWithTimestamps'>;

/** Options of a synthesis request. */
interface SpeakOptions extends StepOptions {
  /** @defaultValue 'createSpeech' */
  readonly operationId?: SpeechOperation;
  /** @defaultValue the default model of the spec; null leaves the header out */
  readonly model?: string | null;
  readonly mediaType?: string;
  readonly traceparent?: string;
}

/** A step that synthesizes speech. */
export function speak(
  what: string,
  fields: Fields | ((memory: Memory) => Fields),
  options: SpeakOptions = {},
): CallStep {
  const { operationId = 'createSpeech', model = defaultModel, mediaType, traceparent, ...others } = options;
  const headers = {
    ...(model !== null && { [headerNames.model]: model }),
    ...(traceparent !== undefined && { [headerNames.traceparent]: traceparent }),
  };
  const made = (memory: Memory) => ({
    fields: typeof fields === 'function' ? fields(memory) : fields,
    headers,
    ...(mediaType !== undefined && { mediaType }),
  });
  return call(operationId, what, made, others);
}

/** The fields of a request that the interface states, with their default or an example: a new one is sent without an edit here. */
export function statedFields(operationId: OperationId, ...leftOut: readonly string[]): Fields {
  const [schema] = operations().get(operationId)?.requestSchemas.values() ?? [];
  return Object.fromEntries(
    propertiesOf(schema).flatMap(([name, reference]) => {
      const schema = { ...resolve(openApi(), reference), ...asObject(reference) };
      const { default: usual, examples, format, 'x-provenance': mark } = schema;
      // A mark that names no keyword says that the interface does not have the field.
      if (mark !== undefined && !Array.isArray(asObject(mark).of)) return [];
      const value = usual ?? (Array.isArray(examples) ? examples[0] : undefined);
      const isPlain = ['string', 'number', 'boolean'].includes(typeof value) && format !== 'binary';
      return isPlain && !leftOut.includes(name) ? [[name, value] as const] : [];
    }),
  );
}

/** The properties of a schema, of those that it is made of, and of its first alternative. */
function propertiesOf(reference: unknown): readonly (readonly [name: string, schema: unknown])[] {
  const { properties, allOf, anyOf } = resolve(openApi(), reference);
  const parts = [...(Array.isArray(allOf) ? allOf : []), ...(Array.isArray(anyOf) ? anyOf.slice(0, 1) : [])];
  return [...parts.flatMap(propertiesOf), ...Object.entries(asObject(properties))];
}

/** Membership in a group, once for each relation that is judged. */
export function inGroups(
  id: string,
  ...relations: (GroupMembership['relation'] | readonly [GroupMembership['relation'], string])[]
) {
  return relations.map((relation): GroupMembership => {
    const [name, role] = typeof relation === 'string' ? [relation, undefined] : relation;
    return { id: `${id}/${name}`, relation: name, ...(role !== undefined && { role }) };
  });
}

/** The JSON object of a successful answer; undefined for any other. */
export function jsonOf(exchange: Exchange): JsonObject | undefined {
  if (exchange.kind !== 'http' || exchange.response.status >= 300) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(exchange.response.body).toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** Stores the audio of a successful answer under a name. */
export function rememberAudio(name: string): StepOptions {
  return {
    remember: (exchange, memory) => {
      const { status, body } = responseOf(exchange);
      if (status === 200) memory.set(name, body);
    },
  };
}

/** Stores a text of a successful JSON answer under a name. */
export function rememberText(name: string, read: (answered: JsonObject) => unknown): StepOptions {
  return {
    remember: (exchange, memory) => {
      const text = read(asObject(jsonOf(exchange)));
      if (typeof text === 'string') memory.set(name, text);
    },
  };
}

/** A trace context as another program might send it: random ids that identify nobody. */
export const validTraceparent = '00-5b8aa5a2d2c872e8321cf37308d69df2-051581bf3cb55c13-01';

/** Trace context calls an id of zeros invalid. */
export const invalidTraceparent = '00-00000000000000000000000000000000-051581bf3cb55c13-01';

/**
 * A wav file (16-bit, mono) with a tone that swells and fades three times a second, as loud as speech is.
 * Used where any recording will do, so that the judge ships no recordings of people.
 */
export function toneAsWav({
  seconds,
  sampleRate = 16_000,
}: {
  seconds: number;
  sampleRate?: number;
}): Uint8Array {
  const samples = Math.round(seconds * sampleRate);
  const second = Buffer.alloc(2 * Math.min(samples, sampleRate));
  for (let index = 0; 2 * index < second.length; index += 1) {
    const at = index / sampleRate;
    const swell = 0.5 - 0.5 * Math.cos(2 * Math.PI * 3 * at);
    second.writeInt16LE(Math.round(12_000 * swell * Math.sin(2 * Math.PI * 220 * at)), 2 * index);
  }
  // Every second repeats the first: computing each sample would take a second for the largest file.
  return wavOf(Buffer.alloc(2 * samples).fill(second), sampleRate);
}
