import type { OperationId } from '@speech-api/types';
import type { Schema } from '../../test/contract/specification.ts';
import { eachEvent, events, isObject, type JsonObject, json } from '../change.ts';
import { type Kind, type Mutant, table } from '../mutant.ts';
import { operations, resolved, schemaOf, successOf } from '../specification.ts';

/** A field somewhere in an answer. `*` stands for the items of an array. */
interface Field {
  readonly path: readonly string[];
  readonly schema: Schema;
  readonly types: readonly string[];
  readonly required: boolean;
}

function fieldsOf(given: Schema, path: readonly string[] = [], required = true): Field[] {
  const schema = notNull(resolved(given));
  // Objects in a list are broken by their fields; words in a list by themselves.
  const isField = path.at(-1) === '*' ? schema.properties === undefined : path.length > 0;
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    fieldsOf(property, [...path, name], schema.required?.includes(name) === true),
  );
  const items = schema.items === undefined ? [] : fieldsOf(schema.items, [...path, '*'], false);
  return [...(isField ? [{ path, schema, types: typesOf(given), required }] : []), ...inner, ...items];
}

/** The schema of what is there, where null is allowed beside it. */
function notNull(schema: Schema): Schema {
  const choice = schema.anyOf?.map(resolved).find((part) => part.type !== 'null');
  return choice === undefined || schema.properties !== undefined ? schema : { ...schema, ...choice };
}

function typesOf(given: Schema): readonly string[] {
  const schema = resolved(given);
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.const !== undefined) return [typeof schema.const];
  return [schema.type ?? []].flat();
}

function valid(given: Schema): unknown {
  const schema = notNull(resolved(given));
  if (schema.properties !== undefined) {
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, property]) => [name, valid(property)]),
    );
  }
  if (schema.items !== undefined) return [valid(schema.items)];
  if (schema.const !== undefined) return schema.const;
  const [first] = schema.enum ?? schema.examples ?? [];
  if (first !== undefined && first !== null) return first;
  return typesOf(schema).includes('string') ? 'words' : {};
}

/**
 * Puts a value in the place of one field, in the last item of every array on the way: a judge that looks at the first
 * alone misses it. Missing values on the way are created. `undefined` is not written, so that the field is missing.
 */
function put(here: unknown, given: Schema, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const schema = notNull(resolved(given));
  if (step === '*') {
    const items = Array.isArray(here) && here.length > 0 ? here : [valid(schema.items ?? {})];
    return [...items.slice(0, -1), put(items.at(-1), schema.items ?? {}, rest, value)];
  }
  const object = isObject(here) ? here : (valid(given) as JsonObject);
  return { ...object, [step]: put(object[step], schema.properties?.[step] ?? {}, rest, value) };
}

interface FieldBreak {
  readonly words: string;
  readonly field: string;
  readonly kind: Kind;
  readonly rules: readonly string[];
  readonly change: (value: unknown) => unknown;
}

/** Counts that can't be negative; whether the total of a package can is not stated. */
const counts = /(_count|duration_ms)$/;

const dates = ['yesterday at noon', '2026-03-01', '2026-03-01T09:30:00'];

/** Each field of a schema dropped, of another type, null, and out of its range, as far as the schema rules that out. */
export function fieldBreaks(root: Schema): FieldBreak[] {
  return fieldsOf(root).flatMap((field) => {
    const { schema, types, path, required } = field;
    const name = path.join('.').replaceAll('.*', '[]').replace(/^\*/, '[]');
    const other = ofAnotherType(field);
    const range = 'field out of range';
    const breaks: (readonly [kind: Kind, how: string, rule: string, value: unknown] | false)[] = [
      required && ['field dropped', 'dropped', 'field-present', undefined],
      other !== undefined && ['field of another type', `is ${other[0]}`, 'field-type', other[1]],
      !types.includes('null') && ['field null', 'is null', 'field-type', null],
      schema.enum !== undefined && [range, 'has an unlisted value', 'listed-values', 'otherwise'],
      ...dates.map(
        (date) =>
          schema.format === 'date-time' &&
          ([range, `is the date "${date}"`, 'date-time-format', date] as const),
      ),
      types.includes('integer') && [range, 'has a fraction', 'field-type', 1.5],
      counts.test(path.at(-1) ?? '') && [range, 'is negative', 'model-counts', -1],
    ];
    return breaks
      .filter((each) => each !== false)
      .map(([kind, how, rule, value]) => ({
        words: `${name} ${how}`,
        field: name,
        kind,
        rules: [rule],
        change: (body: unknown) => put(body, root, path, value),
      }));
  });
}

/** The likeliest mistake: numbers and truth in words, one thing in place of a list. */
function ofAnotherType({ types }: Field): readonly [words: string, value: unknown] | undefined {
  if (types.includes('integer') || types.includes('number')) return ['a number in words', '12'];
  if (types.includes('boolean')) return ['a truth in words', 'true'];
  if (types.includes('array')) return ['one thing, no list', { first: 'words' }];
  if (types.includes('object')) return ['text, no object', 'words'];
  return types.includes('string') ? ['a number', 12] : undefined;
}

const inJson = operations.filter((operation) => successOf(operation) !== undefined);

const stream: OperationId = 'streamSpeechWithTimestamps';

/** Each field of each successful answer in JSON and of each event, broken, and answers with a field that nobody knows. */
export function answerFields(): Mutant[] {
  const ofAnswers = inJson.flatMap((operation) =>
    fieldBreaks(successOf(operation) ?? {})
      .filter((one) => !isTheSame(operation, one))
      .flatMap(({ words, kind, rules, change }) =>
        table(operation, kind, { [words]: [rules, json(change)] }),
      ),
  );
  const ofEvents = fieldBreaks(schemaOf('SpeechStreamEvent')).flatMap(
    ({ words, field, kind, rules, change }) => {
      const inLastSnapshot = events((all) => {
        const last = all.findLastIndex(({ alignment }) => alignment !== null);
        return all.map((event, index) => (index === last ? change(event) : event));
      });
      const named = field === 'audio_base64' ? [...rules, 'every-event-carries-audio'] : rules;
      return table(stream, kind, { [words]: [named, inLastSnapshot] });
    },
  );
  const withMore = (body: unknown): unknown => (isObject(body) ? { ...body, engine: 'b' } : body);
  const more = 'a field that nobody knows';
  return [
    ...ofAnswers,
    ...ofEvents,
    ...table(inJson, 'addition', { [more]: ['field-known', json(withMore)] }),
    ...table(stream, 'addition', { [more]: ['field-known', eachEvent(withMore)] }),
  ];
}

/** A voice model is broken in every way where it is read; where it is made or listed, each field is dropped and of another type. */
function isTheSame(operation: OperationId, { kind, field }: FieldBreak): boolean {
  const isVoiceModel = operation === 'createModel' || field.startsWith('items');
  return isVoiceModel && kind !== 'field dropped' && kind !== 'field of another type';
}
