import { generateConstants } from './constants/index.ts';
import { SpecDocument } from './document.ts';
import { formatTypeScript } from './format.ts';
import { generateOpenApiTypes } from './openapi-types.ts';
import { generateOperationTable } from './operation-table.ts';
import { generateRuleModule, rulesOfClient, withoutExamples } from './rule-modules.ts';
import { objectOf, type Source, type Sources } from './sources.ts';

/** The command that brings the generated files up to date. */
export const generateCommand = 'npm run generate';

/** Every generated file by its name, formatted. The same sources give the same bytes. */
export async function generateFiles({ document, rules, tolerances }: Sources): Promise<Map<string, string>> {
  const openApi = objectOf(document);
  const { synthesis, refusals, expressions } = objectOf(rules);
  const spec = new SpecDocument(openApi);
  const files: [string, readonly Source[], string][] = [
    ['openapi.ts', [document], await generateOpenApiTypes(openApi)],
    ['constants.ts', [document], generateConstants(spec)],
    ['operations.ts', [document, rules], generateOperationTable(spec, refusals ?? null)],
    [
      'rules.ts',
      [rules],
      generateRuleModule({
        name: 'synthesisRules',
        type: 'SynthesisRule',
        comment: 'What no schema can say about a synthesis request. The first broken rule gives the message.',
        value: synthesis,
      }),
    ],
    [
      'client-rules.ts',
      [rules],
      generateRuleModule({
        name: 'clientRules',
        type: 'ClientRule',
        comment:
          'The rules of `synthesisRules` that a client enforces before it sends anything, and no more of them than that takes.',
        value: rulesOfClient(synthesis),
      }),
    ],
    [
      'refusals.ts',
      [rules],
      generateRuleModule({
        name: 'refusals',
        type: 'Refusal',
        comment: 'The checks of a server in their order: the first that fails answers.',
        value: refusals,
      }),
    ],
    [
      'expressions.ts',
      [rules],
      generateRuleModule({
        name: 'expressions',
        type: 'ExpressionGroup',
        comment: 'The tags in a text that direct how it is spoken. Any other parenthesis or bracket is text.',
        value: expressions,
      }),
    ],
    [
      'tolerances.ts',
      [tolerances],
      generateRuleModule({
        name: 'tolerances',
        type: 'Tolerance',
        comment: 'What a lenient server accepts beyond the specification.',
        value: withoutExamples(tolerances.value),
      }),
    ],
  ];
  return new Map(
    await Promise.all(
      files.map(
        async ([name, sources, code]): Promise<[string, string]> => [
          name,
          await formatTypeScript(`${printHeader(sources)}\n${code}`),
        ],
      ),
    ),
  );
}

function printHeader(sources: readonly Source[]): string {
  const lines = sources.map(({ name, hash }) => ` *   @speech-api/spec/${name}  sha256 ${hash}`);
  return `/*\n * Generated, do not edit: change the specification and run \`${generateCommand}\`.\n * From:\n${lines.join('\n')}\n */\n`;
}
