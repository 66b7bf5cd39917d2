import { encode } from '@msgpack/msgpack';
import type {
  LiveClientMessage,
  LiveServerMessage,
  LiveTimedAudioMessage,
  SynthesisRequest,
} from '@speech-api/types';
import { type DecodeLimits, defaultDecodeLimits } from '../decode/failure.ts';
import { decodeMessagePack } from '../decode/msgpack.ts';
import { issuesOf, refuseIssues } from '../receive/request.ts';
import { Refusal } from '../refuse/refusal.ts';
import { loadLiveDocument, type Schema } from '../spec/document.ts';
import { readOperations } from '../spec/operations.ts';
import { propertiesOf } from '../spec/schema.ts';
import { loadTolerances } from '../spec/tolerances.ts';
import { skippedRules, tolerate, withoutUnknown } from '../tolerate.ts';
import { findBrokenRule } from '../validate/rules.ts';
import { createValidator, type Validator } from '../validate/validator.ts';
import { clip, listed, suggest } from '../validate/words.ts';

/** The component of each event. */
export const clientMessageSchemas: Readonly<Record<LiveClientMessage['event'], string>> = {
  start: 'StartMessage',
  text: 'TextMessage',
  flush: 'FlushMessage',
  stop: 'StopMessage',
};

/** One frame. */
export function encodeLiveMessage(message: LiveServerMessage | LiveTimedAudioMessage): Uint8Array {
  return encode(message);
}

/** Maximum length of the reason in a close frame. */
const mostBytes = 123;

/** A reason that fits into a close frame, cut between characters. */
export function closeReason(text: string): string {
  let reason = text.slice(0, mostBytes);
  while (Buffer.byteLength(reason) > mostBytes) reason = [...reason].slice(0, -1).join('');
  return reason;
}

/** Options for receiving the messages of live sessions. */
export interface LiveReceiverOptions {
  /** Accepts the tolerances of the spec. @defaultValue false */
  readonly lenient?: boolean;
  readonly limits?: Partial<DecodeLimits>;
}

/** Takes the messages of live sessions in. */
export interface LiveReceiver {
  /**
   * Decodes and judges one frame. What `start` asks for is judged like the body of an ordinary call, except that its
   * text may be empty.
   *
   * @param model the model header of the upgrade
   * @throws DecodeFailure when the frame is not MessagePack
   * @throws Refusal `schema`, `rule` or `text-too-long` when it is not a message of the spec
   */
  receive(frame: Uint8Array, model: string | undefined): LiveClientMessage;
  /**
   * Judges text that has come after `start` by the rules between it and what `start` asked for.
   *
   * @throws Refusal as `receive`
   */
  checkText(text: string, request: SynthesisRequest, model: string | undefined): void;
}

const synthesisRequest: Schema = { $ref: '#/components/schemas/SynthesisRequest' };

/** Makes a receiver over the live schemas of the spec. */
export function createLiveReceiver(options: LiveReceiverOptions = {}): LiveReceiver {
  const limits: DecodeLimits = { ...defaultDecodeLimits, ...options.limits };
  const lenient = options.lenient ?? false;
  const requests = createValidator();
  const messages = createValidator(loadLiveDocument());
  const upgrade = readOperations(requests.document).find(({ id }) => id === 'openLiveSession');
  if (upgrade === undefined) throw new Error('The spec has no live session.');
  const skipped = lenient ? skippedRules(loadTolerances()) : new Set<string>();
  const shells = new Map(
    Object.entries(clientMessageSchemas).map(([event, component]) => [event, shellOf(messages, component)]),
  );

  const judge = (validator: Validator, name: string, schema: Schema, value: unknown): unknown => {
    const validated = validator.validateValue(name, schema, value, 'msgpack');
    refuseIssues('schema', issuesOf(upgrade, 'body', validated));
    return validated.valid ? validated.value : undefined;
  };

  const tolerated = (body: unknown): unknown => {
    const { document } = requests;
    const loose = { headers: {}, query: {}, body };
    return tolerate(loose, { document, querySchema: {}, bodySchema: synthesisRequest, headerNames: [] }).body;
  };

  const judgeRequest = (given: unknown, model: string | undefined): SynthesisRequest => {
    const body = lenient ? tolerated(given) : given;
    let request: unknown;
    try {
      request = judge(requests, 'request', synthesisRequest, body);
    } catch (error) {
      throw error instanceof Refusal && isTolerable(given) ? withHint(error) : error;
    }
    refuseBrokenRule(request, model);
    return request as SynthesisRequest;
  };

  /** Whether a lenient server would have accepted the value. */
  const isTolerable = (given: unknown): boolean =>
    !lenient && requests.validateValue('request', synthesisRequest, tolerated(given), 'msgpack').valid;

  const refuseBrokenRule = (body: unknown, model: string | undefined): void => {
    const broken = findBrokenRule({ body, model, operationId: upgrade.id }, skipped);
    if (broken) throw new Refusal(broken.rule.refusal ?? 'rule', { message: broken.message });
  };

  return {
    receive(frame, model) {
      const given = decodeMessagePack(frame, limits);
      const event = eventOf(given);
      const shell = shells.get(event);
      if (shell === undefined) throw unknownEvent(event);
      const loose = lenient ? withoutUnknown(messages.document, shell, given) : given;
      const { request, ...rest } = loose as Readonly<Record<string, unknown>>;
      // The request is judged by itself, by the one branch of its schema that is meant.
      const emptied = isMap(request) ? { ...rest, request: {} } : loose;
      const message = judge(messages, event, shell, emptied) as LiveClientMessage;
      if (message.event !== 'start') return message;
      return { event: 'start', request: judgeRequest(request, model) };
    },

    checkText(text, request, model) {
      refuseBrokenRule({ ...request, text }, model);
    },
  };
}

/** A published client sends what only a lenient server accepts: its user should learn how to try it anyway. */
function withHint({ entry, message, issues, headers, cause }: Refusal): Refusal {
  const hint = 'A server that is started with --lenient accepts this message.';
  return new Refusal(entry.id, { message: `${message} ${hint}`, issues, headers, cause });
}

/** A message's schema without that of its request. */
function shellOf({ document }: Validator, component: string): Schema {
  const schema = document.components.schemas?.[component] as Schema | undefined;
  if (schema === undefined) throw new Error(`The spec has no live message ${component}.`);
  const properties = [...propertiesOf(document, schema)].map(
    ([name, property]) => [name, name === 'request' ? { type: 'object' } : property] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function eventOf(given: unknown): string {
  if (!isMap(given)) throw refused('A message must be a map with the field `event`.');
  const { event } = given;
  if (typeof event === 'string') return event;
  throw refused('A message must have the field `event`, a string.');
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Uint8Array)
  );
}

function unknownEvent(event: string): Refusal {
  const events = Object.keys(clientMessageSchemas);
  const meant = suggest(event, events);
  const hint = meant === undefined ? `; send ${listed(events)}` : `, did you mean \`${meant}\`?`;
  return refused(`unknown event \`${clip(event)}\`${meant === undefined ? `${hint}.` : hint}`);
}

function refused(message: string): Refusal {
  const issue = { loc: ['body', 'event'], type: 'enum', msg: message, ctx: '' };
  return new Refusal('schema', { message, issues: [issue] });
}
