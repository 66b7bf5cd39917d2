/** What a test shows of the interface. Its name says it: `section 2.1, without effect: early_stop_threshold is accepted`. */
export interface Claim {
  /** Of the interface, such as `2.1`. */
  readonly section: string;
  readonly state: ClaimState;
  readonly sentence: string;
}

/** How far the sandbox keeps what the sentence speaks of. */
export type ClaimState = 'supported' | (typeof otherStates)[number];

const otherStates = ['in part', 'without effect', 'not available'] as const;

const isOtherState = (state: string): state is (typeof otherStates)[number] =>
  otherStates.some((each) => each === state);

/** The name of a test that is a claim, as it stands in the code: after `test(` or the `)(` of `test.each`. */
const claimInCode = /(?<=\b(?:it|test)\(\s*|\)\(\s*)(['"])section (\d+(?:\.\d+)?)(?:, ([a-z ]+))?: (.+?)(?<!\\)\1,/g;

/**
 * The claims in the code of a test file.
 *
 * @throws Error for a state that there is not, and for a sentence with a placeholder in it
 */
export function readClaims(code: string): Claim[] {
  return Array.from(code.matchAll(claimInCode), ([whole, , section = '', state, written = '']) => {
    const sentence = written.replaceAll(/\\(.)/g, '$1');
    if (state !== undefined && !isOtherState(state)) {
      throw new Error(`${whole} names the state "${state}"; there are ${otherStates.join(', ')}.`);
    }
    if (/%[sdifjo#]|\$\w/.test(sentence))
      throw new Error(`${whole} has a placeholder; a claim is one sentence.`);
    return { section, state: state ?? 'supported', sentence };
  });
}
