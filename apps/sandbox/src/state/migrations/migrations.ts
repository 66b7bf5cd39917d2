import { voiceModels } from './1-voice-models.ts';
import { wallets } from './2-wallets.ts';

/** Each brings a database one version further. What was released is never changed: add the next one. */
export const migrations: readonly string[] = [voiceModels, wallets];
