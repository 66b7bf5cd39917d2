import type { SpeechClient } from '@speech-api/client';
import type { OperationId } from '@speech-api/types';
import fc from 'fast-check';
import { arbitraryOf } from './arbitrary-of.ts';
import { operationOf } from './specification.ts';

/** What a call sends, made from the schemas of its operation. */
interface CallInput {
  readonly body: never;
  readonly query: never;
  /** The id in the path. */
  readonly id: string;
  readonly options: { readonly model: string | undefined; readonly contentType: never };
}

type Call = (client: SpeechClient, input: CallInput) => PromiseLike<unknown>;

/** One call of the client for each operation over HTTP. */
export const calls: Readonly<Record<Exclude<OperationId, 'openLiveSession'>, Call>> = {
  createSpeech: async ({ speech }, { body, options: { model } }) =>
    (await speech.create(body, { model })).cancel(),
  streamSpeechWithTimestamps: async ({ speech }, { body, options: { model } }) =>
    (await speech.streamWithTimestamps(body, { model })).cancel(),
  createTranscription: ({ transcriptions }, { body, options: { contentType } }) =>
    transcriptions.create(body, { contentType }),
  listModels: ({ models }, { query }) => models.list(query).page(1),
  createModel: ({ models }, { body, options: { contentType } }) => models.create(body, { contentType }),
  getModel: ({ models }, { id }) => models.get(id),
  updateModel: ({ models }, { id, body, options: { contentType } }) =>
    models.update(id, body, { contentType }),
  deleteModel: ({ models }, { id }) => models.delete(id),
  getApiCredit: ({ wallet }, { id }) => wallet.getApiCredit(id),
  getPackage: ({ wallet }, { id }) => wallet.getPackage(id),
};

const models = fc.constantFrom('s1', 's2-pro', 's2.1-pro', 's2.1-pro-free', undefined);

/** Inputs that the schemas of an operation allow. */
export function inputsOf(operationId: string): fc.Arbitrary<CallInput> {
  const { bodies, query } = operationOf(operationId);
  const schema = bodies['application/msgpack'];
  return fc.record({
    body: (schema ? arbitraryOf(schema, 'as bytes') : fc.constant(undefined)) as fc.Arbitrary<never>,
    query: arbitraryOf({ type: 'object', properties: query }, 'as bytes') as fc.Arbitrary<never>,
    id: fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    options: fc.record({
      model: models,
      contentType: fc.constantFrom(...contentTypesOf(Object.keys(bodies))),
    }),
  });
}

/** The caller chooses among forms and MessagePack. Only a body that may be a form without files also goes as JSON. */
function contentTypesOf(types: readonly string[]): never[] {
  if (!types.includes('multipart/form-data')) return [undefined as never];
  const isPlain = types.includes('application/x-www-form-urlencoded');
  return types.filter((type) => isPlain || type !== 'application/json') as never[];
}

/** The call of an operation, however it is named. */
export function callOf(operationId: string): Call {
  const call = (calls as Readonly<Record<string, Call>>)[operationId];
  if (!call) throw new Error(`No call of ${operationId}. Add it to tools/e2e/test/contract/calls.ts.`);
  return call;
}
