import {
  defaultModel,
  headerNames,
  type RuleCondition,
  type SynthesisRule,
  synthesisDefaults,
  synthesisRules,
} from '@speech-api/types';
import { type Chapter, chapter, type Problem, present, unless } from '../problem.ts';
import type { Operation } from '../specification/document.ts';
import {
  asObject,
  asyncApi,
  isObject,
  type JsonObject,
  objectAt,
  openApi,
  resolve,
} from '../specification/document.ts';
import { type FieldViolation, fieldViolations } from '../specification/field-violations.ts';
import { type Answer, mediaTypeOf } from '../subjects/answer.ts';
import { plain, schemaBreakOf } from '../subjects/fields.ts';
import type { DecodedMessage } from '../subjects/live-session.ts';
import type { Reading } from '../subjects/reading.ts';

/** Maximum number of problems that are reported for one request. */
const mostProblems = 20;

/** Rules for the requests of a client, over HTTP and when it opens a socket. */
const requests = chapter(({ answer }: Reading) => [answer], {
  'request-has-key': ({ operation, asked }) => {
    if (operation === undefined) return undefined;
    return unless(/^Bearer +\S/i.test(asked.headers.authorization ?? ''), {
      message: 'The request has no key: the header Authorization must be "Bearer", a space and the key.',
      where: 'header authorization',
      expected: 'Bearer <API_KEY>',
    });
  },

  'request-media-type': ({ operation, asked, exchange }) => {
    const isSent = exchange.request.body !== undefined && exchange.request.body.length > 0;
    if (operation === undefined || operation.requestMediaTypes.length === 0 || !isSent) return undefined;
    const mediaType = asked.headers['content-type'];
    const expected = operation.requestMediaTypes.join(' or ');
    return unless(operation.requestMediaTypes.includes(mediaTypeOf(mediaType) ?? ''), {
      message: `The content-type of the request is ${JSON.stringify(mediaType ?? '')}, not ${expected}.`,
      where: 'header content-type',
      expected,
      actual: mediaType ?? 'none',
    });
  },

  'request-fields': (answer) => {
    const { operation } = answer;
    if (operation === undefined) return undefined;
    return [...parameterProblems(operation, answer), ...bodyProblems(operation, answer)].slice(
      0,
      mostProblems,
    );
  },

  'request-rules': ({ operation, asked }) => {
    const { body } = asked;
    if (operation === undefined || !isObject(body) || !isSynthesis(operation)) return undefined;
    const broken = synthesisRules.find(
      ({ effect, applies_to, when, require }) =>
        effect === 'refuse' &&
        (applies_to === undefined || applies_to.includes(operation.id)) &&
        when.every((condition) => holds(condition, body, asked.headers.model)) &&
        !require.every((condition) => holds(condition, body, asked.headers.model)),
    );
    if (broken === undefined) return [];
    const { id, field, provenance } = broken;
    return [
      {
        message: `The request breaks the rule ${id}: ${inWords(broken, body, asked.headers.model)}.`,
        where: field === 'header:model' ? 'header model' : field,
        ...(provenance !== undefined && { severity: 'warning' as const }),
      },
    ];
  },
});

const sessionMessages = chapter(({ session }: Reading) => present(session), {
  'live-messages-sent': ({ messages }) =>
    messages
      .filter(({ direction }) => direction === 'sent')
      .flatMap(messageProblems)
      .slice(0, mostProblems),
});

export const requestChapters: readonly Chapter<Reading>[] = [requests, sessionMessages];

function isSynthesis({ id }: Operation): boolean {
  return id === 'createSpeech' || id === 'streamSpeechWithTimestamps';
}

/** Problems in the query and the headers. */
function parameterProblems({ parameters: declared }: Operation, { asked }: Answer): readonly Problem[] {
  const names = declared.filter((parameter) => parameter.in === 'query').map(({ name }) => String(name));
  return [
    ...declared.flatMap((parameter): readonly Problem[] => {
      const name = String(parameter.name);
      const isQuery = parameter.in === 'query';
      // The key has its own rule, an invalid traceparent starts a new trace, and the other headers belong to the handshake.
      if (!isQuery && name.toLowerCase() !== headerNames.model) return [];
      const texts = isQuery ? asked.query.getAll(name) : [asked.headers[name.toLowerCase()] ?? []].flat();
      const place = isQuery ? `query ${name}` : `header ${name}`;
      if (texts.length === 0)
        return unless(parameter.required !== true, { message: `The ${place} is missing.`, where: place });
      const schema = objectAt(parameter, 'schema');
      return fieldViolations(openApi(), schema, readText(texts, schema)).map((violation) => ({
        message: `The ${place} has a wrong value: ${violation.message.replace('The body', 'it')}`,
        where: place,
        actual: texts.join(', ').slice(0, 80),
        ...severityOf(violation),
      }));
    }),
    ...[...new Set(asked.query.keys())]
      .filter((name) => !names.includes(name))
      .map((name) => ({
        message: `The query has ${JSON.stringify(name.slice(0, 80))}, which is not a parameter of this operation.`,
        where: 'query',
        severity: 'warning' as const,
      })),
  ];
}

