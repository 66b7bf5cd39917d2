import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { openApi } from '../../specification/document.ts';
import { type CallStep, pretended } from '../step.ts';
import { generatedScenarios } from './generated-scenarios.ts';

const schemaOf: Readonly<Record<string, string>> = {
  createSpeech: 'SynthesisRequest',
  streamSpeechWithTimestamps: 'SynthesisRequest',
  createTranscription: 'TranscriptionRequest',
  createModel: 'CreateModelRequest',
  updateModel: 'UpdateModelRequest',
};

/** Base64 represents bytes, as in JSON. */
const asJson = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_name, inner) => (inner instanceof Uint8Array ? 'AAAA' : inner)));

const ajv = new Ajv2020({ strict: false, validateSchema: false });
addFormats.default(ajv);
ajv.addFormat('binary', true);
ajv.addSchema({ components: openApi().components }, 'speech');

function keepsSchema(step: CallStep): boolean {
  const validate = ajv.getSchema(`speech#/components/schemas/${schemaOf[step.operationId] ?? ''}`);
  if (validate === undefined) throw new Error(`no schema for ${step.operationId}`);
  return validate(asJson(step.call(pretended).fields)) === true;
}

describe('generated requests', () => {
  const steps = [1, 2, 3].flatMap((seed) =>
    generatedScenarios(seed).flatMap(({ steps }) => steps.filter((step) => step.kind === 'call')),
  );
  const bodies = steps.filter(({ operationId }) => operationId in schemaOf);

  test('match their schema where they should be accepted', () => {
    const good = bodies.filter(({ expectation }) => expectation.outcome === 'success');
    expect(good.length).toBeGreaterThan(50);
    expect(good.filter((step) => !keepsSchema(step)).map(({ name }) => name)).toEqual([]);
  });

  test('break their schema where they should be refused', () => {
    const broken = bodies.filter(({ expectation }) => expectation.outcome === 'refused');
    expect(broken.length).toBeGreaterThan(100);
    expect(broken.filter(keepsSchema).map(({ name }) => name)).toEqual([]);
  });
});
