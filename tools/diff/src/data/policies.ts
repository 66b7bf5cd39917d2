import type { Json, JsonObject } from '../json.ts';
import { listOf } from '../json.ts';
import { compareVersions } from '../version.ts';
import type { EntryPolicy } from './entries.ts';

const words = [
  'section',
  'source',
  'provenance',
  'message',
  'reason',
  'text',
  'comment',
  'meaning',
  'examples',
];

/** Rules between the fields of a request: a new one refuses what was accepted. */
const synthesis: EntryPolicy = {
  rule: 'changed-synthesis-rule',
  noun: 'The rule of requests',
  audience: 'Who sends requests',
  words,
  added: (entry) => (entry.effect === 'refuse' ? 'major' : 'minor'),
  removed: () => 'minor',
  action: {
    added: 'keep the new rule',
    removed: 'send what was refused, if you need it',
    changed: 'keep the rule as it is now',
  },
};

/** What a server refuses, and in which order it looks. */
const refusals: EntryPolicy = {
  rule: 'changed-refusal',
  noun: 'The refusal',
  audience: 'Who reads errors',
  words: [...words, 'when'],
  isOrdered: true,
  added: () => 'major',
  removed: () => 'major',
  changed: (member, before, after) =>
    member === 'issue_types' && listOf(before).every((type) => listOf(after).includes(type))
      ? 'minor'
      : 'major',
  action: {
    added: 'be ready for the new refusal',
    removed: 'do not wait for the refusal',
    changed: 'read the status and body of the refusal as they are now',
  },
};

/**
 * Rules that a judge applies to a server. `since` makes a new one a warning for one minor version, so that nobody's
 * check fails by an update alone; one that says it was there before would be an error from its first day.
 */
function judged(noun: string, rule: string, baseVersion: string): EntryPolicy {
  const isNew = ({ since }: JsonObject): boolean =>
    typeof since === 'string' && compareVersions(since, baseVersion) > 0;
  return {
    rule,
    noun,
    audience: 'Who runs a server or reads its answers',
    words: [...words, 'subject'],
    added: (entry) => (entry.severity === 'error' && !isNew(entry) ? 'major' : 'minor'),
    removed: (entry) => (entry.kept_by === 'reader' ? 'minor' : 'major'),
    changed: (member, before, after) =>
      member === 'state' || (member === 'severity' && before === 'warning' && after === 'error')
        ? 'minor'
        : 'major',
    action: {
      added: 'keep the new rule; give it the coming version as `since`, and it is a warning at first',
      removed: 'do not rely on it any more',
      changed: 'keep the rule as it is now',
    },
  };
}

/** What nobody can judge: a list for readers. */
const unjudged: EntryPolicy = {
  rule: 'changed-unjudged',
  noun: 'The statement that nobody judges',
  audience: 'Who runs a server or reads its answers',
  words: [...words, 'statement'],
  added: () => 'minor',
  removed: () => 'minor',
  action: { removed: 'nothing', changed: 'nothing' },
};

const expressions: EntryPolicy = {
  rule: 'changed-expressions',
  noun: 'The kind of tags',
  audience: 'Who writes tags into texts',
  words,
  added: () => 'minor',
  removed: () => 'major',
  changed: (member, before, after) =>
    member === 'tags' && listOf(before).every((tag) => listOf(after).includes(tag)) ? 'minor' : 'major',
  action: { removed: 'take the tags out of your texts', changed: 'use the tags that are listed' },
};

const tolerances: EntryPolicy = {
  rule: 'changed-tolerance',
  noun: 'The tolerance',
  audience: 'Who leans on a lenient server',
  words,
  added: () => 'minor',
  removed: () => 'major',
  action: { removed: 'send what the specification says', changed: 'see how it is normalised now' },
};

/** The register of what the interface leaves open: another choice is another behaviour. */
const unknowns: EntryPolicy = {
  rule: 'changed-unknown',
  noun: 'The unknown',
  audience: 'Who relied on the choice',
  words: [
    ...words,
    'settle',
    'statement',
    'statements',
    'subject',
    'pointers',
    'live_pointers',
    'kind',
    'absent',
    'from',
  ],
  added: () => 'minor',
  removed: () => 'major',
  action: { removed: 'read how it is settled', changed: 'do as the register says now' },
};

const workflows: EntryPolicy = {
  rule: 'changed-workflow',
  noun: 'The workflow',
  audience: 'Who plays the workflows',
  words: [...words, 'summary', 'description'],
  added: () => 'minor',
  removed: () => 'major',
  changed: () => 'minor',
  action: { removed: 'play another one', changed: 'play it as it is now' },
};

/** Streams and sessions that are played to clients; a mock is asked for them by name. */
const transcripts: EntryPolicy = {
  rule: 'changed-transcript',
  noun: 'The transcript',
  audience: 'Who plays the transcripts',
  words: [],
  added: () => 'minor',
  removed: () => 'major',
  changed: () => 'minor',
  action: { removed: 'play another one', changed: 'play it as it is now' },
};

const rules: Readonly<Record<string, EntryPolicy>> = { synthesis, refusals, expressions, unjudged };

/**
 * The policy of a list of `rules.json`. Lists that are not named here are rules that a judge applies.
 *
 * @param baseVersion The release that is compared with.
 */
export function policyOfRules(name: string, baseVersion: string): EntryPolicy {
  return rules[name] ?? judged(`The rule of ${name}`, 'changed-judged-rule', baseVersion);
}

/** The policies of the lists that are a file of their own. */
export const policies: Readonly<Record<string, EntryPolicy>> = {
  tolerances,
  unknowns,
  workflows,
  transcripts,
};

/** Entries of a list, where a file holds an object of them instead. */
export function entriesOf(data: Json | undefined): Json {
  if (Array.isArray(data) || data === undefined) return data ?? [];
  return Object.entries(data as JsonObject).map(([id, value]) => ({ id, value }));
}
