import { encode } from '@msgpack/msgpack';
import { readAsyncApi } from '@speech-api/spec/read';
import type {
  LiveClientMessage,
  LiveServerMessage,
  LiveTimedAudioMessage,
  OperationId,
  SynthesisRequest,
} from '@speech-api/types';
import { Refusal } from '../answer.ts';
import { decodeMessagePack } from '../decode.ts';
import {
  type CheckedPlace,
  checkValues,
  createStandards,
  issuesOf,
  type ReceiverOptions,
  refuseBrokenRule,
  refuseIssues,
} from '../receive.ts';
import { isObject, type JsonObject, propertiesOf, type Schema } from '../schema.ts';
import { withoutUnknown } from '../tolerate.ts';
import { createValidator, synthesisRequest, type Validator } from '../validator.ts';
import { clip, listed, suggest } from '../words.ts';

export const clientMessageSchemas: Readonly<Record<LiveClientMessage['event'], string>> = {
  start: 'StartMessage',
  text: 'TextMessage',
  flush: 'FlushMessage',
  stop: 'StopMessage',
};

export function encodeLiveMessage(message: LiveServerMessage | LiveTimedAudioMessage): Uint8Array {
  return encode(message);
}

const mostBytes = 123;

/** A reason that fits into a close frame, cut between characters. */
export function closeReason(text: string): string {
  let reason = text.slice(0, mostBytes);
  while (Buffer.byteLength(reason) > mostBytes) reason = [...reason].slice(0, -1).join('');
  return reason;
}

export type LiveReceiver = ReturnType<typeof createLiveReceiver>;

const operationId: OperationId = 'openLiveSession';
const ofBodyAlone: CheckedPlace = {
  parameters: { path: {}, query: {}, header: {} },
  path: {},
  schema: synthesisRequest,
  encoding: 'msgpack',
};

export function createLiveReceiver(options: ReceiverOptions = {}) {
  const standards = createStandards(options);
  const { lenient } = standards;
  const messages = createValidator(readAsyncApi());
  const shells = new Map(
    Object.entries(clientMessageSchemas).map(([event, component]) => [event, shellOf(messages, component)]),
  );

  const checkRules = (request: SynthesisRequest, model: string | undefined): void =>
    refuseBrokenRule({ ...request }, { model, operationId }, standards);

  return {
    /**
     * Decodes and checks one frame. What `start` asks for is checked like the body of an ordinary call, except that its
     * text may be empty.
     *
     * @param model the model header of the upgrade
     * @throws Refusal `malformed-body` when the frame is not MessagePack
     * @throws Refusal `schema`, `rule` or `text-too-long` when it is not a message of the spec
     */
    receive(frame: Uint8Array, model: string | undefined): LiveClientMessage {
      const value = decodeMessagePack(frame);
      const event = eventOf(value);
      const shell = shells.get(event);
      if (shell === undefined) throw unknownEvent(event);
      const loose = lenient ? withoutUnknown(messages.document, shell, value) : value;
      const { request, ...rest } = loose as JsonObject;
      // The request is checked separately, by the branch of its schema that matches.
      const message = isObject(request) ? { ...rest, request: {} } : loose;
      refuseIssues(issuesOf('body', messages.validate(shell, message, 'msgpack')));
      if (event !== 'start') return message as LiveClientMessage;
      const checked = checkValues({ headers: {}, query: {}, body: request }, ofBodyAlone, standards)
        .body as SynthesisRequest;
      checkRules(checked, model);
      return { event: 'start', request: checked };
    },

    /** Checks text after `start` by the rules between it and the fields of `start`. @throws Refusal as `receive` */
    checkText: (text: string, request: SynthesisRequest, model: string | undefined): void =>
      checkRules({ ...request, text }, model),
  };
}

/** A message's schema without that of its request. */
function shellOf({ document }: Validator, component: string): Schema {
  const schema: Schema = document.schema(component);
  const properties = [...propertiesOf(document, schema)].map(
    ([name, property]) => [name, name === 'request' ? { type: 'object' } : property] as const,
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function eventOf(value: unknown): string {
  if (!isObject(value)) throw refused('A message must be a map with the field `event`.');
  const { event } = value;
  if (typeof event === 'string') return event;
  throw refused('A message must have the field `event`, a string.');
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
