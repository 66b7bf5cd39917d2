import { defaultModel, headerNames, type OperationId, operationTable } from '@speech-api/types';
import { toneAsWav } from '../request.ts';
import type { Call, CallStep, Key, Scenario, Step } from '../step.ts';
import { greeting, refused, success } from './making.ts';
import { callModels, itemsOf, makeAndDelete } from './voice-lives.ts';

// Section 5: every endpoint takes a key. One scenario an operation and kind of key; the first of each come early.

const reasons: Readonly<
  Record<Exclude<Key, 'given'>, { readonly because: string; readonly refusal: string }>
> = {
  none: { because: 'there is no key', refusal: 'key-missing' },
  wrong: { because: 'no server knows the key', refusal: 'key-unknown' },
};

/** Requests that would be good with a key, and cost little on a server that does not look at it. */
const calls: Partial<Record<OperationId, Call>> = {
  createSpeech: { fields: { text: greeting } },
  streamSpeechWithTimestamps: { fields: { text: greeting } },
  createTranscription: { fields: { audio: toneAsWav({ seconds: 1 }) } },
  createModel: { fields: { type: 'tts' } },
  updateModel: { fields: {} },
};

const early: readonly string[] = [
  'createSpeech none',
  'streamSpeechWithTimestamps wrong',
  'listModels wrong',
  'openLiveSession wrong',
];

export const keys: readonly Scenario[] = (Object.keys(operationTable) as OperationId[]).flatMap(
  (operationId, index) =>
    (['none', 'wrong'] as const).map((key) => ({
      name: `key-${key === 'none' ? 'missing' : 'unknown'}-${operationId}`,
      about: `${operationId} ${key === 'none' ? 'without a key' : 'with an unknown key'} is refused`,
      priority: early.includes(`${operationId} ${key}`) ? 16 : 48 + index / 100,
      steps: operationId === 'getModel' ? readWithBadKey(key) : [oneStep(operationId, key)],
    })),
);

/** A voice model that is there: of one that is not, nobody can tell whether the key was looked at. */
function readWithBadKey(key: Exclude<Key, 'given'>): Step[] {
  const step = oneStep('getModel', key);
  if (step.kind === 'live') return [step];
  return [
    callModels(
      'listModels',
      `to read one ${key === 'none' ? 'without a key' : 'with an unknown key'}`,
      () => ({ query: [['page_size', '1']] }),
      {
        remember: (exchange, memory) => {
          const id = itemsOf(exchange)[0]?._id;
          if (typeof id === 'string') memory.set('voice', id);
        },
      },
    ),
    { ...step, needs: ['voice'], call: (memory) => ({ key, path: { id: memory.get('voice') } }) },
  ];
}

function oneStep(operationId: OperationId, key: Exclude<Key, 'given'>): Step {
  const { because, refusal } = reasons[key];
  const expectation = refused(because, refusal);
  const name = `${operationId}, ${key === 'none' ? 'without a key' : 'with an unknown key'}`;
  const model = operationTable[operationId].acceptsModel ? { [headerNames.model]: defaultModel } : {};
  if (operationId === 'openLiveSession') {
    return { kind: 'live', name, key, headers: model, expectation, script: () => [] };
  }
  const id = 'speech-contract-no-such-voice';
  return {
    kind: 'call',
    name,
    operationId,
    expectation,
    ...(operationId === 'createTranscription' && { cost: { audioSeconds: 1 } }),
    ...(operationId === 'createModel' && { cost: makeAndDelete }),
    call: () => ({ key, headers: model, path: { id, user_id: 'self' }, ...calls[operationId] }),
  };
}

/** Requests for what there is not. */
export const addresses: readonly Scenario[] = [
  {
    name: 'address-unknown',
    about: 'a path that no operation has is not found',
    priority: 39,
    steps: [
      {
        kind: 'call',
        operationId: 'listModels',
        name: 'a path that no operation has',
        expectation: refused('no operation has this path', 'unknown-path'),
        call: () => ({ elsewhere: `${operationTable.listModels.path}s-of-speech-contract` }),
      },
    ],
  },
  {
    name: 'address-method',
    about: 'a method that a path does not have is refused',
    priority: 39.1,
    steps: [
      {
        kind: 'call',
        operationId: 'listModels',
        name: 'a method that the path does not have',
        expectation: refused('the path has no such method', 'unknown-method'),
        call: () => ({ method: 'PUT' }),
      },
    ],
  },
];

const operations = ['getApiCredit', 'getPackage'] as const;

const wallet = (
  operationId: (typeof operations)[number],
  what: string,
  user: string,
  expectation: CallStep['expectation'],
) =>
  ({
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation,
    call: () => ({ path: { user_id: user } }),
  }) satisfies CallStep;

export const wallets: readonly Scenario[] = [
  {
    name: 'wallet-own',
    about: 'the own credit and package are read',
    priority: 6,
    steps: operations.map((operationId) => wallet(operationId, 'own', 'self', success)),
  },
  {
    name: 'wallet-foreign',
    about: 'the wallet of another user is not shown',
    priority: 47,
    steps: operations.map((operationId) =>
      wallet(operationId, 'of somebody else', 'speech-contract-nobody', {
        ...refused('the user is not the caller', 'forbidden', 'not-found'),
      }),
    ),
  },
];
