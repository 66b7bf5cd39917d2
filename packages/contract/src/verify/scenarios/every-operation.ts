import { defaultModel, headerNames, type OperationId, operationTable } from '@speech-api/types';
import { toneAsWav } from '../request.ts';
import type { Call, CallStep, Key, Scenario, Step } from '../step.ts';
import { greeting, refused, scenario, success } from './making.ts';
import {
  callModels,
  itemsOf,
  makeAndDelete,
  recording,
  runMark,
  settings,
  voiceKept,
} from './voice-lives.ts';

// Section 5: every endpoint takes a key.

type BadKey = Exclude<Key, 'given' | 'lower'>;

const badKeys: Readonly<
  Record<
    BadKey,
    { readonly name: string; readonly words: string; readonly because: string; readonly refusal: string }
  >
> = {
  none: { name: 'missing', words: 'without a key', because: 'there is no key', refusal: 'key-missing' },
  wrong: {
    name: 'unknown',
    words: 'with an unknown key',
    because: 'no server knows the key',
    refusal: 'key-unknown',
  },
  scheme: {
    name: 'scheme',
    words: 'with the key under another scheme',
    because: 'the scheme is not Bearer',
    refusal: 'key-unknown',
  },
  basic: {
    name: 'basic',
    words: 'with the key under the scheme Basic',
    because: 'the scheme is not Bearer',
    refusal: 'key-unknown',
  },
  changed: {
    name: 'changed',
    words: 'with another last letter of the key',
    because: 'the key has one wrong letter',
    refusal: 'key-unknown',
  },
  tail: {
    name: 'tail',
    words: 'with a letter after the key',
    because: 'the key has a letter too many',
    refusal: 'key-unknown',
  },
  empty: { name: 'empty', words: 'with an empty key', because: 'the key is empty', refusal: 'key-missing' },
};
const forms = Object.keys(badKeys) as BadKey[];
const operationIds = Object.keys(operationTable) as OperationId[];

const changing: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

/** These are tried with every form of a bad key, the others with none and an unknown one. */
const triedWithAll: readonly OperationId[] = [
  'createSpeech',
  'listModels',
  'getApiCredit',
  'openLiveSession',
];

/** Requests that would be good with a key, and cost little on a server that does not look at it. */
const calls: Partial<Record<OperationId, Call>> = {
  createSpeech: { fields: { text: greeting } },
  streamSpeechWithTimestamps: { fields: { text: greeting } },
  createTranscription: { fields: { audio: toneAsWav({ seconds: 1 }) } },
  createModel: { fields: { ...settings(`${runMark} bad key`), voices: [recording] } },
  updateModel: { fields: {} },
};

/**
 * Bad keys for every operation. One form for each comes early, another one with each seed: an operation that accepts a
 * form is found by some seed, and one that checks no key at all by every seed.
 */
export function keyScenarios(seed: number): readonly Scenario[] {
  const formFor = (operationId: OperationId): BadKey =>
    forms[(seed + operationIds.indexOf(operationId)) % forms.length] ?? 'none';
  const single = operationIds.flatMap((operationId, index) => {
    const chosen = formFor(operationId);
    const tried = forms.filter(
      (key) => key === chosen || key === 'none' || key === 'wrong' || triedWithAll.includes(operationId),
    );
    return tried.map(
      (key): Scenario => ({
        name: `key-${badKeys[key].name}-${operationId}`,
        about: `${operationId} ${badKeys[key].words} is refused`,
        priority: key === chosen ? 16 : 48 + index / 100,
        ...(key === chosen && { plannedAs: `bad key of ${operationId}` }),
        // A server that looks at no key would do it.
        ...(changing.includes(operationId) && { writes: true }),
        steps: operationId === 'getModel' ? readWithBadKey(key) : [oneStep(operationId, key)],
      }),
    );
  });
  const kept = voiceKept((operationId) => {
    const key = formFor(operationId);
    const { because, refusal, words } = badKeys[key];
    return { key, words, expectation: refused(because, refusal) };
  });
  return [...single, kept];
}

/** A voice model that exists: a missing one would not show whether the key was checked. */
function readWithBadKey(key: BadKey): Step[] {
  const step = oneStep('getModel', key);
  if (step.kind === 'live') return [step];
  return [
    callModels('listModels', `to read one ${badKeys[key].words}`, () => ({ query: [['page_size', '1']] }), {
      remember: (exchange, memory) => {
        const id = itemsOf(exchange)[0]?._id;
        if (typeof id === 'string') memory.set('voice', id);
      },
    }),
    { ...step, needs: ['voice'], call: (memory) => ({ key, path: { id: memory.get('voice') } }) },
  ];
}

function oneStep(operationId: OperationId, key: BadKey): Step {
  const { because, refusal, words } = badKeys[key];
  const expectation = refused(because, refusal);
  const name = `${operationId}, ${words}`;
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
  scenario('address-unknown', 39, 'a path that no operation has is not found', [
    {
      kind: 'call',
      operationId: 'listModels',
      name: 'a path that no operation has',
      expectation: refused('no operation has this path', 'unknown-path'),
      call: () => ({ elsewhere: `${operationTable.listModels.path}s-of-speech-contract` }),
    },
  ]),
  scenario('address-method', 39.1, 'a method that a path does not have is refused', [
    {
      kind: 'call',
      operationId: 'listModels',
      name: 'a method that the path does not have',
      expectation: refused('the path has no such method', 'unknown-method'),
      call: () => ({ method: 'PUT' }),
    },
  ]),
];

const operations = operationIds.filter((id) => operationTable[id].path.startsWith('/wallet/{user_id}/'));

const wallet = (operationId: OperationId, what: string, user: string, expectation: CallStep['expectation']) =>
  ({
    kind: 'call',
    operationId,
    name: `${operationId}, ${what}`,
    expectation,
    call: () => ({ path: { user_id: user } }),
  }) satisfies CallStep;

export const wallets: readonly Scenario[] = [
  scenario('key-lower-case', 38.5, 'the scheme of the key may be written in lower case', [
    {
      kind: 'call',
      operationId: 'getPackage',
      name: 'getPackage, with the scheme in lower case',
      // RFC 9110 says that schemes have no case; the interface does not.
      expectation: { outcome: 'success', rests: 'public' },
      call: () => ({ path: { user_id: 'self' }, key: 'lower' }),
    },
  ]),
  scenario(
    'wallet-own',
    6,
    'the own credit and package are read',
    operations.map((operationId) => wallet(operationId, 'own', 'self', success)),
  ),
  scenario(
    'wallet-foreign',
    47,
    'the wallet of another user is not shown',
    operations.map((operationId) =>
      wallet(operationId, 'of somebody else', 'speech-contract-nobody', {
        ...refused('the user is not the caller', 'forbidden', 'not-found'),
      }),
    ),
  ),
];
