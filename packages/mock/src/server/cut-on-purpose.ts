/** Thrown where an answer is to break off: nothing is wrong with the mock. */
export class CutOnPurpose extends Error {
  override readonly name = 'CutOnPurpose';

  constructor() {
    super('The answer was to break off here.');
  }
}
