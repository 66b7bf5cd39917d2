/** Version of the protocol in README.md; a client refuses an engine of another one. */
export const protocolVersion = 1;

/** One line on standard input. */
export interface SpeakRequest {
  readonly type: 'speak';
  /** Chosen by the client and repeated in the answer. */
  readonly id: string;
  readonly text: string;
  /** Engine voice, with a variant after a plus sign: `en-us+f3`. */
  readonly voice: string;
  /** Words a minute, 80 to 450. */
  readonly rate: number;
  /** 0 to 99. */
  readonly pitch: number;
  /** Pitch range, 0 to 99. */
  readonly range: number;
}

/** Times are seconds from the start of the utterance; positions are 0-based code points of the request's text. */
export type TimedEvent =
  | { readonly event: 'word'; readonly time: number; readonly position: number; readonly length: number }
  | { readonly event: 'sentence'; readonly time: number; readonly position: number }
  | { readonly event: 'phoneme'; readonly time: number; readonly phoneme: string }
  | { readonly event: 'clause-end'; readonly time: number };

/** One line on standard output; `audio` is followed by as many bytes of PCM as it says. */
export type EngineMessage =
  | {
      readonly type: 'ready';
      readonly protocol: number;
      readonly engine: string;
      readonly sample_rate: number;
    }
  | { readonly type: 'events'; readonly id: string; readonly events: readonly TimedEvent[] }
  | { readonly type: 'audio'; readonly id: string; readonly bytes: number }
  | { readonly type: 'done'; readonly id: string; readonly samples: number }
  | { readonly type: 'error'; readonly id: string | null; readonly message: string };

/**
 * Reads one line of standard input.
 *
 * @throws TypeError naming the field when the line is not a request of this protocol.
 */
export function parseRequest(line: string): SpeakRequest {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new TypeError('a request is a JSON object');
  const fields: Partial<Record<string, unknown>> = { ...value };
  if (fields.type !== 'speak') throw new TypeError('`type` must be "speak"');
  return {
    type: 'speak',
    id: text(fields, 'id'),
    text: text(fields, 'text'),
    voice: text(fields, 'voice'),
    rate: whole(fields, 'rate', 80, 450),
    pitch: whole(fields, 'pitch', 0, 99),
    range: whole(fields, 'range', 0, 99),
  };
}

function text(fields: Partial<Record<string, unknown>>, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new TypeError(`\`${name}\` must be a string`);
  return value;
}

function whole(
  fields: Partial<Record<string, unknown>>,
  name: string,
  minimum: number,
  maximum: number,
): number {
  const value = fields[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < minimum || value > maximum) {
    throw new TypeError(`\`${name}\` must be a whole number from ${minimum} to ${maximum}`);
  }
  return value;
}
