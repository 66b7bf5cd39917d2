import { readFileSync } from 'node:fs';
import { ApiError, RequestError } from '@speech-api/client';
import { type SynthesisRequest, synthesisRules } from '@speech-api/types';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { errorOf } from './testing/error-of.ts';
import { serviceKey, useService } from './testing/use-service.ts';

interface Fixture {
  readonly rule: string;
  readonly situation: string;
  readonly model?: string;
  readonly request: SynthesisRequest;
  readonly text_repeated?: { readonly unit: string; readonly times: number };
  readonly refused: boolean;
  readonly message_has?: readonly string[];
}

const service = useService();
const file = new URL('../../../spec/rules/fixtures/synthesis.yaml', import.meta.url);
const fixtures: readonly Fixture[] = parse(readFileSync(file, 'utf8'));

/** The request with its text written out, and voices that the sandbox has in place of those of the fixture. */
function requestOf({ request, text_repeated }: Fixture): SynthesisRequest {
  const text = text_repeated ? text_repeated.unit.repeat(text_repeated.times) : request.text;
  const known = JSON.stringify({ ...request, text })
    .replaceAll('"voice-anna"', '"sandbox-alba"')
    .replaceAll('"voice-ben"', '"sandbox-blake"');
  return JSON.parse(known);
}

/** The same for the client: samples are bytes there, where the JSON of the interface has base64. */
function clientRequestOf(fixture: Fixture): SynthesisRequest {
  const request = requestOf(fixture);
  if (request.references === undefined) return request;
  // One list of samples, or one per speaker.
  const references = request.references.map((entry) =>
    Array.isArray(entry) ? entry.map(withBytes) : withBytes(entry),
  );
  return { ...request, references } as SynthesisRequest;
}

function withBytes<Sample extends { audio: unknown }>(sample: Sample): Sample & { audio: Uint8Array } {
  if (typeof sample.audio !== 'string') throw new TypeError('a fixture has its samples in base64');
  return { ...sample, audio: new Uint8Array(Buffer.from(sample.audio, 'base64')) };
}

/** Sends the request to the service as it is, without a client that would check it first. */
async function askServer(fixture: Fixture): Promise<{ status: number; message: string | undefined }> {
  const response = await fetch(`${service.url}/v1/tts`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${serviceKey}`,
      'content-type': 'application/json',
      model: fixture.model ?? 's2-pro',
    },
    body: JSON.stringify(requestOf(fixture)),
  });
  if (response.ok) {
    // An engine whose speech is left is replaced, which takes longer than a short text does.
    if (fixture.text_repeated) await response.body?.cancel();
    else await response.arrayBuffer();
    return { status: response.status, message: undefined };
  }
  const { message } = (await response.json()) as { message: string };
  return { status: response.status, message };
}

test.each(fixtures)('client and service agree on $rule: $situation', async (fixture) => {
  const rule = synthesisRules.find(({ id }) => id === fixture.rule);
  const server = await askServer(fixture);
  expect(server.status).toBe(fixture.refused ? 400 : 200);
  for (const words of fixture.message_has ?? []) expect(server.message).toContain(words);

  const { speech } = service.client(fixture.model === undefined ? {} : { model: fixture.model });
  const call = speech.create(clientRequestOf(fixture));
  if (!fixture.refused) {
    const audio = await call;
    if (fixture.text_repeated) audio.cancel();
    else await audio.bytes();
    return;
  }
  const error = (await errorOf(call)) as RequestError | ApiError;
  if (rule?.enforced_by.includes('client')) {
    expect(error).toBeInstanceOf(RequestError);
    expect(error).toMatchObject({ rule: fixture.rule, message: server.message });
  } else {
    expect(error).toBeInstanceOf(ApiError);
    expect(error.message).toContain(server.message);
  }
});
