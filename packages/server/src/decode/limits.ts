import { limits } from '@speech-api/types';

/**
 * What a body may cost before it is refused. Every limit is finite: a request is somebody else's data.
 */
export interface DecodeLimits {
  /** Bytes of a whole request body. @defaultValue 67 108 864 (64 MiB), from the spec */
  readonly bodyBytes: number;
  /** How deep arrays and objects may nest. @defaultValue 32 */
  readonly depth: number;
  /** How many values a body may hold, counted at every depth. @defaultValue 100 000 */
  readonly values: number;
  /** Bytes of one name of a form field. @defaultValue 200 */
  readonly fieldNameBytes: number;
  /** How many parts a form may have. @defaultValue 1 000 */
  readonly formParts: number;
}

export const defaultDecodeLimits: DecodeLimits = {
  bodyBytes: limits.requestBodyBytes,
  // The deepest request of the interface nests four levels (references of a zero-shot dialogue).
  depth: 32,
  // One value costs at most a few dozen bytes of memory once decoded; text and audio are one value each.
  values: 100_000,
  fieldNameBytes: 200,
  formParts: 1_000,
};
