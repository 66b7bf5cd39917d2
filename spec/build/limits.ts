import { isObject, type Json } from '../read.ts';

/** The rules with the number of each limit in their text, where the file says `{name}`. */
export function withLimits(rules: Json): Json {
  if (!isObject(rules)) return rules;
  return Object.fromEntries(
    Object.entries(rules).map(([file, entries]) => [
      file,
      Array.isArray(entries) ? entries.map((entry) => withNumbers(entry)) : entries,
    ]),
  );
}

/** @throws TypeError when the text names a limit that the rule does not have, or leaves one out */
function withNumbers(rule: Json): Json {
  if (!isObject(rule) || !isObject(rule.limits) || typeof rule.text !== 'string') return rule;
  const { id, limits } = rule;
  const unused = new Set(Object.keys(limits));
  const text = rule.text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!(name in limits))
      throw new TypeError(`The text of the rule ${id} names ${name}, which is not among its limits.`);
    unused.delete(name);
    return String(limits[name]);
  });
  if (unused.size > 0)
    throw new TypeError(`The text of the rule ${id} does not show its limits ${[...unused].join(', ')}.`);
  return { ...rule, text };
}
