import { createHash } from 'node:crypto';
import { asObject, type Json, type JsonObject, readBuilt, SpecDocument } from '@speech-api/spec/read';
import { defaultsOf, generateConstants, generateLiveConstants } from './constants.ts';
import { generateOpenApiTypes } from './openapi-types.ts';
import { generateRules } from './rules.ts';
import { drawSpokenWords } from './spoken-words.ts';
import { generateDataModule, generateOperationTable, withoutExamples } from './tables.ts';
import { formatTypeScript } from './typescript.ts';

/** The command that brings the generated files up to date. */
export const generateCommand = 'npm run generate';

/** The built files that the generator reads, by their name in `@speech-api/spec`. */
export interface Sources {
  readonly 'openapi.json': JsonObject;
  readonly 'asyncapi.json': JsonObject;
  readonly 'rules.json': JsonObject;
  readonly 'tolerances.json': Json;
  readonly 'transcripts.json': JsonObject;
}

/** The built specification. */
export function readSources(): Sources {
  return {
    'openapi.json': asObject(readBuilt('openapi.json')),
    'asyncapi.json': asObject(readBuilt('asyncapi.json')),
    'rules.json': asObject(readBuilt('rules.json')),
    'tolerances.json': readBuilt('tolerances.json'),
    'transcripts.json': asObject(readBuilt('transcripts.json')),
  };
}

interface GeneratedFile {
  readonly path: string;
  /** Its source: the name of the built file and the list in it. */
  readonly from: Readonly<Record<string, Json>>;
  readonly code: string;
}

/** The lists that become modules: file, place of the list, name, type and comment. */
const dataModules = [
  [
    'rules',
    'rules.json',
    'synthesisRules',
    'SynthesisRule',
    'The rules between fields of a synthesis request, which no schema can express. The first broken rule gives the message.',
  ],
  [
    'refusals',
    'rules.json',
    'refusals',
    'Refusal',
    'The checks of a server in order: the first check that fails gives the answer.',
  ],
  [
    'expressions',
    'rules.json',
    'expressions',
    'ExpressionGroup',
    'Tags in a text that direct how it is spoken: all there are on `s1`, examples on the S2 family. See `expressionStyles`.',
  ],
  [
    'tolerances',
    'tolerances.json',
    'tolerances',
    'Tolerance',
    'What a lenient server accepts beyond the specification.',
  ],
] as const;

/** Every generated file by its path, formatted. The same sources give the same bytes. */
export async function generateFiles(sources: Sources): Promise<Map<string, string>> {
  const document = new SpecDocument(sources['openapi.json']);
  const { synthesis = null, refusals = null } = sources['rules.json'];
  const openapi = { 'openapi.json': sources['openapi.json'] };
  const asyncapi = { 'asyncapi.json': sources['asyncapi.json'] };
  const defaults = defaultsOf(document.properties(document.schema('SynthesisSettings')));
  const types = (name: string) => `packages/types/src/generated/${name}.ts`;
  const lists = dataModules.map(([file, source, name, type, comment]): GeneratedFile => {
    const list = name === 'synthesisRules' ? 'synthesis' : name;
    const data = source === 'rules.json' ? (sources[source][list] ?? null) : withoutExamples(sources[source]);
    return {
      path: types(file),
      from: source === 'rules.json' ? { [`${source}#${list}`]: data } : { [source]: data },
      code: generateDataModule({ name, type, comment, value: data }),
    };
  });
  const files: readonly GeneratedFile[] = [
    {
      path: types('openapi'),
      from: { ...openapi, ...asyncapi },
      code: await generateOpenApiTypes(sources['openapi.json'], sources['asyncapi.json']),
    },
    { path: types('constants'), from: openapi, code: generateConstants(document) },
    {
      path: types('live'),
      from: asyncapi,
      code: generateLiveConstants(new SpecDocument(sources['asyncapi.json'])),
    },
    {
      path: types('operations'),
      from: { ...openapi, 'rules.json#refusals': refusals },
      code: generateOperationTable(document, refusals),
    },
    ...lists,
    {
      path: types('request-rules'),
      from: { ...openapi, 'rules.json#synthesis': synthesis },
      code: generateRules(synthesis, defaults),
    },
  ];
  const formatted = files.map(async ({ path, from, code }): Promise<[string, string]> => {
    const header = printHeader(from);
    return [path, await formatTypeScript(`${header}\n${code}`)];
  });
  const picture = drawSpokenWords(sources['transcripts.json']['two-chunks-balanced']);
  return new Map([...(await Promise.all(formatted)), ['tools/codegen/generated/spoken-words.svg', picture]]);
}

/** The hash is of the value, not of its layout in the file. */
function hashOf(value: Json): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16);
}

function printHeader(from: GeneratedFile['from']): string {
  const lines = Object.entries(from).map(
    ([name, value]) => ` *   @speech-api/spec/${name}  sha256 ${hashOf(value)}`,
  );
  return `/*\n * Generated, do not edit: change the specification and run \`${generateCommand}\`.\n * From:\n${lines.join('\n')}\n */\n`;
}
