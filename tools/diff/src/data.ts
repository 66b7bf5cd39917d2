import { asArray, asObject, isObject, type Json, type JsonObject } from '@speech-api/spec/read';
import { changedFigures, inWords, isSame } from './place.ts';
import type { Snapshot } from './snapshot.ts';
import { compareVersions, type Finding, greatest, type Impact } from './verdict.ts';

/** Rates the changes of the data beside the documents. */
export function rateData(base: Snapshot, revision: Snapshot): Finding[] {
  const [old, now] = [asObject(base.data.rules), asObject(revision.data.rules)];
  const ofRules = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const file = `rules.json/${name}`;
    // Before there was a list of its kind, nobody could have kept its rules or relied on them.
    if (old[name] === undefined) return [newList(file, name)];
    return rateEntries(file, policyOfRules(name, base.version), entriesOf(old[name]), entriesOf(now[name]));
  });
  const others = Object.entries(policies).flatMap(([name, policy]) =>
    rateEntries(`${name}.json`, policy, entriesOf(base.data[name]), entriesOf(revision.data[name])),
  );
  return [...ofRules, ...others];
}

function newList(place: string, name: string): Finding {
  const about = { place, subject: name, audience: 'Everyone' };
  return { ...about, rule: 'new-list', impact: 'minor', message: `The list of rules \`${name}\` is new.` };
}

/** How the entries of one list are rated, each found again by its id. */
export interface EntryPolicy {
  /** Name of the rule: `changed-refusal`. */
  readonly rule: string;
  /** What one entry is called: "the refusal". */
  readonly noun: string;
  readonly audience: string;
  /** Members that are words about the entry; a change of them is a patch. */
  readonly words: readonly string[];
  /** Whether the order of the entries has a meaning. */
  readonly isOrdered?: boolean;
  added(entry: JsonObject): Impact;
  removed(entry: JsonObject): Impact;
  /** The impact of a change of a member that is not only words; major unless the policy knows better. */
  changed?(member: string, before: Json | undefined, after: Json | undefined): Impact | undefined;
  /** What somebody has to do about a breaking change of an entry. */
  readonly action: { readonly added?: string; readonly removed: string; readonly changed: string };
}

/** Compares two versions of a list of entries. */
export function rateEntries(
  file: string,
  policy: EntryPolicy,
  before: Json | undefined,
  after: Json | undefined,
): Finding[] {
  const [old, now] = [byId(before), byId(after)];
  const findings: Finding[] = [];
  const finding = (id: string, impact: Impact, words: string, action?: string, figures = {}): void => {
    const about = { rule: policy.rule, audience: policy.audience, subject: id, place: `${file}#${id}` };
    const message = `${policy.noun} \`${id}\` ${words}.`;
    findings.push({
      ...about,
      impact,
      message,
      ...(impact === 'major' && action !== undefined && { action }),
      ...figures,
    });
  };

  for (const [id, entry] of old) {
    const next = now.get(id);
    if (!next) finding(id, policy.removed(entry), 'was removed', policy.action.removed);
    else if (!isSame(entry, next)) {
      const { impact, words, figures } = rateMembers(policy, entry, next);
      finding(id, impact, words, policy.action.changed, figures);
    }
  }
  for (const [id, entry] of now) {
    if (!old.has(id))
      finding(id, policy.added(entry), 'is new', policy.action.added ?? policy.action.changed);
  }
  const kept = [...now.keys()].filter((id) => old.has(id));
  const sooner = [...old.keys()].filter((id) => now.has(id));
  const moved = policy.isOrdered ? kept.find((id, index) => sooner[index] !== id) : undefined;
  if (moved !== undefined) finding(moved, 'major', 'moved in the order', policy.action.changed);
  return findings;
}

