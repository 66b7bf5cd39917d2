import { type Answer, type Behaviour, type Call, changeJson, type Fields, jsonAnswer } from './proxy.ts';

/** A server by somebody else, written from the interface alone: what it does, and the sentence it breaks or uses. */
export interface Stranger {
  readonly id: string;
  readonly sentence: string;
  /** A new one for each run: it may remember. */
  readonly behave: () => Behaviour;
}

export const pathOf = (call: Call): string => call.path.split('?')[0] ?? '';
export const isRefusal = (answer: Answer): boolean => answer.status >= 400 && answer.status < 500;
export const isSynthesis = (call: Call): boolean =>
  pathOf(call).startsWith('/v1/tts') && call.method === 'POST';

/** Changes what is asked of speech, over HTTP and live. */
export const onSpeech =
  (change: (fields: Fields, call?: Call) => void): (() => Behaviour) =>
  () => ({
    call(call) {
      if (isSynthesis(call) && call.fields !== undefined) change(call.fields, call);
      return undefined;
    },
    fromClient(message) {
      if (message.event === 'start') change(message.request as Fields);
      return [message];
    },
  });

/** Changes calls under a path. */
export const onCall =
  (path: string, change: (call: Call) => unknown): (() => Behaviour) =>
  () => ({
    call: (call) => (pathOf(call).startsWith(path) ? (change(call) as Answer | undefined) : undefined),
  });

/** Changes the JSON of successful answers under a path. */
export const onJson =
  (path: string, change: (value: Fields, call: Call) => unknown): (() => Behaviour) =>
  () => ({
    answer(answer, call) {
      const json = answer.headers['content-type']?.includes('json') === true;
      if (pathOf(call).startsWith(path) && answer.status < 300 && json)
        changeJson(answer, (value) => change(value, call));
    },
  });

/** Changes every voice model that is answered, alone or in a list. */
export const onModels = (change: (model: Fields) => void): (() => Behaviour) =>
  onJson('/model', (value) => {
    if (Array.isArray(value.items)) for (const item of value.items as Fields[]) change(item);
    else if (value._id !== undefined) change(value);
  });

/** Changes each event of the stream with timestamps. */
export const onEvent =
  (change: (payload: Fields, alignment: Fields | null) => void): (() => Behaviour) =>
  () => ({
    event(payload) {
      change(payload, payload.alignment as Fields | null);
      return [payload];
    },
  });

/** Takes a parameter out of the query of a list. */
export const withoutQuery = (...names: readonly string[]): (() => Behaviour) =>
  onCall('/model', (call) => {
    const url = new URL(call.path, 'http://stranger');
    for (const name of names) url.searchParams.delete(name);
    call.path = url.pathname + url.search;
  });

/** Answers the successes of one operation in another way. */
export const onSuccess =
  (method: string, path: string, change: (answer: Answer, call: Call) => void): (() => Behaviour) =>
  () => ({
    answer(answer, call) {
      if (call.method === method && pathOf(call).startsWith(path) && answer.status < 300)
        change(answer, call);
    },
  });

export { jsonAnswer };
