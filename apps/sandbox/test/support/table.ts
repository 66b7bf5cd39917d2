import { readOpenApi } from '@speech-api/spec/read';
import { type FieldSupport, supportedFields } from './settings.ts';

const begin = '<!-- Written by `npm run generate`, from test/support/settings.ts. -->';
const end = '<!-- End of the written table. -->';

const effects: Readonly<Record<FieldSupport['effect'], string>> = {
  heard: 'heard',
  measured: 'measured',
  none: 'accepted, without effect',
};

/** A field that the specification has and the sandbox does not know. */
const unsupported = { effect: 'none', words: 'not implemented here' } as const;

const specification = readOpenApi();
const fieldsOf = (schema: string): string[] => [
  ...specification.properties(specification.schema(schema)).keys(),
];

/** Every field of a synthesis request, in the order of the specification as it is built now. */
export const fieldNames: readonly string[] = [
  ...new Set(['SynthesisSettings', 'SingleSpeakerRequest'].flatMap(fieldsOf)),
  ...fieldsOf('Prosody').map((field) => `prosody.${field}`),
];

/** The support file with the table of fields as the data has it. */
export function withTable(readme: string): string {
  const start = readme.indexOf(begin);
  const stop = readme.indexOf(end);
  if (start < 0 || stop < start) throw new Error('SUPPORT.md has lost the marks of its table.');
  const rows = fieldNames.map((field) => {
    const { effect, words } = supportedFields[field] ?? unsupported;
    return `| \`${field}\` | ${effects[effect]} | ${words} |`;
  });
  const table = ['| field | effect | what it does here |', '| --- | --- | --- |', ...rows].join('\n');
  return `${readme.slice(0, start)}${begin}\n\n${table}\n\n${readme.slice(stop)}`;
}
