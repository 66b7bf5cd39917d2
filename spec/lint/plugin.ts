import type { Rule } from './redocly-types.ts';
import { descriptionAndExample } from './rules/description-and-example.ts';
import { exampleNames } from './rules/example-names.ts';
import { liveSchemas } from './rules/live-schemas.ts';
import { provenance } from './rules/provenance.ts';
import { provenancePointers } from './rules/provenance-pointers.ts';
import { rootHoldsReferences } from './rules/root-holds-references.ts';

interface Plugin {
  readonly id: string;
  readonly rules: { readonly [documentKind: string]: { readonly [ruleId: string]: Rule } };
}

/** Our rules beyond Redocly's own. Used in a configuration as `speech/<rule id>`. */
export default function plugin(): Plugin {
  return {
    id: 'speech',
    rules: {
      oas3: {
        'root-holds-references': rootHoldsReferences,
        'description-and-example': descriptionAndExample,
        'example-names': exampleNames,
        provenance,
        'provenance-pointers': provenancePointers('pointers'),
      },
      async3: {
        'description-and-example': descriptionAndExample,
        'live-schemas': liveSchemas,
        provenance,
        'provenance-pointers': provenancePointers('live_pointers'),
      },
    },
  };
}
