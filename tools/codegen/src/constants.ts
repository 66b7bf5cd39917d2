import {
  isObject,
  type Json,
  type JsonObject,
  reachOfSchemas,
  receivedOnly,
  type SpecDocument,
} from '@speech-api/spec/read';
import { requestConstants } from './request-constants.ts';
import { transportConstants } from './transport-constants.ts';
import { type Constant, printConstants } from './typescript.ts';

/** The module of constants: every value is read from the document, none is known here. */
export function generateConstants(document: SpecDocument): string {
  return printConstants([
    {
      name: 'specificationVersion',
      comment:
        'The version of `@speech-api/spec` that all of this is generated from. That of the interface is another one.',
      value: document.stringAt('/info/x-specification-version'),
    },
    ...modelConstants(document),
    ...audioConstants(document),
    ...transportConstants(document),
    ...requestConstants(document),
    ...enumConstants(document),
    ...limitConstants(document),
    ...documentationConstants(document),
  ]);
}

/** The models and their default. */
function modelConstants(document: SpecDocument): Constant[] {
  return [
    {
      name: 'synthesisModels',
      comment:
        'The text-to-speech models the service names (section 9). Other names are legal: new models appear.',
      value: namedValues(document, 'SynthesisModel'),
    },
    {
      name: 'defaultModel',
      comment: 'The default model (section 4.1).',
      value: document.at('/components/schemas/SynthesisModel/default'),
    },
    {
      name: 'expressionStyles',
      comment:
        'How each model marks directions in the text: `listed` tags are those of `expressions`, `free` ones are any words between the brackets. Other models use the style of the default model.',
      value: withoutMark(document.objectAt('/components/schemas/SynthesisModel/x-expression-styles')),
    },
    {
      name: 'streamModels',
      comment:
        'The models the service names for the timestamped stream (section 4.2). Others are let through.',
      value: namedValues(document, 'StreamSynthesisModel'),
    },
  ];
}

