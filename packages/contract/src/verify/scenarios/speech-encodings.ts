import { mediaTypes } from '@speech-api/types';
import type { Scenario } from '../step.ts';
import { greeting, inGroups, invalidTraceparent, speak, validTraceparent } from './making.ts';

const fields = { text: greeting, format: 'wav', sample_rate: 8000 };

export const speechEncodings: readonly Scenario[] = [
  {
    name: 'speech-encodings',
    about: 'JSON, MessagePack and a traceparent ask for the same speech',
    priority: 1,
    steps: [
      speak('as JSON', fields, { groups: inGroups('speech', 'encodings', ['trace', 'without']) }),
      speak('as MessagePack', fields, {
        mediaType: mediaTypes.msgpack,
        groups: inGroups('speech', 'encodings'),
      }),
      speak('with a traceparent', fields, {
        traceparent: validTraceparent,
        groups: inGroups('speech', ['trace', 'with']),
      }),
    ],
  },
  {
    name: 'speech-traceparent-invalid',
    about: 'an invalid traceparent is no reason to refuse, and changes nothing',
    priority: 45,
    steps: [
      speak('as JSON again', fields, { groups: inGroups('speech-invalid', ['trace', 'without']) }),
      speak('with an invalid traceparent', fields, {
        traceparent: invalidTraceparent,
        groups: inGroups('speech-invalid', ['trace', 'with']),
      }),
    ],
  },
  {
    name: 'speech-repeated',
    about: 'one request twice is answered alike',
    priority: 60,
    steps: ['once', 'twice'].map((time) =>
      speak(`the same request ${time}`, fields, { groups: inGroups('speech', 'repeat') }),
    ),
  },
];
