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
export function fieldsOfAnswer(answer: Answer): Fields | undefined {
  const { value, unreadable, status, documented, mediaType } = answer;
  // The shape of an error is judged as a whole; additional fields are reported here.
  if (status >= 400) {
    if (value === undefined) return undefined;
    const violations = violationsOfError(value).filter(({ kind }) => kind === 'unknown');
    return { violations: placed(violations), undecoded: [] };
  }
  const schema =
    documented?.content.get(mediaType ?? '') ??
    [...(documented?.content ?? [])].find(([documentedType]) => isJsonType(documentedType))?.[1];
  if (schema === undefined) return undefined;
  if (unreadable !== undefined)
    return { violations: [], undecoded: [{ message: `The body can't be read: ${unreadable}.` }] };
  if (value === undefined) return undefined;
  return { violations: placed(fieldViolations(openApi(), schema, value)), undecoded: [] };
}

/** Violations of the schema of an error: of a list of issues, or of a general one. */
export function violationsOfError(value: unknown): readonly FieldViolation[] {
  const schema = Array.isArray(value) ? 'ValidationError' : 'GeneralError';
  return fieldViolations(openApi(), { $ref: `#/components/schemas/${schema}` }, value);
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
  const others = violations.filter(({ pointer }) => pointer !== '/audio');
  const words = '`/audio` is not binary.';
  return [...others, { kind: 'type', pointer: '/audio', message: words, expected: 'binary' }];
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
            expected,
            actual,
          })),
  );
}
