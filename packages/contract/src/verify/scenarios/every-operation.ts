import { defaultModel, headerNames, type OperationId, operationTable } from '@speech-api/types';
import type { Call, Key, Scenario, Step } from '../step.ts';
import { call, greeting, quick, refused, rememberText, scenario, toneAsWav } from './making.ts';
import { firstOf, makeAndDelete, recording, runMark, settings, voiceKept } from './voice-lives.ts';

// Kinds of bad keys, which every endpoint must refuse.

type BadKey = Exclude<Key, 'given' | 'lower'>;

/** The name, the header, the fault in words, and the refusal if it differs from that of an unknown key. */
const badKeys: Readonly<
  Record<BadKey, readonly [name: string, words: string, because: string, refusal?: string]>
> = {
  none: ['missing', 'without a key', 'there is no key', 'key-missing'],
  wrong: ['unknown', 'with an unknown key', 'no server knows the key'],
  scheme: ['basic', 'with the key under the scheme Basic', 'the scheme is not Bearer'],
};
const forms = Object.keys(badKeys) as BadKey[];
const operationIds = Object.keys(operationTable) as OperationId[];

const changing: readonly OperationId[] = ['createModel', 'updateModel', 'deleteModel'];

/** Requests that are valid with a key, and cost little if a server ignores the key. */
const calls: Partial<Record<OperationId, Call>> = {
  createSpeech: { fields: { text: greeting } },
  streamSpeechWithTimestamps: { fields: { text: greeting } },
  createTranscription: { fields: { audio: toneAsWav({ seconds: 1 }) } },
  createModel: { fields: { ...settings(`${runMark} bad key`), voices: [recording] } },
  updateModel: { fields: {} },
};

/** The kind of bad key that `--quick` tries for each operation, in rotation. */
const quickForm = (operationId: OperationId): BadKey =>
  forms[(operationIds.indexOf(operationId) + 1) % forms.length] ?? 'none';

/** Bad keys for every operation. */
export const keys: readonly Scenario[] = [
  ...operationIds.flatMap((operationId) => {
    const isQuickForm = (key: BadKey) => key === quickForm(operationId);
    return forms.map((key): Scenario => {
      const [name, words] = badKeys[key];
      return scenario(
        `key-${name}-${operationId}`,
        `${operationId} ${words} is refused`,
        operationId === 'getModel' ? readWithBadKey(key) : [withBadKey(operationId, key)],
        {
          // `voice-kept` tries these on the voice model that it creates.
          isQuick: isQuickForm(key) && !['getModel', 'updateModel', 'deleteModel'].includes(operationId),
          // A server that ignores keys would make the change.
          writes: changing.includes(operationId),
        },
      );
    });
  }),
  voiceKept((operationId) => {
    const key = quickForm(operationId);
    return { key, words: badKeys[key][1], expectation: expectationOf(key) };
  }),
];

function expectationOf(key: BadKey) {
  const [, , because, refusal = 'key-unknown'] = badKeys[key];
  return refused(because, refusal);
}

/** The voice model exists: with a missing one, it would be unclear whether the key was checked. */
function readWithBadKey(key: BadKey): Step[] {
  const [, words] = badKeys[key];
  const remember = rememberText('voice', (answered) => firstOf(answered)._id);
  return [
    call('listModels', `to read one ${words}`, { query: { page_size: 1 } }, remember),
    call('getModel', words, (memory) => ({ key, path: { id: memory.get('voice') } }), {
      expectation: expectationOf(key),
      needs: ['voice'],
    }),
  ];
}

function withBadKey(operationId: OperationId, key: BadKey): Step {
  const [, words] = badKeys[key];
  const expectation = expectationOf(key);
  const headers = operationTable[operationId].requiresModel ? { [headerNames.model]: defaultModel } : {};
  if (operationId === 'openLiveSession') {
    const name = `${operationId}, ${words}`;
    return { kind: 'live', operationId, name, key, headers, expectation, script: [] };
  }
  const path = { id: 'speech-contract-no-such-voice', user_id: 'self' };
  return call(
    operationId,
    words,
    { key, headers, path, ...calls[operationId] },
    {
      expectation,
      ...(operationId === 'createTranscription' && { cost: { audioSeconds: 1 } }),
      ...(operationId === 'createModel' && { cost: makeAndDelete }),
    },
  );
}

/** Requests for paths and resources that do not exist. */
export const addresses: readonly Scenario[] = [
  scenario('address-unknown', 'a path that no operation has is not found', [
    {
      ...call('listModels', '', { elsewhere: `${operationTable.listModels.path}s-of-speech-contract` }),
      name: 'a path that no operation has',
      expectation: refused('no operation has this path', 'unknown-path'),
    },
  ]),
  scenario('address-method', 'a method that a path does not have is refused', [
    {
      ...call('listModels', '', { method: 'PUT' }),
      name: 'a method that the path does not have',
      expectation: refused('the path has no such method', 'unknown-method'),
    },
  ]),
];

const wallet = operationIds.filter((id) => operationTable[id].path.startsWith('/wallet/{user_id}/'));
const self = { path: { user_id: 'self' } };
const foreign = { path: { user_id: 'speech-contract-nobody' } };

export const wallets: readonly Scenario[] = [
  scenario('key-lower-case', 'the scheme of the key may be written in lower case', [
    call(
      'getPackage',
      'with the scheme in lower case',
      { ...self, key: 'lower' },
      // RFC 9110 says that schemes have no case; the interface does not.
      { expectation: { outcome: 'success', rests: 'public' } },
    ),
  ]),
  quick(
    'wallet-own',
    'the own credit and package are read',
    wallet.map((operationId) => call(operationId, 'own', self)),
  ),
  scenario(
    'wallet-foreign',
    'the wallet of another user is not shown',
    wallet.map((operationId) =>
      call(operationId, 'of somebody else', foreign, {
        expectation: refused('the user is not the caller', 'forbidden', 'not-found'),
      }),
    ),
  ),
];
