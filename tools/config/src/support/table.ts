import type { Claim } from './claim.ts';

/** What a section of the interface is about, for people who read the table without it. */
const titles: Readonly<Record<string, string>> = {
  '2.1': 'Synthesis request',
  '2.2': 'Prosody',
  '2.3': 'Audio formats',
  '2.4': 'Timestamped events',
  '2.5': 'Transcription',
  '2.6': 'Voice model',
  '2.7': 'Wallet',
  '3': 'States and transitions',
  '4': 'Endpoints',
  '4.1': '`POST /v1/tts`',
  '4.2': '`POST /v1/tts/stream/with-timestamp`',
  '4.3': '`POST /v1/asr`',
  '4.4': '`/model`',
  '4.5': '`/wallet`',
  '4.6': 'Live WebSocket',
  '4.7': 'Trace header',
  '5': 'Authentication',
  '6': 'Events',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
};

/** The support table in Markdown: a row a claim, section by section, each sentence once. */
export function writeTable(claims: readonly Claim[]): string {
  const rows = new Map(claims.map((claim) => [`${claim.section} ${claim.sentence}`, claim]));
  const sorted = [...rows.values()].sort(
    (one, other) => bySection(one.section, other.section) || compare(one.sentence, other.sentence),
  );
  const lines = sorted.map(({ section, state, sentence }, index) => {
    const title = sorted[index - 1]?.section === section ? '' : `${section} ${titleOf(section)}`;
    return `| ${title} | ${sentence.replaceAll('|', '\\|')} | ${state === 'supported' ? 'yes' : `**${state}**`} |`;
  });
  return [
    '| section of the interface | shown by a test of this name | state |',
    '| --- | --- | --- |',
    ...lines,
  ].join('\n');
}

/** Sets the table below its heading, up to the next one. */
export function replaceTable(readme: string, table: string): string {
  const parts = /^([\s\S]*\n## What is supported\n)[\s\S]*?(\n## [\s\S]*)$/.exec(readme);
  if (parts === null)
    throw new Error('The README has no heading "What is supported" with another one below.');
  const [, above = '', below = ''] = parts;
  return `${above}\n${introduction}\n\n${table}\n${below}`;
}

const introduction =
  'Each row is the name of a test that calls this server; `pnpm --filter @speech-api/config support` writes this part from them.';

function titleOf(section: string): string {
  const title = titles[section];
  if (title === undefined) throw new Error(`There is no title for section ${section} in support/table.ts.`);
  return title;
}

function bySection(one: string, other: string): number {
  const [major = 0, minor = 0] = one.split('.').map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number);
  return major - otherMajor || minor - otherMinor;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