/** The value of a query or header according to its schema. */
function readText(texts: readonly string[], schema: JsonObject): unknown {
  const { type, items, anyOf } = resolve(openApi(), schema);
  const choices = Array.isArray(anyOf) ? anyOf.map((choice) => resolve(openApi(), choice)) : [];
  const list = type === 'array' ? items : choices.find((choice) => choice.type === 'array')?.items;
  if (list !== undefined && (type === 'array' || texts.length > 1))
    return texts.map((text) => readText([text], asObject(list)));
  const text = texts.at(-1) ?? '';
  if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function bodyProblems({ requestMediaTypes }: Operation, { asked, exchange }: Answer): readonly Problem[] {
  const { body, headers } = exchange.request;
  if (body === undefined || body.length === 0 || 'content-encoding' in headers) return [];
  if (asked.body === undefined) {
    const type = mediaTypeOf(headers['content-type']) ?? '';
    const message = `The body of the request can't be read as ${type}.`;
    return unless(!requestMediaTypes.includes(type), { message, where: 'body' });
  }
  const broken = schemaBreakOf(exchange, asked.body);
  if (broken === undefined) return [];
  const { pointer, message } = broken;
  return [
    {
      message: `The request breaks its schema: ${message}`,
      where: pointer === '' ? 'body' : pointer,
      ...severityOf(broken),
    },
  ];
}

/** The interface does not mention unknown fields; strict servers refuse them. */
function severityOf({ kind, isOurs }: FieldViolation): Pick<Problem, 'severity'> {
  return kind === 'unknown' || isOurs === true ? { severity: 'warning' } : {};
}

function valueAt(
  { at }: Pick<RuleCondition, 'at'>,
  body: JsonObject,
  model: string | undefined,
  withDefault: boolean,
) {
  if (at === 'header:model') return model ?? (withDefault ? defaultModel : undefined);
  const names = at.slice(1).split('/');
  const sent = names.reduce<unknown>((value, name) => asObject(value)[name], body) ?? undefined;
  const [name = ''] = names;
  return (
    sent ?? (withDefault && names.length === 1 ? asObject(synthesisDefaults)[name] : undefined) ?? undefined
  );
}

/** True if a condition of `synthesis.yaml` holds; an absent value without a default satisfies all but `is`. */
function holds(condition: RuleCondition, body: JsonObject, model: string | undefined): boolean {
  if ('is' in condition) {
    const value = valueAt(condition, body, model, false);
    switch (condition.is) {
      case 'present':
        return value !== undefined;
      case 'absent':
        return value === undefined;
      case 'string':
        return typeof value === 'string';
      case 'array':
        return Array.isArray(value);
      case 'array-of-arrays':
        return Array.isArray(value) && value.some(Array.isArray);
    }
  }
  const value = valueAt(condition, body, model, true);
  if (value === undefined) return true;
  if ('in' in condition) return condition.in.some((choice) => choice === value);
  if ('not_in' in condition) return !condition.not_in.some((choice) => choice === value);
  if ('code_points_at_most' in condition)
    return (
      typeof value !== 'string' ||
      value.length <= condition.code_points_at_most ||
      [...value].length <= condition.code_points_at_most
    );
  if ('same_length_as' in condition) {
    const list = body[condition.same_length_as.slice(1)];
    return !Array.isArray(value) || !Array.isArray(list) || value.length === list.length;
  }
  const speakers = body[condition.speaker_tags_below.slice(1)];
  const tags = [...String(value).matchAll(/<\|speaker:(\d+)\|>/g)].map(([, number]) => Number(number));
  return !Array.isArray(speakers) || tags.every((number) => number < speakers.length);
}

/** The message of a rule between fields, with the actual value. */
function inWords(rule: SynthesisRule, body: JsonObject, model: string | undefined): string {
  const {
    message,
    field,
    require: [requirement],
  } = rule;
  const value = valueAt({ at: field }, body, model, true);
  return message
    .replaceAll('{value}', Array.isArray(value) ? `with ${value.length} entries` : String(value).slice(0, 80))
    .replaceAll('{field}', field.replace(/^\//, ''))
    .replaceAll('{allowed}', allowedBy(requirement));
}

function allowedBy(requirement: RuleCondition | undefined): string {
  if (requirement === undefined) return '';
  if ('in' in requirement) return requirement.in.join(', ');
  return 'code_points_at_most' in requirement ? String(requirement.code_points_at_most) : '';
}

function messageProblems({ index, frame, map, event, problem }: DecodedMessage): readonly Problem[] {
  const where = `message ${index}`;
  if (problem !== undefined || map === undefined)
    return [
      { message: `The client's message ${index} is wrong: ${problem ?? `it is a ${frame} frame`}.`, where },
    ];
  const messages = objectAt(objectAt(asyncApi(), 'components'), 'messages');
  if (event === undefined || !['start', 'text', 'flush', 'stop'].includes(event))
    return [
      {
        message: `The client's message ${index} has the event ${JSON.stringify(event)}, which no client sends.`,
        where,
      },
    ];
  const payload = objectAt(resolve(asyncApi(), messages[event]), 'payload');
  return fieldViolations(asyncApi(), payload, plain(map)).map(({ message, pointer }) => ({
    message: `The client's message ${index}, ${event}: ${message}`,
    where: `${where} ${pointer}`.trim(),
  }));
}
