import type { OperationId } from '@speech-api/types';
import { eachEvent, events, isObject, type JsonObject, json } from '../change.ts';
import { changeField, type Field, fieldsOf, nameOf } from '../fields.ts';
import { type Kind, type Mutant, table } from '../mutant.ts';
import { operations, type Schema, schemaOf, successOf } from '../specification.ts';

/** One way to break one field of a value. */
export interface FieldBreak {
  readonly words: string;
  readonly field: string;
  readonly kind: Kind;
  readonly rules: readonly string[];
  readonly change: (value: unknown) => unknown;
}

/** Counts that can't be negative; whether the total of a package can is not stated. */
const counts = /(_count|duration_ms)$/;

/** Each field of a schema dropped, of another type, null, and out of its range, as far as the schema rules that out. */
export function fieldBreaks(root: Schema): FieldBreak[] {
  return fieldsOf(root).flatMap((field) => {
    const { schema, types, path, required } = field;
    const make = (kind: Kind, how: string, rule: string, change: FieldChange): FieldBreak => ({
      words: `${nameOf(field)} ${how}`,
      field: nameOf(field),
      kind,
      rules: [rule],
      change: (value) => changeField(value, field, change),
    });
    const set = (kind: Kind, how: string, rule: string, value: unknown) =>
      make(kind, how, rule, (parent, name) => Object.assign(parent, { [name]: value }));
    const range = (how: string, value: unknown, rule: string) => set('field out of range', how, rule, value);
    const dropped = make('field dropped', 'dropped', 'field-present', (parent, name) => delete parent[name]);
    const other = ofAnotherType(field);
    return [
      ...(required ? [dropped] : []),
      ...(other ? [set('field of another type', `is ${other[0]}`, 'field-type', other[1])] : []),
      ...(types.includes('null') ? [] : [set('field null', 'is null', 'field-type', null)]),
      ...(schema.enum ? [range('has an unlisted value', 'otherwise', 'listed-values')] : []),
      ...(schema.format === 'date-time'
        ? ['yesterday at noon', '2026-03-01', '2026-03-01T09:30:00'].map((date) =>
            range(`is the date "${date}"`, date, 'date-time-format'),
          )
        : []),
      ...(types.includes('integer') ? [range('has a fraction', 1.5, 'field-type')] : []),
      ...(counts.test(path.at(-1) ?? '') ? [range('is negative', -1, 'model-counts')] : []),
    ];
  });
}

type FieldChange = (parent: JsonObject, name: string) => unknown;

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
