import type { BinaryInput } from './binary.ts';

/** A value as a server decodes it: each field is present or absent, but never `undefined`. */
export type Decoded<Value> = Value extends BinaryInput
  ? Value
  : Value extends object
    ? { -readonly [Name in keyof Value]: Decoded<Exclude<Value[Name], undefined>> }
    : Value;
