import type { Finding } from '../finding.ts';
import { type JsonObject, objectOf } from '../json.ts';
import { rateEntries } from './entries.ts';
import { entriesOf, policies, policyOfRules } from './policies.ts';

/** Rates the changes of the data beside the documents. */
export function rateData(base: JsonObject, revision: JsonObject): Finding[] {
  const [old, now] = [objectOf(base.rules), objectOf(revision.rules)];
  const ofRules = [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
    const file = `rules.json/${name}`;
    // Before there was a list of its kind, nobody could have kept its rules or relied on them.
    if (old[name] === undefined) return [newList(file, name)];
    return rateEntries(file, policyOfRules(name), entriesOf(old[name]), entriesOf(now[name]));
  });
  const others = Object.entries(policies).flatMap(([name, policy]) =>
    rateEntries(`${name}.json`, policy, entriesOf(base[name]), entriesOf(revision[name])),
  );
  return [...ofRules, ...others];
}

function newList(place: string, name: string): Finding {
  const about = { place, subject: name, audience: 'Everybody' };
  return { ...about, rule: 'new-list', impact: 'minor', message: `The list of rules \`${name}\` is new.` };
}
