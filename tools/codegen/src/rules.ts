import { asArray, asObject, asText, isObject, type Json, type JsonObject } from '@speech-api/spec/read';

/** Default of each absent field, by its name; an object for the fields of an object. */
export type Defaults = JsonObject;

/**
 * A module of plain functions, one for each rule between fields, and the list of those that each side enforces.
 *
 * @param rules The list `synthesis` of `rules.json`.
 * @throws Error if a rule uses a condition that has no function here.
 */
export function generateRules(rules: Json | undefined, defaults: Defaults): string {
  const isEnforced = (rule: JsonObject) => asArray(rule.enforced_by).length > 0;
  const list = asArray(rules).filter(isObject).filter(isEnforced);
  const printed = list.map((rule) => new RulePrinter(rule, defaults).print());
  const enforced = (['client', 'server'] as const).map((side) => {
    const names = list.filter((rule) => asArray(rule.enforced_by).includes(side)).map(constantOf);
    if (names.length === 0) throw new Error(`The specification has no rules for the ${side}.`);
    return `
/** The rules that a ${side} enforces, in order: the first one that is broken refuses the request. */
export const ${side}Rules: readonly RequestRule[] = [${names.join(', ')}];
`;
  });
  const body = [interfaceCode, ...printed, ...enforced].join('\n');
  const helpers = helperFunctions.filter((code) => body.includes(/function (\w+\()/.exec(code)?.[1] ?? ''));
  return [body, ...helpers].join('\n');
}

/** `sampleRateOfMp3` for the rule `sample-rate-of-mp3`. */
const constantOf = ({ id }: JsonObject): string =>
  asText(id).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

const interfaceCode = `/** A rule between the fields of a synthesis request, which no schema can express. */
export interface RequestRule {
  readonly id: string;
  /** The field to blame, such as \`sample_rate\` or \`model\`. */
  readonly field: string;
  /** The operations that the rule applies to; without it, all of them. */
  readonly applies_to?: readonly string[];
  /** A lenient server with this tolerance skips the rule. */
  readonly tolerated_by?: string;
  /** The entry of \`refusals\` whose answer the server gives; without it, \`rule\`. */
  readonly refusal?: string;
  /** What is wrong and what would work; undefined if the request keeps the rule. */
  readonly check: (request: Fields, model: string) => string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
`;

class RulePrinter {
  readonly #rule: JsonObject;
  readonly #defaults: Defaults;

  constructor(rule: JsonObject, defaults: Defaults) {
    this.#rule = rule;
    this.#defaults = defaults;
  }

  print(): string {
    const { id, field, applies_to, tolerated_by, refusal } = this.#rule;
    const members = { id, field: fieldName(asText(field)), applies_to, tolerated_by, refusal };
    const written = Object.entries(members).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}: ${JSON.stringify(value)},`],
    );
    return `const ${constantOf(this.#rule)}: RequestRule = { ${written.join(' ')} check: ${this.#check()} };\n`;
  }

  #check(): string {
    const when = asArray(this.#rule.when).map((condition) => this.#holds(asObject(condition)));
    const branches = asArray(this.#rule.require)
      .map(asObject)
      .map((condition) => {
        const broken = [...new Set([...when, ...this.#breaks(condition)])].join(' && ');
        return `if (${broken}) return ${this.#message(condition)};`;
      });
    return `(request, model) => { ${branches.join('\n')} return undefined; }`;
  }

  /** An expression that is true if the condition holds. An omitted field without a default breaks nothing. */
  #holds(condition: JsonObject): string {
    const { test, value, isAlwaysThere } = this.#condition(condition);
    return isAlwaysThere ? test : `(${value} == null || ${test})`;
  }

  /** Expressions that are all true if the condition is broken. */
  #breaks(condition: JsonObject): string[] {
    const { test, value, isAlwaysThere } = this.#condition(condition);
    const broken = test.startsWith('!') ? test.slice(1) : `!${test}`;
    return isAlwaysThere ? [broken] : [`(${value} != null)`, broken];
  }

  #condition(condition: JsonObject): { test: string; value: string; isAlwaysThere: boolean } {
    const at = asText(condition.at);
    const fieldValue = read(at);
    const kind = kinds[String(condition.is)];
    if (kind) return { test: kind(fieldValue), value: fieldValue, isAlwaysThere: true };
    const fallback = at === 'header:model' ? undefined : (this.#defaults[fieldName(at)] ?? undefined);
    const value = fallback === undefined ? fieldValue : `(${fieldValue} ?? ${JSON.stringify(fallback)})`;
    const isAlwaysThere = at === 'header:model' || fallback !== undefined;
    return { test: this.#test(condition, value), value, isAlwaysThere };
  }

  #test(condition: JsonObject, value: string): string {
    if (condition.in !== undefined) return `isOneOf(${value}, ${JSON.stringify(condition.in)})`;
    if (condition.not_in !== undefined) return `!isOneOf(${value}, ${JSON.stringify(condition.not_in)})`;
    if (condition.speaker_tags_below !== undefined)
      return `(highestSpeaker(${value}) < lengthOf(${read(asText(condition.speaker_tags_below))}))`;
    if (condition.same_length_as !== undefined)
      return `(lengthOf(${value}) === lengthOf(${read(asText(condition.same_length_as))}))`;
    if (condition.code_points_at_most !== undefined)
      return `hasAtMostCodePoints(${value}, ${JSON.stringify(condition.code_points_at_most)})`;
    throw new Error(
      `The rule ${asText(this.#rule.id)} has a condition without a function: ${JSON.stringify(condition)}. Add it to tools/codegen/src/rules.ts.`,
    );
  }

  #message(broken: JsonObject): string {
    const field = asText(this.#rule.field);
    const value = field === 'header:model' ? 'model' : `JSON.stringify(${read(field)})`;
    return asText(this.#rule.message)
      .replaceAll('{field}', fieldName(field))
      .replaceAll('{allowed}', allowedBy(broken))
      .split('{value}')
      .map((words) => JSON.stringify(words))
      .join(` + ${value} + `);
  }
}

/** The expression that reads a place: `request.sample_rate` for `/sample_rate`. */
function read(at: string): string {
  return at === 'header:model' ? 'model' : `request.${fieldName(at)}`;
}

/** @throws Error for a field of a field, which no rule needs so far */
function fieldName(at: string): string {
  const [, name] = /^(?:\/|header:)(\w+)$/.exec(at) ?? [];
  if (name === undefined) throw new Error(`${at} is no field: add it to tools/codegen/src/rules.ts.`);
  return name;
}

const kinds: Readonly<Record<string, (value: string) => string>> = {
  present: (value) => `(${value} != null)`,
  array: (value) => `Array.isArray(${value})`,
  'array-of-arrays': (value) => `isArrayOfArrays(${value})`,
};

/** `a, b or c`. */
function allowedBy({ in: values, code_points_at_most: limit }: JsonObject): string {
  const words = asArray(values ?? (limit === undefined ? [] : [limit])).map(String);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Functions that the printed rules may call; a module contains those it uses. */
const helperFunctions = [
  `function isOneOf(value: unknown, values: readonly unknown[]): boolean {
  return values.includes(value);
}
`,
  `function isArrayOfArrays(value: unknown): boolean {
  return Array.isArray(value) && value.every(Array.isArray);
}
`,
  `function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
`,
  `/** The largest N of the tags \`<|speaker:N|>\`, or -1 if there is none. */
function highestSpeaker(text: unknown): number {
  let highest = -1;
  for (const [, digits] of String(text).matchAll(/<\\|speaker:(\\d+)\\|>/g)) highest = Math.max(highest, Number(digits));
  return highest;
}
`,
  `function hasAtMostCodePoints(value: unknown, maximum: number): boolean {
  const text = String(value);
  // A text never has more code points than UTF-16 units, so most texts need no counting.
  if (text.length <= maximum) return true;
  let count = 0;
  for (const _ of text) {
    count += 1;
    if (count > maximum) return false;
  }
  return true;
}
`,
];
