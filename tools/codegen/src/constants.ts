import {
  asArray,
  asObject,
  isObject,
  type Json,
  type JsonObject,
  mediaTypesOf,
  type SpecDocument,
} from '@speech-api/spec/read';
import { type Constant, printConstants } from './typescript.ts';

/** Source of one constant in the document: a JSON pointer to its value, or a function. */
type Source = string | ((document: SpecDocument) => Json);
type Row = readonly [name: string, comment: string, source: Source];

/** The module of constants: every value is read from the document. */
export function generateConstants(document: SpecDocument): string {
  return printConstants(rows.map((row) => readRow(document, row)));
}

function readRow(document: SpecDocument, [name, comment, source]: Row): Constant {
  const value = typeof source === 'string' ? document.at(source) : source(document);
  // A comment may contain the unit that the document states.
  const shown = comment.replace(/\{([^}]+)\}/g, (_, pointer: string) => document.stringAt(pointer));
  return { name, comment: shown, value };
}

const schemas = '/components/schemas';
const setting = (field: string) => `${schemas}/SynthesisSettings/properties/${field}`;
const valuesOf = (schema: string) => `${schemas}/${schema}/enum`;
const numberAt = (pointer: string) => (document: SpecDocument) => document.numberAt(pointer);
const propertiesOf = (document: SpecDocument, schema: string) => document.properties(document.schema(schema));
const defaultsIn = (schema: string) => (document: SpecDocument) => defaultsOf(propertiesOf(document, schema));

