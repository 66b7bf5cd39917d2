import type { HttpExchange } from '../../exchange.ts';
import { isObject } from '../../specification/document.ts';

/** What the expressions of a workflow are about. */
export interface ExpressionContext {
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The outputs of the steps before, by their ids. */
  readonly steps: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
  /** The answer of the step itself, once it is there. */
  readonly exchange?: HttpExchange;
}

/** A workflow uses something of Arazzo that is not played here. */
export class NotPlayed extends Error {
  override readonly name = 'NotPlayed';
}

/**
 * The value of a runtime expression of Arazzo (`$steps.make.outputs.id`, `$response.body#/items/0/_id`).
 *
 * @throws NotPlayed for a kind of expression that is not known here
 */
export function evaluate(expression: string, context: ExpressionContext): unknown {
  const { inputs, steps, exchange } = context;
  if (expression === '$statusCode') return exchange?.response.status;
  if (expression === '$method') return exchange?.request.method;
  if (expression === '$url') return exchange?.request.url;
  const [, kind = '', rest = ''] =
    /^\$(inputs|steps|response\.body|response\.header)[.#]?(.*)$/s.exec(expression) ?? [];
  if (kind === 'inputs') return inputs[rest];
  if (kind === 'steps') {
    const [, step = '', output = '', pointer = ''] =
      /^([\w-]+)\.outputs\.([\w-]+)(?:#(.*))?$/.exec(rest) ?? [];
    return atPointer(steps.get(step)?.[output], pointer);
  }
  if (kind === 'response.header') return exchange?.response.headers[rest.toLowerCase()];
  if (kind === 'response.body') return atPointer(bodyOf(exchange), rest);
  throw new NotPlayed(`the expression ${expression} is not known to the judge`);
}

/** A value in which every expression is replaced by what it means, also those inside of texts as `{$inputs.title}`. */
export function resolveValue(value: unknown, context: ExpressionContext): unknown {
  if (typeof value === 'string') {
    if (value.startsWith('$')) return evaluate(value, context);
    return value.replace(/\{(\$[^}]+)\}/g, (_all, expression: string) =>
      String(evaluate(expression, context) ?? ''),
    );
  }
  if (Array.isArray(value)) return value.map((entry) => resolveValue(entry, context));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, resolveValue(inner, context)]),
  );
}

function bodyOf(exchange: HttpExchange | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(exchange?.response.body ?? []).toString('utf8'));
  } catch {
    return undefined;
  }
}

function atPointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  return pointer
    .replace(/^\//, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((current, name) => {
      if (Array.isArray(current)) return current[Number(name)];
      return isObject(current) ? current[name] : undefined;
    }, value);
}

/**
 * Whether a simple condition of Arazzo holds: comparisons of expressions, numbers, texts, booleans and null,
 * joined by `&&` and `||`.
 *
 * @throws NotPlayed for a condition that is written otherwise
 */
export function holds(condition: string, context: ExpressionContext): boolean {
  return condition
    .split('||')
    .some((choice) => choice.split('&&').every((comparison) => compare(comparison.trim(), context)));
}

/**
 * Finds out before anything is sent whether a condition can be judged.
 *
 * @throws NotPlayed when it can't
 */
export function checkCondition(condition: string): void {
  const nothing: ExpressionContext = { inputs: {}, steps: new Map() };
  for (const comparison of condition.split(/\|\||&&/)) compare(comparison.trim(), nothing);
}

function compare(comparison: string, context: ExpressionContext): boolean {
  const parts = /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/s.exec(comparison);
  if (parts === null) return Boolean(meaningOf(comparison, context));
  const [, left = '', operator = '', right = ''] = parts;
  const [first, second] = [meaningOf(left, context), meaningOf(right, context)];
  if (operator === '==') return same(first, second);
  if (operator === '!=') return !same(first, second);
  if (typeof first !== 'number' || typeof second !== 'number') return false;
  if (operator === '<') return first < second;
  if (operator === '>') return first > second;
  return operator === '<=' ? first <= second : first >= second;
}

/** Arazzo compares texts without regard to case. */
function same(first: unknown, second: unknown): boolean {
  if (typeof first === 'string' && typeof second === 'string')
    return first.toLowerCase() === second.toLowerCase();
  return first === second;
}

function meaningOf(text: string, context: ExpressionContext): unknown {
  const word = text.trim();
  if (word.startsWith('$')) return evaluate(word, context);
  if (/^'.*'$/s.test(word)) return word.slice(1, -1).replaceAll("''", "'");
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'null') return null;
  const number = Number(word);
  if (word !== '' && !Number.isNaN(number)) return number;
  throw new NotPlayed(`the condition "${text}" is not known to the judge`);
}
