import { isObject, type Json, type JsonObject, type SpecDocument } from '@speech-api/spec/read';
import type { Constant } from './typescript.ts';

/** Defaults, ranges and field names of requests, and the defaults of a voice model. */
export function requestConstants(document: SpecDocument): Constant[] {
  const settings = document.properties(document.schema('SynthesisSettings'));
  const prosody = document.properties(document.schema('Prosody'));
  const filters = queryOf(document, 'listModels');
  const defaults = (schema: string) => defaultsOf(document.properties(document.schema(schema)));
  return [
    {
      name: 'synthesisDefaults',
      comment: 'What a synthesis request means where it says nothing (section 2.1).',
      value: defaultsOf(settings),
    },
    {
      name: 'prosodyDefaults',
      comment: 'What `prosody` means where it says nothing (section 2.2).',
      value: defaultsOf(prosody),
    },
    {
      name: 'synthesisRanges',
      comment:
        'The ranges of the numbers of a synthesis request, both ends allowed (sections 2.1, 2.2 and 8).',
      value: { ...rangesOf(settings), ...rangesOf(prosody, 'prosody.') },
    },
    {
      name: 'transcriptionDefaults',
      comment: 'What a transcription request means where it says nothing (section 2.5).',
      value: defaults('TranscriptionRequest'),
    },
    {
      name: 'createModelDefaults',
      comment: 'What the creation of a voice model means where it says nothing (section 4.4).',
      value: defaults('CreateModelSettings'),
    },
    {
      name: 'voiceModelDefaults',
      comment: 'What a voice model is where it says nothing (section 2.6).',
      value: defaults('VoiceModel'),
    },
    {
      name: 'requiredFields',
      comment: 'The fields of an answer that the interface itself marks as required (sections 2.6 and 2.7).',
      value: {
        VoiceModel: document.arrayAt('/components/schemas/VoiceModel/required'),
        Package: document.arrayAt('/components/schemas/Package/required'),
      },
    },
    {
      name: 'listModelsDefaults',
      comment: 'What a list of voice models means where the query says nothing (section 4.4).',
      value: defaultsOf(filters),
    },
    {
      name: 'listModelsRanges',
      comment: 'The ranges of the numbers in the query of a list of voice models (section 8).',
      value: rangesOf(filters),
    },
    {
      name: 'requestFields',
      comment: 'The names of the fields each request takes; another name is refused.',
      value: requestFields(document, filters),
    },
  ];
}

function requestFields(document: SpecDocument, filters: ReadonlyMap<string, JsonObject>): JsonObject {
  const fields = (schema: string) => [...document.properties(document.schema(schema)).keys()];
  const branches = document
    .arrayAt('/components/schemas/SynthesisRequest/anyOf')
    .flatMap((branch) => [...document.properties(branch).keys()]);
  return {
    SynthesisRequest: [...new Set(branches)],
    Prosody: fields('Prosody'),
    ReferenceAudio: fields('ReferenceAudio'),
    TranscriptionRequest: fields('TranscriptionRequest'),
    CreateModelRequest: fields('CreateModelRequest'),
    UpdateModelRequest: fields('UpdateModelRequest'),
    ListModelsQuery: [...filters.keys()],
  };
}

function queryOf(document: SpecDocument, operationId: string): Map<string, JsonObject> {
  const operation = document.operations().find(({ id }) => id === operationId);
  if (!operation) throw new Error(`The specification has no operation ${operationId}.`);
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
    [...properties].flatMap(([name, schema]): [string, Json][] => {
      const range = rangeOf(schema);
      return isObject(range) && Object.keys(range).length > 0 ? [[prefix + name, range]] : [];
    }),
  );
}

function rangeOf({ minimum, maximum }: JsonObject): Json {
  return { ...(minimum === undefined ? {} : { minimum }), ...(maximum === undefined ? {} : { maximum }) };
}