const rows: readonly Row[] = [
  [
    'specificationVersion',
    'The version of `@speech-api/spec` that all of this is generated from. That of the interface is another one.',
    (document) => document.stringAt('/info/x-specification-version'),
  ],

  [
    'synthesisModels',
    'The text-to-speech models the service names. Other names are legal: new models appear.',
    named('SynthesisModel'),
  ],
  ['defaultModel', 'The default model.', `${schemas}/SynthesisModel/default`],
  [
    'expressionStyles',
    'How each model marks directions in the text: `listed` tags are those of `expressions`, `free` ones are any words between the brackets. Other models use the style of the default model.',
    (document) => withoutMark(document.objectAt(`${schemas}/SynthesisModel/x-expression-styles`)),
  ],
  [
    'modelRetirements',
    'The models that the service retires: from a day on, another model serves their requests.',
    (document) =>
      ['SynthesisModel', 'TranscriptionModel'].flatMap((name) =>
        asArray(document.objectAt(`${schemas}/${name}`)['x-retirements']).map((entry) =>
          withoutMark(asObject(entry)),
        ),
      ),
  ],
  [
    'streamModels',
    'The models the service names for the timestamped stream. Others are let through.',
    named('StreamSynthesisModel'),
  ],

  [
    'transcriptionModels',
    'The speech-to-text models the service names. Other names are legal: new models appear.',
    named('TranscriptionModel'),
  ],
  [
    'defaultTranscriptionModel',
    'The speech-to-text model of a request that names none.',
    `${schemas}/TranscriptionModel/default`,
  ],

  ['audioFormats', 'The formats of generated audio.', valuesOf('AudioFormat')],
  ['sampleRates', 'The sample rates of each format, in Hz.', byFormat('sampleRates')],
  [
    'defaultSampleRates',
    'The sample rate of each format when none is asked for, in Hz.',
    byFormat('defaultSampleRate'),
  ],
  [
    'audioMediaTypes',
    'The media type of each format. A service may also answer `application/octet-stream` for any of them.',
    byFormat('mediaType'),
  ],
  ['audioChannels', 'The number of channels of each format.', byFormat('channels')],
  [
    'bitsPerSample',
    'The width of a sample in the uncompressed formats, in bits.',
    byFormat('bitsPerSample', true),
  ],
  [
    'mp3Bitrates',
    `The bitrates of mp3, in {${setting('mp3_bitrate')}/x-unit}.`,
    `${setting('mp3_bitrate')}/enum`,
  ],
  [
    'opusBitrates',
    `The bitrates of opus, in {${setting('opus_bitrate')}/x-unit}; the negative one is automatic.`,
    `${setting('opus_bitrate')}/enum`,
  ],

  ['mediaTypes', 'The media types of bodies, audio apart.', mediaTypes],
  ['headerNames', 'Names of headers, in lower case.', headerNames],

  ['defaultFormat', 'The default format of audio.', `${schemas}/AudioFormat/default`],
  [
    'synthesisDefaults',
    'What a synthesis request means where it says nothing.',
    defaultsIn('SynthesisSettings'),
  ],
  ['prosodyDefaults', 'What `prosody` means where it says nothing.', defaultsIn('Prosody')],
  [
    'synthesisRanges',
    'The ranges of the numbers of a synthesis request, both ends allowed.',
    (document) => ({
      ...rangesOf(propertiesOf(document, 'SynthesisSettings')),
      ...rangesOf(propertiesOf(document, 'Prosody'), 'prosody.'),
    }),
  ],
  [
    'transcriptionDefaults',
    'What a transcription request means where it says nothing.',
    defaultsIn('TranscriptionRequest'),
  ],
  [
    'createModelDefaults',
    'What the creation of a voice model means where it says nothing.',
    defaultsIn('CreateModelSettings'),
  ],
  ['voiceModelDefaults', 'What a voice model is where it says nothing.', defaultsIn('VoiceModel')],
  [
    'requiredFields',
    'The fields of an answer that the interface itself marks as required.',
    (document) => ({
      VoiceModel: document.arrayAt(`${schemas}/VoiceModel/required`),
      Package: document.arrayAt(`${schemas}/Package/required`),
    }),
  ],
  [
    'listModelsDefaults',
    'What a list of voice models means where the query says nothing.',
    (document) => defaultsOf(listFilters(document)),
  ],
  [
    'listModelsRanges',
    'The ranges of the numbers in the query of a list of voice models.',
    (document) => rangesOf(listFilters(document)),
  ],
  ['requestFields', 'The names of the fields each request takes; another name is refused.', requestFields],

  ['latencyModes', 'How early the first audio should come.', valuesOf('LatencyMode')],
  ['voiceModelTypes', 'What a voice model can be for.', valuesOf('VoiceModelType')],
  ['voiceModelStates', 'How far the training of a voice model has come.', valuesOf('VoiceModelState')],
  ['visibilities', 'The users who can find a voice model.', valuesOf('Visibility')],
  ['trainModes', 'How a voice model is trained.', valuesOf('TrainMode')],
  [
    'modelSortOrders',
    'What a list of voice models can be sorted by.',
    '/components/parameters/SortOrder/schema/enum',
  ],

  [
    'limits',
    'Limits that are enforced, all inclusive.\nA file of a transcription is cut or refused by a client above `…BytesSent`, by a server above `…BytesRefusedAbove`.',
    limits,
  ],
  // The list is a separate export, so that a page that only speaks does not load it.
  [
    'maximumTranscriptionBytes',
    'The bytes of the largest transcription file that a client sends, as among the limits.',
    `${schemas}/TranscriptionRequest/properties/audio/x-limits/bytes/maximum`,
  ],
  [
    'unenforcedLimits',
    'Ranges that are known or recommended and never a reason to refuse.',
    (document) => ({
      prosodyVolumeDecibels: unenforced(document, `${schemas}/Prosody/properties/volume/x-limits/decibels`),
      referenceAudioSeconds: unenforced(document, `${schemas}/ReferenceAudio/x-limits/seconds`),
      listModelsPageSize: unenforced(document, '/components/parameters/PageSize/schema/x-limits/items'),
    }),
  ],
  [
    'documentationUrl',
    'The published site of this project, without a slash at its end; errors lead to places on it. Empty until there is one.',
    publishedAddress,
  ],
];

/** Generates constants for what our servers do on the live socket beyond the interface. */
export function generateLiveConstants(document: SpecDocument): string {
  return printConstants(liveRows.map((row) => readRow(document, row)));
}

const channel = '/channels/liveSpeech';
const liveRows: readonly Row[] = [
  [
    'liveClientFields',
    'The messages that a client of a live session sends, each with its fields. Servers refuse others.',
    (document) =>
      Object.fromEntries(
        document.arrayAt('/operations/receiveText/messages').map((message) => {
          const { name, payload } = document.resolve(message);
          return [String(name), [...document.properties(payload).keys()]];
        }),
      ),
  ],
  [
    'liveCloseCodes',
    'The close codes of the live WebSocket, by what they mean. A service may use others.',
    (document) => {
      const reasons = withoutMark(document.objectAt(`${channel}/x-close-codes`));
      const code = (name: string) => document.numberAt(`${channel}/x-close-codes/${name}/code`);
      return Object.fromEntries(Object.keys(reasons).map((name) => [name, code(name)]));
    },
  ],
  [
    'liveIdleSeconds',
    'How long a server waits for another `start` after `finish`, in seconds.',
    numberAt(`${channel}/x-idle/secondsAfterFinish`),
  ],
  [
    'liveTimestampsPath',
    'The path of live sessions with word times, which is public and not part of the interface.',
    (document) => document.stringAt('/channels/liveSpeechWithTimestamps/address'),
  ],
];

