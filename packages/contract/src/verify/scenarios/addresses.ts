import { operationTable } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { refused } from './making.ts';

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