function rateMembers(
  policy: EntryPolicy,
  before: JsonObject,
  after: JsonObject,
): { impact: Impact; words: string; figures: { figures?: string } } {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !isSame(before[member], after[member]),
  );
  const rated = changed.map((member) => ({
    member,
    impact: policy.words.includes(member)
      ? ('patch' as const)
      : (policy.changed?.(member, before[member], after[member]) ?? ('major' as const)),
  }));
  const impact = greatest(rated.map((one) => one.impact)) ?? 'patch';
  const worst = rated.filter((one) => one.impact === impact).map(({ member }) => member);
  const described = worst.map(
    (member) => `${member}: ${inWords(after[member])} instead of ${inWords(before[member])}`,
  );
  const wordsOf = (entry: JsonObject) => policy.words.map((member) => entry[member] ?? '').join(' ');
  return {
    impact,
    figures: changedFigures(wordsOf(before), wordsOf(after)),
    words: impact === 'patch' ? `has other words (${worst.join(', ')})` : `has ${described.join('; ')}`,
  };
}

function byId(list: Json | undefined): Map<string, JsonObject> {
  return new Map(
    asArray(list)
      .filter(isObject)
      .map((entry, index) => [String(entry.id ?? entry.kind ?? index), entry]),
  );
}

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
  'quote',
  'contradiction',
];

/** Rules between the fields of a request: a new one refuses what was accepted. */
const synthesis: EntryPolicy = {
  rule: 'changed-synthesis-rule',
  noun: 'The rule of requests',
  audience: 'Clients that send requests',
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
  audience: 'Clients that read errors',
  words: [...words, 'when'],
  isOrdered: true,
  added: () => 'major',
  removed: () => 'major',
  changed: (member, before, after) =>
    member === 'issue_types' && asArray(before).every((type) => asArray(after).includes(type))
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
    audience: 'Servers and clients',
    words: [...words, 'subject'],
    added: (entry) => (entry.severity === 'error' && !isNew(entry) ? 'major' : 'minor'),
    removed: (entry) => (entry.kept_by === 'reader' ? 'minor' : 'major'),
    changed: (member, before, after) =>
      member === 'state' ||
      (member === 'severity' && before === 'error' && after === 'warning') ||
      (member === 'limits' && !tightens(asObject(before), asObject(after)))
        ? 'minor'
        : 'major',
    action: {
      added: 'keep the new rule; give it the coming version as `since`, and it is a warning at first',
      removed: 'do not rely on it any more',
      changed: 'keep the rule as it is now',
    },
  };
}

/** Whether a rule with these limits allows less than before. Limits that were written in words until now are not tighter. */
function tightens(before: JsonObject, after: JsonObject): boolean {
  if (Object.keys(before).length === 0) return false;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].some((name) => {
    const [old, now] = [before[name], after[name]];
    if (typeof old !== 'number' || typeof now !== 'number') return !isSame(old, now);
    return /minimum|at_least|above/.test(name) ? now > old : now < old;
  });
}

/** What nobody can judge: a list for readers. */
const unjudged: EntryPolicy = {
  rule: 'changed-unjudged',
  noun: 'The statement that nobody judges',
  audience: 'Servers and clients',
  words: [...words, 'statement'],
  added: () => 'minor',
  removed: () => 'minor',
  action: { removed: 'nothing', changed: 'nothing' },
};

const expressions: EntryPolicy = {
  rule: 'changed-expressions',
  noun: 'The kind of tags',
  audience: 'Writers of expression tags',
  words,
  added: () => 'minor',
  removed: () => 'major',
  changed: (member, before, after) =>
    member === 'tags' && asArray(before).every((tag) => asArray(after).includes(tag)) ? 'minor' : 'major',
  action: { removed: 'take the tags out of your texts', changed: 'use the tags that are listed' },
};

const tolerances: EntryPolicy = {
  rule: 'changed-tolerance',
  noun: 'The tolerance',
  audience: 'Users of a lenient server',
  words,
  added: () => 'minor',
  removed: () => 'major',
  action: { removed: 'send what the specification says', changed: 'see how it is normalised now' },
};

/** The register of what the interface leaves open: another choice is another behaviour. */
const unknowns: EntryPolicy = {
  rule: 'changed-unknown',
  noun: 'The unknown',
  audience: 'Everyone who relied on the choice',
  words: [
    ...words,
    'settle',
    'statement',
    'statements',
    'subject',
    'pointers',
    'rules',
    'live_pointers',
    'places',
    'play',
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
  audience: 'Users of workflows',
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
  audience: 'Users of transcripts',
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