function withoutMark(value: JsonObject): JsonObject {
  const { 'x-provenance': _, ...rest } = value;
  return rest;
}

/** The named values of an open enum, which is `anyOf` an enum and any string. */
function named(name: string): Source {
  return (document) => {
    const branches = document.arrayAt(`${schemas}/${name}/anyOf`).map((branch) => document.resolve(branch));
    const values = branches.find((branch) => branch.enum !== undefined)?.enum;
    if (values === undefined) throw new Error(`The schema ${name} has no branch with an enum.`);
    return values;
  };
}

/** One property of every audio format, by format. */
function byFormat(member: string, isOptional = false): Source {
  return (document) => {
    const details = document.objectAt(`${schemas}/AudioFormat/x-audio-formats`);
    const values = Object.entries(details).flatMap(([format, about]): [string, Json][] => {
      const value = isObject(about) ? about[member] : undefined;
      return value === undefined ? [] : [[format, value]];
    });
    const formats = new Set(values.map(([format]) => format));
    for (const format of isOptional ? [] : document.arrayAt(valuesOf('AudioFormat'))) {
      if (!formats.has(String(format))) throw new Error(`x-audio-formats has no ${member} for ${format}.`);
    }
    return Object.fromEntries(values);
  };
}

/** Names in the code for media types other than audio. A new type in the document must be named here. */
const mediaTypeNames: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/msgpack': 'msgpack',
  'multipart/form-data': 'multipart',
  'application/x-www-form-urlencoded': 'urlencoded',
  'text/event-stream': 'eventStream',
};

function mediaTypes(document: SpecDocument): JsonObject {
  const used = new Set(
    document
      .operations()
      .flatMap(({ requestBody, responses }) => [requestBody, ...responses.values()].flatMap(mediaTypesOf)),
  );
  for (const type of used) {
    if (!type.startsWith('audio/') && mediaTypeNames[type] === undefined)
      throw new Error(`The media type ${type} has no name yet: add one to mediaTypeNames.`);
  }
  // The entries follow the names above, so that the order of operations does not matter.
  const there = Object.entries(mediaTypeNames).filter(([type]) => used.has(type));
  return Object.fromEntries(there.map(([type, name]) => [name, type]));
}

/** The names of headers in the code, and the component that has the name on the wire. */
const requestHeaders = { model: 'ModelHeader', traceparent: 'TraceParent' };
const responseHeaders = {
  traceId: 'TraceId',
  requestId: 'RequestId',
  concurrencyLimit: 'RateLimitLimitConcurrency',
  concurrencyInUse: 'RateLimitCurrentConcurrency',
  retryAfter: 'RetryAfter',
};

function headerNames(document: SpecDocument): JsonObject {
  // The key is sent where the HTTP schemes put it; any other scheme would need another constant.
  const schemes = Object.values(document.objectAt('/components/securitySchemes'));
  if (!schemes.every((scheme) => isObject(scheme) && scheme.type === 'http'))
    throw new Error('A security scheme is not of type http.');
  const names: Record<string, string> = { authorization: 'authorization' };
  for (const [name, component] of Object.entries(requestHeaders)) {
    names[name] = document.stringAt(`/components/parameters/${component}/name`).toLowerCase();
  }
  const headers = document
    .operations()
    .flatMap(({ responses }) => [...responses.values()])
    .flatMap((response) => Object.entries(isObject(response.headers) ? response.headers : {}));
  for (const [name, component] of Object.entries(responseHeaders)) {
    const reference = `#/components/headers/${component}`;
    const header = headers.find(([, value]) => isObject(value) && value.$ref === reference);
    if (header === undefined) throw new Error(`No response has the header ${component}.`);
    names[name] = header[0].toLowerCase();
  }
  return names;
}

