import type { CallStep, Scenario } from '../step.ts';
import { refused, success } from './making.ts';

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
