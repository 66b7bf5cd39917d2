import type { Problem } from '../problem.ts';
import {
  asyncApi,
  isObject,
  type JsonObject,
  objectAt,
  openApi,
  resolve,
} from '../specification/document.ts';
import { type FieldViolation, fieldViolations } from '../specification/field-violations.ts';
import { type Answer, isJsonType } from './answer.ts';
import type { DecodedMessage } from './live-session.ts';
import type { RawStream } from './read-stream.ts';

/** The fields of a body, or of every event of a stream, against their schema. */
export interface Fields {
  readonly violations: readonly PlacedViolation[];
  /** Bodies and payloads that hold no value at all. */
  readonly undecoded: readonly { readonly message: string; readonly where?: string }[];
}

interface PlacedViolation extends FieldViolation {
  readonly where: string;
}

/** The fields of a JSON answer; `undefined` if no JSON is expected. */
export function fieldsOfAnswer({ json, status, documented, mediaType }: Answer): Fields | undefined {
  if (json === undefined) return undefined;
  // The shape of an error is judged as a whole; additional fields are reported here.
  if (status >= 400) {
    if (!('value' in json)) return undefined;
    const schema = Array.isArray(json.value) ? 'ValidationError' : 'GeneralError';
    const violations = fieldViolations(openApi(), { $ref: `#/components/schemas/${schema}` }, json.value);
    return { violations: placed(violations.filter(({ kind }) => kind === 'unknown')), undecoded: [] };
  }
  const schema =
    documented?.content.get(mediaType ?? '') ??
    [...(documented?.content ?? [])].find(([documentedType]) => isJsonType(documentedType))?.[1];
  if (schema === undefined) return undefined;
  if (!('value' in json))
    return { violations: [], undecoded: [{ message: `The body can't be read: ${json.problem}.` }] };
  return { violations: placed(fieldViolations(openApi(), schema, json.value)), undecoded: [] };
}

/** The fields of all events. Another rule reports a payload that can't be read. */
export function fieldsOfStream({ events }: RawStream): Fields {
  const message = resolve(openApi(), { $ref: '#/components/schemas/SpeechStreamMessage' });
  const schema = objectAt(objectAt(objectAt(message, 'properties'), 'data'), 'contentSchema');
  const violations = events.flatMap(({ index, payload }) =>
    'value' in payload
      ? fieldViolations(openApi(), schema, payload.value).map((each) => ({
          ...each,
          message: `Event ${index}: ${each.message}`,
          where: `event ${index} ${each.pointer}`.trim(),
        }))
      : [],
  );
  return { violations, undecoded: [] };
}

/** Violations in a message of the server; `undefined` if the spec does not know the message. */
export function violationsOfMessage(message: JsonObject): readonly FieldViolation[] | undefined {
  const messages = objectAt(objectAt(asyncApi(), 'components'), 'messages');
  const known = typeof message.event === 'string' ? messages[message.event] : undefined;
  if (!isObject(known) || !['audio', 'finish', 'error'].includes(String(message.event))) return undefined;
  const payload = objectAt(resolve(asyncApi(), known), 'payload');
  // The schema describes bytes as a string; that they are bytes is judged separately.
  const written = Object.fromEntries(
    Object.entries(message).map(([name, value]) => [name, value instanceof Uint8Array ? '' : value]),
  );
  const violations = fieldViolations(asyncApi(), payload, written);
  if (message.event !== 'audio' || message.audio === undefined || message.audio instanceof Uint8Array)
    return violations;
  const notBytes = {
    kind: 'type' as const,
    pointer: '/audio',
    message: '`/audio` is not binary.',
    expected: 'binary',
  };
  return [...violations.filter(({ pointer }) => pointer !== '/audio'), notBytes];
}

function placed(violations: readonly FieldViolation[]): readonly PlacedViolation[] {
  return violations.map((violation) => ({ ...violation, where: violation.pointer }));
}

/** The violations of the server's messages that a rule speaks about. */
export function judgeFields(
  messages: readonly DecodedMessage[],
  speaksAbout: (violation: FieldViolation) => boolean,
): readonly Problem[] {
  return messages.flatMap(({ index, direction, map }) =>
    direction === 'sent' || map === undefined
      ? []
      : (violationsOfMessage(map) ?? [])
          .filter(speaksAbout)
          .map(({ message, pointer, expected, actual }) => ({
            message: `Message ${index}: ${message}`,
            where: `message ${index} ${pointer}`.trim(),
            ...(expected !== undefined && { expected }),
            ...(actual !== undefined && { actual }),
          })),
  );
}
