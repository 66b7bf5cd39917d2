import type { Json, SpecDocument } from '../document.ts';
import { reachOfSchemas, receivedOnly } from '../reach.ts';
import type { Constant } from '../typescript-module.ts';

/** Closed lists of values, and those of responses, which may grow. */
export function enumConstants(document: SpecDocument): Constant[] {
  const values = (schema: string) => document.at(`/components/schemas/${schema}/enum`);
  return [
    {
      name: 'latencyModes',
      comment: 'How early the first audio should come (section 2.1).',
      value: values('LatencyMode'),
    },
    {
      name: 'voiceModelTypes',
      comment: 'What a voice model can be for (section 2.6).',
      value: values('VoiceModelType'),
    },
    {
      name: 'voiceModelStates',
      comment: 'How far the training of a voice model has come (section 2.6).',
      value: values('VoiceModelState'),
    },
    { name: 'visibilities', comment: 'Who finds a voice model (section 2.6).', value: values('Visibility') },
    {
      name: 'trainModes',
      comment: 'How a voice model is trained (section 2.6).',
      value: values('TrainMode'),
    },
    {
      name: 'modelSortOrders',
      comment: 'What a list of voice models can be sorted by (section 4.4).',
      value: document.at('/components/parameters/SortOrder/schema/enum'),
    },
    {
      name: 'responseEnums',
      comment:
        'The known values of every response field that has a list of them, by schema and field.\nA service may answer with others: no program may fail on one.',
      value: responseEnums(document),
    },
  ];
}

function responseEnums(document: SpecDocument): Json {
  const fields = receivedOnly(reachOfSchemas(document)).flatMap((schema): [string, Json][] =>
    [...document.properties(document.schema(schema))].flatMap(
      ([field, { enum: values }]): [string, Json][] =>
        values === undefined ? [] : [[`${schema}.${field}`, values]],
    ),
  );
  return Object.fromEntries(fields);
}
