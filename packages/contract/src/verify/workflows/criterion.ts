import { type ExpressionContext, evaluate, NotPlayed } from './expression.ts';

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
