import { readFileSync } from 'node:fs';
import { checkNode, versionOf } from '@speech-api/program/node-version';
import { CannotJudge } from './errors.ts';

export const toolName = 'speech-contract';

/** The version of this package. */
export function toolVersion(): string {
  return versionOf(import.meta.url);
}

/** @throws CannotJudge when this Node is too old, before anything is sent */
export function refuseOldNode(): void {
  try {
    checkNode(import.meta.url);
  } catch (error) {
    throw new CannotJudge((error as Error).message);
  }
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
  return JSON.parse(readFileSync(new URL('../generated/rules.json', import.meta.url), 'utf8'));
}
