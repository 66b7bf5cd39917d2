import type { Finding } from '../finding.ts';
import { objectOf } from '../json.ts';
import type { Snapshot } from '../snapshot.ts';
import { rateEntries } from './entries.ts';
import { entriesOf, policies, policyOfRules } from './policies.ts';

/** Rates the changes of the data beside the documents. */
export function rateData(base: Snapshot, revision: Snapshot): Finding[] {
  const [old, now] = [objectOf(base.data.rules), objectOf(revision.data.rules)];
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
  const about = { place, subject: name, audience: 'Everybody' };
  return { ...about, rule: 'new-list', impact: 'minor', message: `The list of rules \`${name}\` is new.` };
}
