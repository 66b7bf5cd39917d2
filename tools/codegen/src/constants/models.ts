import type { Json, SpecDocument } from '../document.ts';
import type { Constant } from '../typescript-module.ts';

/** The models and their default. */
export function modelConstants(document: SpecDocument): Constant[] {
  return [
    {
      name: 'synthesisModels',
      comment:
        'The text-to-speech models the service names (section 9). Other names are legal: new models appear.',
      value: namedValues(document, 'SynthesisModel'),
    },
    {
      name: 'defaultModel',
      comment: 'The model that speaks when nobody chooses one (section 4.1).',
      value: document.at('/components/schemas/SynthesisModel/default'),
    },
    {
      name: 'streamModels',
      comment:
        'The models the service names for the timestamped stream (section 4.2). Others are let through.',
      value: namedValues(document, 'StreamSynthesisModel'),
    },
  ];
}

/** The named values of an open enum, which is `anyOf` an enum and any string. */
function namedValues(document: SpecDocument, name: string): Json {
  const branches = document
    .arrayAt(`/components/schemas/${name}/anyOf`)
    .map((branch) => document.resolve(branch));
  const named = branches.find((branch) => branch.enum !== undefined);
  if (named?.enum === undefined) throw new Error(`The schema ${name} has no branch with an enum.`);
  return named.enum;
}
