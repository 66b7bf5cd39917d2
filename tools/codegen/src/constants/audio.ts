import { isObject, type Json, type JsonObject, type SpecDocument } from '../document.ts';
import type { Constant } from '../typescript-module.ts';

const bitrate = (field: string) => `/components/schemas/SynthesisSettings/properties/${field}`;

/** Formats, sample rates, bitrates and media types (section 2.3). */
export function audioConstants(document: SpecDocument): Constant[] {
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
