import type { Mutant } from '../mutant.ts';
import { audio } from './audio.ts';
import { encodingsAndTraces } from './encodings.ts';
import { answerFields } from './fields.ts';
import { liveSessions } from './live.ts';
import { errorBodies, headers, indiscretions, keysLetIn, mediaTypes, statuses } from './refusals.ts';
import { requestsAccepted } from './requests.ts';
import { streams } from './streams.ts';
import { transcriptions, voices, wallets } from './voices.ts';

/**
 * Every mutant.
 *
 * @param goodKey the key that the judge has
 */
export function catalogue(goodKey: string): Mutant[] {
  return [
    ...answerFields(),
    ...statuses(),
    ...errorBodies(),
    ...mediaTypes(),
    ...headers(),
    ...keysLetIn(goodKey),
    ...indiscretions(goodKey),
    ...requestsAccepted(),
    ...audio(),
    ...streams(),
    ...voices(),
    ...wallets(),
    ...transcriptions(),
    ...liveSessions(),
    ...encodingsAndTraces(),
  ];
}
