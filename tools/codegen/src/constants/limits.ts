import { isObject, type Json, type JsonObject, type SpecDocument } from '../document.ts';
import type { Constant } from '../typescript-module.ts';

const schemas = '/components/schemas';

/** Limits with the unit in the name, and those that are known and not enforced. */
export function limitConstants(document: SpecDocument): Constant[] {
  const number = (pointer: string) => numberAt(document, pointer);
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
    bodies.map((body) => numberAt(document, `/components/requestBodies/${body}/x-limits/bytes/maximum`)),
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

function numberAt(document: SpecDocument, pointer: string): number {
  const value = document.at(pointer);
  if (typeof value !== 'number') throw new Error(`The specification has no number at ${pointer}.`);
  return value;
}

function unenforced(document: SpecDocument, pointer: string): JsonObject {
  const { enforced, ...range } = document.objectAt(pointer);
  if (enforced !== false) throw new Error(`${pointer} is enforced: its constant belongs to the limits.`);
  const ends = Object.entries(range).filter((entry): entry is [string, Json] => !isObject(entry[1]));
  return Object.fromEntries(ends);
}
