import { readFileSync } from 'node:fs';
import { checkRequest } from '@speech-api/contract';
import { expect, test } from 'vitest';
import { parse } from 'yaml';

interface Fixture {
  readonly rule: string;
  readonly situation: string;
  readonly model?: string;
  readonly request: { readonly text: string };
  readonly text_repeated?: { readonly unit: string; readonly times: number };
  readonly refused: boolean;
  readonly message_has?: readonly string[];
}

const file = new URL('../../../../spec/rules/fixtures/synthesis.yaml', import.meta.url);
const fixtures: readonly Fixture[] = parse(readFileSync(file, 'utf8'));

// The judge reads the rules by itself: what it says of a request is what `rules.test.ts` proves of client and servers.
test.each(fixtures)('the judge finds what breaks $rule, and nothing else: $situation', async (fixture) => {
  const { unit, times } = fixture.text_repeated ?? { unit: fixture.request.text, times: 1 };
  const findings = await checkRequest({
    method: 'POST',
    url: 'http://127.0.0.1/v1/tts',
    headers: {
      authorization: 'Bearer some-key',
      'content-type': 'application/json',
      ...(fixture.model !== undefined && { model: fixture.model }),
    },
    body: new TextEncoder().encode(JSON.stringify({ ...fixture.request, text: unit.repeat(times) })),
  });
  const messages = findings.filter(({ rule }) => rule === 'request-rules').map(({ message }) => message);
  expect(findings.map(({ rule }) => rule).filter((rule) => rule !== 'request-rules')).toEqual(
    fixture.model === undefined ? ['request-fields'] : [],
  );
  const named = expect.stringContaining(`The request breaks the rule ${fixture.rule}: `);
  expect(messages).toEqual(fixture.refused ? [named] : []);
  for (const words of fixture.message_has ?? []) expect(messages[0]).toContain(words);
});
