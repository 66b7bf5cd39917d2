import { readFileSync } from 'node:fs';

export const toolName = 'speech-contract';

/** The version of this package. */
export function toolVersion(): string {
  return manifest().version;
}

/** Message for a Node that is older than this package needs; undefined if it is new enough. */
export function whatIsTooOld(version: string, range: string = manifest().engines.node): string | undefined {
  const [needed = [], actual = []] = [range, version].map((text) => (text.match(/\d+/g) ?? []).map(Number));
  const place = needed.findIndex((number, index) => number !== (actual[index] ?? 0));
  if (place < 0 || (actual[place] ?? 0) > (needed[place] ?? 0)) return undefined;
  return `Node ${version} is too old; use ${needed.join('.')} or newer. Nothing was sent.`;
}

function manifest(): { readonly version: string; readonly engines: { readonly node: string } } {
  return readOwnJson('package.json');
}

/** What `npm run generate` writes about each rule, from the specification and its tested examples. */
export interface RuleNotes {
  readonly [rule: string]: {
    readonly example?:
      | {
          readonly keeps: readonly string[];
          readonly breaks: readonly string[];
          /** The judge's finding for the wrong answers. */
          readonly says: string;
          readonly where?: string;
          readonly expected?: string;
        }
      | undefined;
  };
}

export function ruleNotes(): RuleNotes {
  return readOwnJson('generated/rules.json');
}

function readOwnJson<Value>(file: string): Value {
  return JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'));
}
