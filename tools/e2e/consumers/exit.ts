import { tools } from '@speech-api/recipes/clients';
import { readBuiltText, readOpenApi } from '@speech-api/spec/read';
import { type Consumer, namedPackages } from './consumer.ts';

// Our types come from openapi-typescript, which gets no more updates. Those that @hey-api/openapi-ts makes of the same document
// have to fit ours in both directions, but for what is listed here by operation and part.
const oneRequest = 'ours is one type with the fields of every kind of request, theirs a union';
const place = 'theirs drops the `required` beside a reference';
const differences: Readonly<Record<string, string>> = {
  createSpeech_body: oneRequest,
  streamSpeechWithTimestamps_body: oneRequest,
  createModel_body: 'ours takes bytes, and one recording or several; theirs base64, in a list',
  listModels_422: place,
  createModel_422: place,
  getModel_422: place,
  updateModel_422: place,
  deleteModel_422: place,
};

const comparisons = readOpenApi()
  .operations()
  .flatMap(({ id, requestBody, responses }) => {
    const name = id.replace(/^./, (letter) => letter.toUpperCase());
    const body = [`${id}_body`, `Body<'${id}'>`, `theirs.${name}Data['body']`] as const;
    const answers = [...responses.keys()]
      .filter((status) => status !== '101')
      .map((status) => {
        const list = Number(status) < 300 ? 'Responses' : 'Errors';
        return [`${id}_${status}`, `Answer<'${id}', ${status}>`, `theirs.${name}${list}[${status}]`] as const;
      });
    return requestBody === undefined ? answers : [body, ...answers];
  })
  .map(([part, ours, theirs]) => {
    const expectation = differences[part] === undefined ? '' : `// @ts-expect-error ${differences[part]}\n`;
    return `${expectation}export const ${part}: Same<Shape<${ours}>, Shape<${theirs}>> = true;`;
  });

const program = `import type { operations } from '@speech-api/types';
import type * as theirs from './client/types.gen.ts';

type Contents<T> = T extends { content: infer Content } ? Content[keyof Content] : never;
type Body<Id extends keyof operations> = Contents<NonNullable<operations[Id]['requestBody']>>;
type Answer<Id extends keyof operations, Status> =
  Status extends keyof operations[Id]['responses'] ? Contents<operations[Id]['responses'][Status]> : never;
/** The shape without the kind of its bytes and without \`readonly\`, and \`never\` where there is no content. */
type Shape<T> = unknown extends T ? never : T extends void ? never : T extends string ? T : Inner<T>;
type Inner<T> = T extends Blob | ArrayBuffer | Uint8Array | ReadableStream
  ? 'bytes'
  : T extends readonly (infer Item)[]
    ? Shape<Item>[]
    : T extends object ? { -readonly [Name in keyof T]: Shape<T[Name]> } : T;
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'ours is narrower') : 'ours is wider';

${comparisons.join('\n')}
`;
const options =
  '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2023 --module esnext --moduleResolution bundler';

export const exit: Consumer = {
  id: 'exit',
  promise: `${comparisons.length} requests and answers have the same types from another generator, but for ${Object.keys(differences).length}`,
  install: ({ packages }) => ({
    packages: packages.filter(namedPackages('types')),
    others: {
      '@hey-api/openapi-ts': tools.find(({ id }) => id === 'hey-api')?.version ?? '',
      typescript: '~5.9.0',
    },
  }),
  files: () => ({ 'openapi-3.1.json': readBuiltText('openapi-3.1.json'), 'exit.ts': program }),
  steps: () => [
    { command: ['openapi-ts', '-i', 'openapi-3.1.json', '-o', 'client', '-p', '@hey-api/typescript'] },
    { command: ['tsc', ...options.split(' '), 'exit.ts'] },
  ],
};
