import type { Mutant } from '../mutant.ts';
import { operations } from '../specification.ts';
import { generalError, isSuccess, onStatus, onSuccess, withHeader } from './interferences.ts';

/** Headers that are missing or say something else. */
export function headers(): Mutant[] {
  return [...ofEachOperation(), ...ofSpeech(), ...ofRefusals()];
}

function ofEachOperation(): Mutant[] {
  return operations
    .filter(({ operationId }) => operationId !== 'openLiveSession')
    .map(({ operationId }) => ({
      id: `${operationId}: x-trace-id is no trace id`,
      kind: 'header',
      operation: operationId,
      topic: 'success',
      rules: ['header-values'],
      interference: { answer: onSuccess((answer) => withHeader(answer, 'x-trace-id', 'REQUEST-17')) },
    }));
}

function ofSpeech(): Mutant[] {
  const inference = ['createSpeech', 'streamSpeechWithTimestamps', 'createTranscription'] as const;
  const limits = inference.flatMap((operation) =>
    (['ratelimit-limit-concurrency', 'ratelimit-current-concurrency'] as const).map(
      (name): Mutant => ({
        id: `${operation}: ${name} is no number`,
        kind: 'header',
        operation,
        topic: 'success',
        rules: ['header-values'],
        interference: { answer: onSuccess((answer) => withHeader(answer, name, 'several')) },
      }),
    ),
  );
  const lengths = (
    [
      ['createSpeech', 'audio-is-delivered-while-made'],
      ['streamSpeechWithTimestamps', 'stream-is-chunked'],
    ] as const
  ).map(
    ([operation, rule]): Mutant => ({
      id: `${operation}: a length in place of chunks`,
      kind: 'header',
      operation,
      topic: 'success',
      rules: [rule],
      interference: {
        answer: onSuccess((answer) =>
          withHeader(
            withHeader(answer, 'transfer-encoding', undefined),
            'content-length',
            String(answer.body.length),
          ),
        ),
      },
    }),
  );
  const cuts = operations
    .filter(({ operationId }) => operationId !== 'openLiveSession')
    .filter(({ answers, success, operationId }) => answers[String(success)] ?? operationId.includes('Speech'))
    .map(
      ({ operationId }): Mutant => ({
        id: `${operationId}: the body breaks off in the middle`,
        kind: operationId === 'streamSpeechWithTimestamps' ? 'stream' : 'status',
        operation: operationId,
        topic: 'success',
        rules: ['body-complete', 'body-ends-cleanly'],
        interference: {
          answer: (answer) =>
            isSuccess(answer) ? { ...answer, cutAfter: Math.floor(answer.body.length / 2) } : undefined,
        },
      }),
    );
  return [...limits, ...lengths, ...cuts];
}

function ofRefusals(): Mutant[] {
  const unauthorized = operations.map(
    ({ operationId }): Mutant => ({
      id: `${operationId}: 401 without www-authenticate`,
      kind: 'header',
      operation: operationId,
      topic: 'key',
      rules: ['refusal-headers'],
      interference: {
        answer: onStatus(401, (answer) => withHeader(answer, 'www-authenticate', undefined)),
      },
    }),
  );
  const allow: Mutant = {
    id: 'listModels: 405 without allow',
    kind: 'header',
    operation: 'listModels',
    topic: 'method',
    rules: ['refusal-headers'],
    interference: {
      concerns: () => true,
      answer: onStatus(405, (answer) => withHeader(answer, 'allow', undefined)),
    },
  };
  const method: Mutant = {
    id: 'listModels: another method is answered with 500',
    kind: 'status',
    operation: 'listModels',
    topic: 'method',
    rules: ['server-fault'],
    interference: { concerns: () => true, answer: onStatus(405, (answer) => generalError(answer, 500)) },
  };
  const upgrade: Mutant = {
    id: 'openLiveSession: 426 without upgrade',
    kind: 'header',
    operation: 'openLiveSession',
    topic: 'no upgrade',
    rules: ['refusal-headers'],
    interference: { answer: onStatus(426, (answer) => withHeader(answer, 'upgrade', undefined)) },
  };
  return [...unauthorized, allow, method, upgrade];
}
