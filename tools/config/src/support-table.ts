import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What a test shows of the interface. Its name says it: `section 2.1, without effect: early_stop_threshold is accepted`. */
export interface Claim {
  /** Of the interface, such as `2.1`. */
  readonly section: string;
  readonly state: ClaimState;
  readonly sentence: string;
}

/** How far the server does what the sentence says. */
export type ClaimState = 'supported' | (typeof otherStates)[number];

const otherStates = ['in part', 'without effect', 'not available'] as const;

const isOtherState = (state: string): state is (typeof otherStates)[number] =>
  otherStates.some((each) => each === state);

/** The name of a test that is a claim, as it is in the code: after `test(` or the `)(` of `test.each`. */
const claimInCode =
  /(?<=\b(?:it|test)\(\s*|\)\(\s*)(['"])section (\d+(?:\.\d+)?)(?:, ([a-z ]+))?: (.+?)(?<!\\)\1,/g;

/**
 * The claims in the code of a test file.
 *
 * @throws Error for an unknown state, and for a sentence with a placeholder in it
 */
export function readClaims(code: string): Claim[] {
  return Array.from(code.matchAll(claimInCode), ([whole, , section = '', state, written = '']) => {
    const sentence = written.replaceAll(/\\(.)/g, '$1');
    if (state !== undefined && !isOtherState(state)) {
      throw new Error(`${whole} names the unknown state "${state}"; use one of ${otherStates.join(', ')}.`);
    }
    if (/%[sdifjo#]|\$\w/.test(sentence))
      throw new Error(`${whole} has a placeholder; a claim is one sentence.`);
    return { section, state: state ?? 'supported', sentence };
  });
}

const root = new URL('../../../', import.meta.url);

/** The servers that have a support table, by their folder. */
export const servers = ['apps/sandbox', 'packages/mock'] as const;

/** The file that contains the table of a server. */
export function supportFileOf(server: string): string {
  return fileURLToPath(new URL(`${server}/SUPPORT.md`, root));
}

/** All claims of the tests of a server. */
export function collectClaims(server: string): Claim[] {
  const folder = new URL(`${server}/`, root);
  return globSync('{src,test,test-audio}/**/*.test.ts', { cwd: fileURLToPath(folder) })
    .sort()
    .flatMap((file) => readClaims(readFileSync(new URL(file, folder), 'utf8')));
}

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
export function replaceTable(support: string, table: string): string {
  const parts = /^([\s\S]*\n## What is supported\n)[\s\S]*?(\n## [\s\S]*)?$/.exec(support);
  if (parts === null) throw new Error('SUPPORT.md has no heading "What is supported".');
  const [, above = '', below = ''] = parts;
  return `${above}\n${introduction}\n\n${table}\n${below}`;
}

const introduction =
  'Each row is the name of a test that calls this server; `npm run generate` writes this part from them.';

function titleOf(section: string): string {
  const title = titles[section];
  if (title === undefined)
    throw new Error(`There is no title for section ${section} in tools/config/src/support-table.ts.`);
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

if (import.meta.main) {
  for (const server of servers) {
    const file = supportFileOf(server);
    writeFileSync(file, replaceTable(readFileSync(file, 'utf8'), writeTable(collectClaims(server))));
  }
}
