import { rateData } from './data/rate-data.ts';
import { rateDocument } from './document/rate-document.ts';
import type { Finding } from './finding.ts';
import { impacts } from './impact.ts';
import type { Snapshot } from './snapshot.ts';

/** Every change between two versions of the specification, the gravest first. */
export async function compare(base: Snapshot, revision: Snapshot): Promise<Finding[]> {
  const [openapi, asyncapi] = await Promise.all([
    rateDocument('openapi.json', base.openapi, revision.openapi),
    rateDocument('asyncapi.json', base.asyncapi, revision.asyncapi),
  ]);
  const findings = [...openapi, ...asyncapi, ...rateData(base, revision)];
  return findings.sort((first, second) => impacts.indexOf(second.impact) - impacts.indexOf(first.impact));
}
