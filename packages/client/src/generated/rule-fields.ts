/*
 * Generated, do not edit: change the specification and run `npm run generate`.
 * From:
 *   @speech-api/spec/rules.json  sha256 8971254dbbff8fe2
 */

/** No rule can be broken by a request that has none of these fields. */
export const ruleFields: readonly string[] = ['sample_rate', 'reference_id', 'references'];
