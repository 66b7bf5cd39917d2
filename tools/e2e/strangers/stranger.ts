import type { AnswerChange, CarriedAnswer, CarriedRequest, Interference } from '../mutants/carried.ts';
import { each } from '../mutants/catalogue/live.ts';
import {
  eachEvent,
  fields,
  isObject,
  type JsonObject,
  object,
  onSuccess,
  type StreamEvent,
  set,
} from '../mutants/change.ts';

/** Differences of a server from the good one, for all calls unless it says for which. */
type Behaviour = Partial<Interference>;

/** Servers by somebody else, written from the interface alone: the sentence that each breaks or uses, and what it does. */
export type Strangers = Readonly<
  Record<string, readonly [sentence: string, behave: Behaviour | (() => Behaviour)]>
>;

export const isRefusal = ({ status }: CarriedAnswer): boolean => status >= 400 && status < 500;

export function jsonAnswer(status: number, value: unknown): CarriedAnswer {
  const body = Buffer.from(JSON.stringify(value));
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
  return { status, headers, body };
}

/** Does something to the calls below a path alone. */
export const below = (start: string, behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  concerns: (_method, path) => path.startsWith(start),
});

/** Sends what is asked of speech on in another way, over HTTP and live. */
export const onSpeech = (change: (asked: JsonObject) => JsonObject): Behaviour =>
  below('/v1/tts', {
    request: fields(change),
    ...each('sent', 'start', (message) => [
      set('request', (asked) => (isObject(asked) ? change(asked) : asked))(message),
    ]),
  });

/** Answers by itself where it returns something. */
export const instead = (
  start: string,
  answer: (call: CarriedRequest) => CarriedAnswer | undefined,
): Behaviour => below(start, { instead: answer });

export const onJson = (
  start: string,
  change: (body: JsonObject, call: CarriedRequest) => JsonObject,
): Behaviour => below(start, { answer: onSuccess(object(change)) });

/** Changes every voice model that is answered, alone or in a list. */
export const onModels = (change: (model: JsonObject) => JsonObject): Behaviour =>
  onJson('/model', (body) => {
    if (Array.isArray(body.items)) return { ...body, items: body.items.map(change) };
    return body._id === undefined ? body : change(body);
  });

export const onEvent = (change: (event: StreamEvent) => unknown): Behaviour =>
  below('/v1/tts', { answer: onSuccess(eachEvent(change)) });

export const onMethod = (method: string, start: string, change: AnswerChange): Behaviour => ({
  concerns: (called, path) => called === method && path.startsWith(start),
  answer: onSuccess(change),
});
