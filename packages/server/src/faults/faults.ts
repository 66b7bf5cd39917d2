/** What goes wrong with one answer. What is absent goes well. */
export interface Faults {
  /** Answered in place of the operation, with a general error body. */
  readonly status?: number;
  /** How long the answer is held back. */
  readonly delayMilliseconds?: number;
  /** The connection is cut when so many bytes of the body have left. */
  readonly cutAfterBytes?: number;
  /** The body leaves no faster. */
  readonly dripBytesPerSecond?: number;
  /** How long after the one before it each piece of the body leaves, at the earliest: events one by one. */
  readonly paceMilliseconds?: number;
  /** The event of this number, from 1 on, is not valid JSON. */
  readonly malformedEvent?: number;
  /** The half of the body's first piece is overwritten: no JSON, no audio, no event. */
  readonly malformed?: true;
  /** The media type that the answer says it has, whatever it has. */
  readonly mediaType?: string;
}

interface FaultWord {
  readonly shape: RegExp;
  readonly takes: string;
  read(value: string): Faults;
}

const aTime = {
  shape: /^\d{1,6}(\.\d+)?(ms|s)$/,
  takes: 'a time such as 500ms or 2s, of ten minutes at most',
} as const;

function readTime(value: string): number {
  return Math.min(Number.parseFloat(value) * (value.endsWith('ms') ? 1 : 1000), 600_000);
}

const faultWords: Readonly<Record<string, FaultWord>> = {
  status: {
    shape: /^[45]\d\d$/,
    takes: 'a status from 400 to 599',
    read: (value) => ({ status: Number(value) }),
  },
  delay: {
    ...aTime,
    read: (value) => ({ delayMilliseconds: readTime(value) }),
  },
  pace: {
    ...aTime,
    read: (value) => ({ paceMilliseconds: readTime(value) }),
  },
  cut: {
    shape: /^\d{1,12}$/,
    takes: 'a number of bytes',
    read: (value) => ({ cutAfterBytes: Number(value) }),
  },
  drip: {
    shape: /^[1-9]\d{0,11}$/,
    takes: 'a number of bytes a second, at least 1',
    read: (value) => ({ dripBytesPerSecond: Number(value) }),
  },
  'malformed-event': {
    shape: /^[1-9]\d{0,8}$/,
    takes: 'the number of an event, from 1 on',
    read: (value) => ({ malformedEvent: Number(value) }),
  },
  malformed: {
    shape: /^$/,
    takes: 'nothing',
    read: () => ({ malformed: true }),
  },
  type: {
    shape: /^[a-z]+\/[a-z0-9.+-]{1,60}$/,
    takes: 'a media type such as text/html',
    read: (value) => ({ mediaType: value }),
  },
};

/** What can be asked for, as an example a kind. */
export const faultExamples =
  'status=503, delay=500ms, cut=2000, drip=1000, pace=40ms, malformed-event=2, malformed or type=text/html';

/** Splits at spaces and commas. */
export function wordsOf(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

/**
 * Reads faults such as `delay=500ms cut=2000`.
 *
 * @throws Error with a message for a person when a word is none of them, comes twice or has another value
 */
export function readFaults(words: readonly string[]): Faults {
  const faults: Record<string, Faults> = {};
  for (const word of words) {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    const known = Object.hasOwn(faultWords, name) ? faultWords[name] : undefined;
    const shown = word.slice(0, 80);
    if (known === undefined) throw new Error(`"${shown}" is no fault; there are ${faultExamples}.`);
    if (!known.shape.test(value)) throw new Error(`"${shown}": ${name} takes ${known.takes}.`);
    if (faults[name] !== undefined) throw new Error(`${name} is there twice.`);
    faults[name] = known.read(value);
  }
  return Object.assign({}, ...Object.values(faults)) as Faults;
}

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
