import { writeFileSync } from 'node:fs';
import { compose } from './compose.ts';
import { plans } from './plans.ts';

// Writes the transcripts anew: `node build/transcripts/write.ts` in spec.

for (const [name, plan] of Object.entries(plans)) {
  writeFileSync(new URL(`../../transcripts/${name}.jsonl`, import.meta.url), compose(plan));
}
