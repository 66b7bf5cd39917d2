import { DecodeFailure, describePath, malformed } from './failure.ts';
import { type DecodeLimits, defaultDecodeLimits } from './limits.ts';
import { findStringProblem, scanJson } from './scan-json.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes a JSON body exactly as it was written: no coercion, no defaults.
 *
 * Refused: invalid UTF-8, invalid JSON, a name given twice in one object (which of the two was meant?), lone
 * surrogates (no UTF-8 answer could carry them), too deep a nesting, too many values.
 *
 * @throws {@link DecodeFailure} with the field and the line and column
 */
export function decodeJson(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): unknown {
  const text = readText(bytes);
  if (text.trim() === '') {
    throw malformed('json_invalid', 'The body is empty where a JSON object is expected.');
  }
  const problem = scanJson(text, limits);
  if (problem) {
    const place = describePlace(text, problem.position);
    const field = problem.path.length > 0 ? `, in \`${describePath(problem.path)}\`` : '';
    throw malformed(
      'json_invalid',
      `The body cannot be read as JSON: it ${problem.message} (${place}${field}).`,
      problem.path,
      place,
    );
  }
  try {
    const value: unknown = JSON.parse(text);
    if (/\\u[dD][89a-fA-F]/.test(text)) refuseLoneSurrogates(value, []);
    return value;
  } catch (cause) {
    if (cause instanceof DecodeFailure) throw cause;
    const found = findStringProblem(text);
    const place = describePlace(text, found?.position ?? text.length);
    throw malformed(
      'json_invalid',
      `The body cannot be read as JSON: it ${found?.message ?? 'is broken'} (${place}).`,
      [],
      place,
    );
  }
}

function readText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('json_invalid', 'The body cannot be read as JSON: it is not UTF-8 text.');
  }
}

function describePlace(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  return `line ${line}, column ${position - before.lastIndexOf('\n')}`;
}

/** Depth is bounded by the scan before, so the recursion is too. */
function refuseLoneSurrogates(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string') {
    if (value.isWellFormed()) return;
    const field = describePath(path);
    throw malformed('json_invalid', `\`${field || 'body'}\` holds half of a surrogate pair.`, path);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, child] of Object.entries(value)) {
    if (!name.isWellFormed()) throw malformed('json_invalid', 'A name holds half of a surrogate pair.', path);
    refuseLoneSurrogates(child, [...path, name]);
  }
}