function withoutMark(value: JsonObject): JsonObject {
  const { 'x-provenance': _, ...rest } = value;
  return rest;
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

const bitrate = (field: string) => `/components/schemas/SynthesisSettings/properties/${field}`;

/** Formats, sample rates, bitrates and media types (section 2.3). */
function audioConstants(document: SpecDocument): Constant[] {
  const formats = document.objectAt('/components/schemas/AudioFormat/x-audio-formats');
  const byFormat = (member: string) => valuesOfFormats(document, formats, member);
  return [
    {
      name: 'audioFormats',
      comment: 'The formats of generated audio (section 2.3).',
      value: document.at('/components/schemas/AudioFormat/enum'),
    },
    {
      name: 'sampleRates',
      comment: 'The sample rates of each format, in Hz (section 2.3).',
      value: byFormat('sampleRates'),
    },
    {
      name: 'defaultSampleRates',
      comment: 'The sample rate of each format when none is asked for, in Hz (section 2.3).',
      value: byFormat('defaultSampleRate'),
    },
    {
      name: 'audioMediaTypes',
      comment:
        'The media type of each format. A service may also answer `application/octet-stream` for any of them.',
      value: byFormat('mediaType'),
    },
    {
      name: 'audioChannels',
      comment: 'The number of channels of each format (section 2.3).',
      value: byFormat('channels'),
    },
    {
      name: 'bitsPerSample',
      comment: 'The width of a sample in the uncompressed formats, in bits (section 2.3).',
      value: optionalValuesOfFormats(formats, 'bitsPerSample'),
    },
    {
      name: 'mp3Bitrates',
      comment: `The bitrates of mp3, in ${document.stringAt(`${bitrate('mp3_bitrate')}/x-unit`)} (section 2.3).`,
      value: document.at(`${bitrate('mp3_bitrate')}/enum`),
    },
    {
      name: 'opusBitrates',
      comment: `The bitrates of opus, in ${document.stringAt(`${bitrate('opus_bitrate')}/x-unit`)}; the negative one is automatic (section 2.3).`,
      value: document.at(`${bitrate('opus_bitrate')}/enum`),
    },
  ];
}

function valuesOfFormats(document: SpecDocument, formats: JsonObject, member: string): JsonObject {
  const values = optionalValuesOfFormats(formats, member);
  for (const format of document.arrayAt('/components/schemas/AudioFormat/enum')) {
    if (!Object.hasOwn(values, String(format)))
      throw new Error(`x-audio-formats has no ${member} for ${format}.`);
  }
  return values;
}

function optionalValuesOfFormats(formats: JsonObject, member: string): JsonObject {
  return Object.fromEntries(
    Object.entries(formats).flatMap(([format, details]): [string, Json][] => {
      const value = isObject(details) ? details[member] : undefined;
      return value === undefined ? [] : [[format, value]];
    }),
  );
}

/** Closed lists of values, and those of responses, which may grow. */
function enumConstants(document: SpecDocument): Constant[] {
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

const schemas = '/components/schemas';

/** Limits with the unit in the name, and those that are known and not enforced. */
function limitConstants(document: SpecDocument): Constant[] {
  const number = (pointer: string) => document.numberAt(pointer);
  const file = `${schemas}/TranscriptionRequest/properties/audio/x-limits`;
  return [
    {
      name: 'limits',
      comment:
        'Limits that are enforced, all inclusive (section 8).\nA file of a transcription is cut or refused by a client above `…BytesSent`, by a server above `…BytesRefusedAbove`.',
      value: {
        requestBodyBytes: requestBodyBytes(document),
        textCodePoints: number(`${schemas}/SynthesisSettings/properties/text/x-limits/codePoints/maximum`),
        transcriptionFiles: number(`${file}/files/maximum`),
        transcriptionFileBytesSent: number(`${file}/bytes/maximum`),
        transcriptionFileBytesRefusedAbove: number(`${file}/bytes/refusedAbove`),
        transcriptionMinimumSeconds: number(`${file}/seconds/minimum`),
        transcriptionMaximumSeconds: number(`${file}/seconds/maximum`),
        createModelVoices: maximumItems(document, 'voices'),
        createModelTexts: maximumItems(document, 'texts'),
      },
    },
    {
      name: 'unenforcedLimits',
      comment: 'Ranges that are known or recommended and never a reason to refuse.',
      value: {
        prosodyVolumeDecibels: unenforced(document, `${schemas}/Prosody/properties/volume/x-limits/decibels`),
        referenceAudioSeconds: unenforced(document, `${schemas}/ReferenceAudio/x-limits/seconds`),
        listModelsPageSize: unenforced(document, '/components/parameters/PageSize/schema/x-limits/items'),
      },
    },
  ];
}

/** One number for all bodies; should they ever differ, the constant must be split. */
function requestBodyBytes(document: SpecDocument): number {
  const bodies = Object.keys(document.objectAt('/components/requestBodies'));
  const sizes = new Set(
    bodies.map((body) => document.numberAt(`/components/requestBodies/${body}/x-limits/bytes/maximum`)),
  );
  const [size] = sizes;
  if (sizes.size !== 1 || size === undefined) throw new Error('The request bodies have different limits.');
  return size;
}

/** The most entries a list of a new voice model has, whether or not a single value may stand for it. */
function maximumItems(document: SpecDocument, property: string): number {
  const schema = document.properties(document.schema('CreateModelRequest')).get(property);
  const branches = Array.isArray(schema?.anyOf)
    ? schema.anyOf.map((branch: Json) => document.resolve(branch))
    : [];
  const maximum = [schema, ...branches].find((branch) => branch?.maxItems !== undefined)?.maxItems;
  if (typeof maximum !== 'number') throw new Error(`CreateModelRequest has no maxItems for ${property}.`);
  return maximum;
}

function unenforced(document: SpecDocument, pointer: string): JsonObject {
  const { enforced, ...range } = document.objectAt(pointer);
  if (enforced !== false) throw new Error(`${pointer} is enforced: its constant belongs to the limits.`);
  const ends = Object.entries(range).filter((entry): entry is [string, Json] => !isObject(entry[1]));
  return Object.fromEntries(ends);
}

/** Where the project explains itself. */
function documentationConstants(document: SpecDocument): Constant[] {
  return [
    {
      name: 'documentationUrl',
      comment:
        'The published site of this project, without a slash at its end; errors lead to places on it. Empty until there is one.',
      value: publishedAddress(document.stringAt('/externalDocs/url')),
    },
  ];
}

/** The address of a site; nothing for a name that is reserved for examples, which no site can have. */
function publishedAddress(url: string): string {
  return new URL(url).hostname.endsWith('.example') ? '' : url.replace(/\/$/, '');
}
