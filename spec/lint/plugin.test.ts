import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import plugin from './plugin.ts';

const fixtures = fileURLToPath(new URL('fixtures/', import.meta.url));
const redocly = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url));

/** The errors of each failing fixture: the place and a part of the message. */
const expected: { readonly [ruleId: string]: readonly string[] } = {
  'root-holds-references': [
    '#/paths/~1v1~1tts "/v1/tts" is written out',
    '#/paths/~1v1~1asr "/v1/asr" is written out',
    '#/paths/~1v1~1again "/v1/again" is written out',
    '#/components/pathItems/Again "Again" is written out',
    '#/components/schemas/Sound "Sound" is written out',
  ],
  'description-and-example': [
    '#/paths/~1voices/get/parameters/0 parameter "page_size" has no description',
    '#/paths/~1voices/get/parameters/1 parameter "tag" has no example',
    '#/paths/~1voices/get/parameters/2/example integer',
    '#/paths/~1voices/get/responses/200/headers/x-trace-id header "x-trace-id" has no description',
    '#/paths/~1voices/get/responses/200/headers/x-trace-id header "x-trace-id" has no example',
    '#/paths/~1voices/get/responses/200/headers/x-request-cost header "x-request-cost" has no example in its schema',
    '#/paths/~1voices/get/responses/200/headers/retry-after/schema/examples/0 integer',
    '#/paths/~1voices/get/responses/200/content/application~1json/examples/titleIsNumber/value/title string',
    '#/components/schemas/Voice/properties/title property "title" has no description',
    '#/components/schemas/Voice/properties/text property "text" has no description',
    '#/components/schemas/Voice/properties/state property "state" has no example',
    '#/components/schemas/Voice/properties/samples property "samples" has no example',
    '#/components/schemas/Voice/properties/speed/examples/0 number',
  ],
  'example-names': [
    '#/paths/~1v1~1tts/post/parameters/0/examples/default "default"',
    '#/paths/~1v1~1tts/post/requestBody/content/application~1json/examples/example1 "example1"',
    '#/paths/~1v1~1tts/post/requestBody/content/application~1json/examples/two-speakers "two-speakers"',
    '#/paths/~1v1~1tts/post/responses/200/headers/x-trace-id/examples/sample "sample"',
  ],
  provenance: [
    '#/paths/~1v1~1tts/post/responses/200/x-provenance names "loudness"',
    '#/paths/~1v1~1tts/post/responses/400/x-provenance is not of the form',
    '#/paths/~1v1~1tts/post/responses/401/x-provenance says from: assumed',
    '#/paths/~1v1~1tts/post/responses/402/x-provenance unknown key why',
    '#/paths/~1v1~1tts/post/x-provenance of responses/404, which is not here',
    '#/components/schemas/Prosody/properties/volume/x-provenance of x-unit, which is not here',
    '#/components/schemas/Prosody/properties/text/x-limits/x-provenance names "words"',
  ],
  'provenance-pointers': [
    '#/ volume-unit of unknowns.yaml points to /components/schemas/Prosody/properties/volume',
    '#/ text-limit of unknowns.yaml points to /components/schemas/Prosody/properties/text/x-limits',
    '#/ mark at /components/schemas/Prosody/properties/volume is missing',
    '#/ mark at /components/schemas/Prosody/properties/gain is missing',
  ],
  'live-schemas': [
    '#/components/messages/Flush/payload no field event with a const',
    '#/components/schemas/TextMessage/discriminator no such discriminator',
    '#/components/schemas/TextMessage/properties/text Beside $ref stands description',
  ],
};

interface Problem {
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

describe('our lint rules', () => {
  const rules = Object.keys(expected);

  test('each have fixtures', () => {
    const ours = Object.values(plugin().rules).flatMap((kind) => Object.keys(kind));
    expect([...new Set(ours)].sort()).toEqual([...rules].sort());
    expect(readdirSync(fixtures).sort()).toEqual([...rules].sort());
  });

  test.each(rules)('%s lets the passing fixture through', async (rule) => {
    expect(await lint(`${fixtures}${rule}/passing.yaml`)).toEqual([]);
  });

  test.each(rules)('%s reports each thing that is wrong in the failing fixture, and where', async (rule) => {
    const problems = await lint(`${fixtures}${rule}/failing.yaml`);
    const found = problems.map(({ location, message }) => `${location[0]?.pointer} ${message}`);
    const wanted = expected[rule] ?? [];
    for (const line of wanted) {
      const [pointer = '', ...words] = line.split(' ');
      expect(
        found.some((text) => text.startsWith(`${pointer} `) && text.includes(words.join(' '))),
        `${line}\nfound:\n${found.join('\n')}`,
      ).toBe(true);
    }
    expect(found).toHaveLength(wanted.length);
  });
});

async function lint(document: string): Promise<readonly Problem[]> {
  const config = document.replace(/[^/]+$/, 'redocly.yaml');
  expect(existsSync(document)).toBe(true);
  const output = await new Promise<string>((resolve) => {
    execFile(
      process.execPath,
      [redocly, 'lint', document, '--config', config, '--format', 'json'],
      { env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
      // A lint that finds something exits with 1: what it says is the result, not its code.
      (_error, standardOutput, standardError) => resolve(standardOutput || standardError),
    );
  });
  expect(output, output).toMatch(/^\{/);
  const result: { readonly problems: readonly Problem[] } = JSON.parse(output);
  return result.problems;
}
