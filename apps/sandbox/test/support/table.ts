import { type FieldSupport, supportedFields } from './settings.ts';

const begin = '<!-- Written by `node test/support/write-table.ts`, from test/support/settings.ts. -->';
const end = '<!-- End of the written table. -->';

const effects: Readonly<Record<FieldSupport['effect'], string>> = {
  heard: 'heard',
  measured: 'measured',
  none: 'accepted, without effect',
};

/** The README with the table of fields as the data has it. */
export function withTable(readme: string): string {
  const start = readme.indexOf(begin);
  const stop = readme.indexOf(end);
  if (start < 0 || stop < start) throw new Error('README.md has lost the marks of its table.');
  const rows = Object.entries(supportedFields).map(
    ([field, { effect, words }]) => `| \`${field}\` | ${effects[effect]} | ${words} |`,
  );
  const table = ['| field | effect | what it does here |', '| --- | --- | --- |', ...rows].join('\n');
  return `${readme.slice(0, start)}${begin}\n\n${table}\n\n${readme.slice(stop)}`;
}
