import { type Faults, readFaults, wordsOf } from './faults.ts';

/** Which requests get which faults. */
export interface FaultRule {
  readonly faults: Faults;
  /** Whether this request is one of them. To be asked once a request: rules count. */
  strikes(method: string, path: string): boolean;
}

const counted = /^(every|times)=(.*)$/s;

/**
 * Reads a rule such as `POST /v1/tts status=503 times=2`.
 *
 * Method and path may be left out, a path may end in `*`. `every=3` is every third request that the rule is for,
 * `times=2` the first two of those.
 *
 * @throws Error with a message for a person, which shows the rule
 */
export function readRule(text: string): FaultRule {
  try {
    return ruleOf(wordsOf(text));
  } catch (error) {
    throw new Error(`The rule "${text.slice(0, 200)}" is no good. ${(error as Error).message}`);
  }
}

function ruleOf(words: readonly string[]): FaultRule {
  const method = words.find((word) => /^[A-Z]+$/.test(word));
  const path = words.find((word) => word.startsWith('/'));
  const faultWords = words.filter((word) => word !== method && word !== path && !counted.test(word));
  const counts = new Map(words.map((word) => counted.exec(word)).map((found) => [found?.[1], found?.[2]]));
  const every = readCount('every', counts.get('every')) ?? 1;
  const times = readCount('times', counts.get('times')) ?? Number.POSITIVE_INFINITY;
  if (faultWords.length === 0) throw new Error('It says nothing that goes wrong.');
  let seen = 0;
  let struck = 0;
  return {
    faults: readFaults(faultWords),
    strikes(requestMethod, requestPath) {
      if (method !== undefined && method !== requestMethod) return false;
      if (path !== undefined && !isMatch(path, requestPath)) return false;
      seen += 1;
      if (seen % every !== 0 || struck >= times) return false;
      struck += 1;
      return true;
    },
  };
}

function isMatch(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function readCount(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new Error(`${name} takes a number from 1 on, not "${value}".`);
  return Number(value);
}