function requestFields(document: SpecDocument): JsonObject {
  const fields = (schema: string) => [...propertiesOf(document, schema).keys()];
  const branches = document
    .arrayAt(`${schemas}/SynthesisRequest/anyOf`)
    .flatMap((branch) => [...document.properties(branch).keys()]);
  return {
    SynthesisRequest: [...new Set(branches)],
    Prosody: fields('Prosody'),
    ReferenceAudio: fields('ReferenceAudio'),
    TranscriptionRequest: fields('TranscriptionRequest'),
    CreateModelRequest: fields('CreateModelRequest'),
    UpdateModelRequest: fields('UpdateModelRequest'),
    ListModelsQuery: [...listFilters(document).keys()],
  };
}

function listFilters(document: SpecDocument): Map<string, JsonObject> {
  const operation = document.operations().find(({ id }) => id === 'listModels');
  if (!operation) throw new Error('The specification has no operation listModels.');
  const query = operation.parameters.filter((parameter) => parameter.in === 'query');
  return new Map(query.map(({ name, schema }) => [String(name), document.flatten(schema)]));
}

export function defaultsOf(properties: ReadonlyMap<string, JsonObject>): JsonObject {
  return Object.fromEntries(
    [...properties].flatMap(([name, { default: value }]): [string, Json][] =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

function rangesOf(properties: ReadonlyMap<string, JsonObject>, prefix = ''): JsonObject {
  return Object.fromEntries(
    [...properties].flatMap(([name, { minimum, maximum }]): [string, Json][] => {
      const ends = Object.entries({ minimum, maximum }).filter((end) => end[1] !== undefined);
      return ends.length === 0 ? [] : [[prefix + name, Object.fromEntries(ends) as JsonObject]];
    }),
  );
}

/** Limits with the unit in the name. */
function limits(document: SpecDocument): JsonObject {
  const file = `${schemas}/TranscriptionRequest/properties/audio/x-limits`;
  return {
    requestBodyBytes: requestBodyLimit(document, 'bytes'),
    requestBodyValues: requestBodyLimit(document, 'values'),
    textCodePoints: document.numberAt(`${setting('text')}/x-limits/codePoints/maximum`),
    transcriptionFiles: document.numberAt(`${file}/files/maximum`),
    transcriptionFileBytesSent: document.numberAt(`${file}/bytes/maximum`),
    transcriptionFileBytesRefusedAbove: document.numberAt(`${file}/bytes/refusedAbove`),
    transcriptionMinimumSeconds: document.numberAt(`${file}/seconds/minimum`),
    transcriptionMaximumSeconds: document.numberAt(`${file}/seconds/maximum`),
    createModelVoices: maximumItems(document, 'voices'),
    createModelTexts: maximumItems(document, 'texts'),
  };
}

/** One limit for all bodies; if they ever differ, the constant must be split. */
function requestBodyLimit(document: SpecDocument, unit: 'bytes' | 'values'): number {
  const bodies = Object.keys(document.objectAt('/components/requestBodies'));
  const [size, ...others] = new Set(
    bodies.map((body) => document.numberAt(`/components/requestBodies/${body}/x-limits/${unit}/maximum`)),
  );
  if (size === undefined || others.length > 0) throw new Error('The request bodies have different limits.');
  return size;
}

/** The maximum entries of a list in a new voice model, whether or not a single value is allowed too. */
function maximumItems(document: SpecDocument, property: string): number {
  const schema = propertiesOf(document, 'CreateModelRequest').get(property);
  const branches = Array.isArray(schema?.anyOf) ? schema.anyOf.map((branch) => document.resolve(branch)) : [];
  const maximum = [schema, ...branches].find((branch) => branch?.maxItems !== undefined)?.maxItems;
  if (typeof maximum !== 'number') throw new Error(`CreateModelRequest has no maxItems for ${property}.`);
  return maximum;
}

function unenforced(document: SpecDocument, pointer: string): JsonObject {
  const { enforced, ...range } = document.objectAt(pointer);
  if (enforced !== false) throw new Error(`${pointer} is enforced: its constant belongs to the limits.`);
  return Object.fromEntries(Object.entries(range).filter(([, end]) => !isObject(end)));
}

/** The address of the site; undefined for a domain that is reserved for examples. */
function publishedAddress(document: SpecDocument): string {
  const url = document.stringAt('/externalDocs/url');
  return new URL(url).hostname.endsWith('.example') ? '' : url.replace(/\/$/, '');
}
