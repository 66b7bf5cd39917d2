import { limits } from '@speech-api/types';
import { Refusal } from '../refuse/refusal.ts';
import { clip } from '../validate/words.ts';

/** Location and cause of a decoding failure. */
export interface DecodeFailureDetails {
  /** The value of `type` in the validation list: one of the refusal's `issue_types` where it has them. */
  readonly type: string;
  /** Names and indexes from the root of the body to the field in which it went wrong. */
  readonly path?: readonly string[];
  /** Message for people. Names the field and the position. */
  readonly message: string;
  /** The bounds or the position, in words. */
  readonly context?: string;
  readonly cause?: unknown;
}

/**
 * A body that could not be turned into values: wrong media type, too large, or malformed. Validation, not
 * decoding, checks the values.
 */
export class DecodeFailure extends Refusal {
  override readonly name = 'DecodeFailure';
  readonly path: readonly string[];

  constructor(
    refusal: 'media-type' | 'body-too-large' | 'malformed-body',
    { type, path = [], message, context = '', cause }: DecodeFailureDetails,
  ) {
    // The data says that a body which cannot be decoded has the one place ["body"]; the message names the field.
    super(refusal, { message, issues: [{ loc: ['body'], type, msg: message, ctx: context }], cause });
    this.path = path;
  }
}

/** Kind of malformed body, as the validation list names it. */
export type MalformedType = 'json_invalid' | 'msgpack_invalid' | 'multipart_invalid' | 'urlencoded_invalid';

/** A body that breaks its own format, at a known place. */
export function malformed(
  type: MalformedType,
  message: string,
  path: readonly string[] = [],
  context = '',
): DecodeFailure {
  return new DecodeFailure('malformed-body', { type, message, path, context });
}

/** `["references", "0", "audio"]` as a person writes it: `references[0].audio`. */
export function describePath(path: readonly string[]): string {
  return path
    .map(clip)
    .map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`))
    .join('');
}

/** Limits above which a body is refused. Every limit is finite, because requests are untrusted. */
export const decodeLimits = {
  /** Bytes of a whole request body. */
  bodyBytes: limits.requestBodyBytes,
  /** Nesting of arrays and objects: the deepest request of the interface (references of a zero-shot dialogue) has four levels. */
  depth: 32,
  /**
   * Values in a body, counted at every depth: a dialogue of the longest text (100 000 code points) has room for 7 000 speakers,
   * each with a voice and a reference.
   */
  values: 30_000,
  /** Bytes of one name of a form field. */
  fieldNameBytes: 200,
  /** Parts in a form. */
  formParts: 1_000,
} as const;
