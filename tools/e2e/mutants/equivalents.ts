import { type Field, fieldsOf, nameOf } from './change/fields.ts';
import { operations } from './specification.ts';

/** A change after which the contract is still kept, or that no judge can see. It is no mutant, and here is why. */
export interface Equivalent {
  readonly change: string;
  readonly reason: string;
}

/** Changes that were thought of and left out of the catalogue. */
export function equivalents(): readonly Equivalent[] {
  return [
    ...optionalFields(),
    {
      change: 'createSpeech: success is called application/octet-stream',
      reason: 'The media type is not stated, and the specification allows this one for every format.',
    },
    {
      change: 'createSpeech: pcm at another rate, or as stereo',
      reason: 'Samples without a header have neither rate nor channels: the same bytes are longer speech.',
    },
    {
      change: 'createSpeech: mp3 that lacks some whole frames at its end',
      reason: 'mp3 does not say how long it is; what is out of all proportion to the text is a mutant.',
    },
    {
      change: 'createSpeech: opus with fewer bits than asked',
      reason: 'A bitrate of Opus is an aim, and silence takes less; more than half above it is a mutant.',
    },
    {
      change: 'streamSpeechWithTimestamps: some alignments are null after the first snapshot',
      reason: 'Section 2.4: null when alignment is unavailable; a reader keeps the snapshot it has.',
    },
    {
      change: 'streamSpeechWithTimestamps: the same snapshot several times',
      reason: 'Section 3: the service may repeat the latest snapshot.',
    },
    {
      change: 'streamSpeechWithTimestamps: other cuts between the pieces of audio',
      reason: 'Section 2.4: pieces are transport units.',
    },
    {
      change: 'listModels: an order turned around',
      reason: 'The direction of sort_by is not stated.',
    },
    {
      change: 'deleteModel: success is 204',
      reason: 'The specification documents it beside 200.',
    },
    {
      change: 'updateModel, deleteModel: any body, under any media type',
      reason: 'The success body is not shown (section 4.4); clients accept any.',
    },
    {
      change: 'getPackage: total, balance or extra_balance is negative',
      reason: 'Their unit and range are not stated.',
    },
    {
      change: 'listModels: title_language is ignored',
      reason: 'The language of a title stands in no answer.',
    },
    {
      change: 'openLiveSession: another close code after a finished session',
      reason: 'The judge closes first, since a server may wait for another start for as long as it likes.',
    },
    {
      change: 'any answer: a header more, or in other letters',
      reason: 'HTTP allows both.',
    },
    {
      change: 'a general error: `reason` dropped, null or of any value',
      reason: 'It is optional, and what stands in it is not stated.',
    },
  ];
}

/** Each optional field of an answer, dropped. */
function optionalFields(): Equivalent[] {
  return operations.flatMap(({ operationId, answers, success }) => {
    const schema = answers[String(success)];
    if (schema === undefined) return [];
    const isOptional = ({ required, path }: Field) => !required && path.at(-1) !== '*';
    const names = fieldsOf(schema).filter(isOptional).map(nameOf);
    if (names.length === 0) return [];
    return [
      {
        change: `${operationId}: dropped is any of ${names.map((name) => `\`${name}\``).join(', ')}`,
        reason: 'Sections 2.5 to 2.7 or the specification list it as optional.',
      },
    ];
  });
}
