import type { BinaryInput } from './binary.ts';

/** A value that a caller writes, as a server decodes it: a field is there or it is not, and never `undefined`. */
export type Decoded<Value> = Value extends BinaryInput
  ? Value
  : Value extends object
    ? { -readonly [Name in keyof Value]: Decoded<Exclude<Value[Name], undefined>> }
    : Value;
