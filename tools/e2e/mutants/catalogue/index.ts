import type { Mutant } from '../mutant.ts';
import { additions, answerFields, eventFields } from './answer-fields.ts';
import { audio } from './audio.ts';
import { encodingsAndTraces } from './encodings.ts';
import { errorBodies } from './error-bodies.ts';
import { headers } from './headers.ts';
import { keysLetIn } from './keys.ts';
import { lists } from './lists.ts';
import { liveSessions } from './live.ts';
import { mediaTypes } from './media-types.ts';
import { lives, wallets } from './models.ts';
import { relations } from './relations.ts';
import { requestsAccepted } from './requests-accepted.ts';
import { statuses } from './statuses.ts';
import { streams } from './stream.ts';
import { transcriptions } from './transcriptions.ts';

/**
 * Every mutant.
 *
 * @param goodKey the key that the judge has
 */
export function catalogue(goodKey: string): Mutant[] {
  return [
    ...answerFields(),
    ...eventFields(),
    ...additions(),
    ...statuses(),
    ...errorBodies(),
    ...mediaTypes(),
    ...headers(),
    ...keysLetIn(goodKey),
    ...requestsAccepted(),
    ...audio(),
    ...streams(),
    ...lists(),
    ...lives(),
    ...wallets(),
    ...transcriptions(),
    ...liveSessions(),
    ...encodingsAndTraces(),
    ...relations(goodKey),
  ];
}
