import { expect, test } from 'vitest';
import { exitCodeOf } from '../judge/report.ts';
import { writeReport } from '../report/write-report.ts';
import { page } from '../testing/exchanges.ts';
import { serve } from '../testing/serve.ts';
import { pcmOf, wavOf } from '../testing/sound.ts';
import { type VerifyOptions, verify } from './verify.ts';

/** Judges a server that speaks a tone, this many seconds for its first answer, its second and so on. */
async function judgeSpeaker(seconds: (answered: number) => number, options: Partial<VerifyOptions> = {}) {
  const texts: string[] = [];
  const target = await serve(async (incoming, outgoing) => {
    if (incoming.method === 'GET') {
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page([])));
      return;
    }
    const { text } = JSON.parse(Buffer.concat(await incoming.toArray()).toString()) as { text: string };
    texts.push(text);
    outgoing.writeHead(200, { 'content-type': 'audio/wav' });
    outgoing.write(wavOf(pcmOf(seconds(texts.length), 44_100), 44_100));
    outgoing.end();
  });
  const only = ['speech-long-wav'];
  return { report: await verify({ target, key: 'key-of-tests', only, ...options }), texts };
}

const tooShort = 0.2;
const plausible = 15;

test('a server that was unlucky once is asked again with another text, and not accused', async () => {
  const { report, texts } = await judgeSpeaker((answered) => (answered === 1 ? tooShort : plausible));
  expect(new Set(texts).size).toBe(2);
  expect(report.findings).toEqual([]);
  expect(report.unconfirmed).toMatchObject([{ rule: 'audio-length-plausible' }]);
  expect(exitCodeOf(report, { failOn: 'warning' })).toBe(0);
  expect(writeReport('summary', report)).toContain('not again with another text');
});

test('a server that always answers too short is accused once, by both texts', async () => {
  const { report, texts } = await judgeSpeaker(() => tooShort);
  expect(texts).toHaveLength(2);
  const message = expect.stringContaining('Another text shows the same.');
  expect(report.findings).toMatchObject([{ rule: 'audio-length-plausible', message }]);
  expect(report.run.spent).toMatchObject({ calls: 3 });
});

test.each([
  ['an error once another text has shown it', 7, 'error'],
  ['a warning where the budget has no room to ask again', 5, 'warning'],
])('a speed that changes nothing is %s', async (_about, calls, severity) => {
  const options = { only: ['speech-against-itself'], budget: { calls } };
  const { report, texts } = await judgeSpeaker(() => 4, options);
  expect(texts).toHaveLength(calls - 1);
  const found = report.findings.filter(({ rule }) => rule === 'speed-changes-the-length');
  expect(found).toMatchObject([{ severity }]);
});

test('what is worth least gives its place to another text', async () => {
  const { report, texts } = await judgeSpeaker(() => tooShort, {
    only: ['speech-long-wav', 'speech-long-mp3'],
    budget: { calls: 3 },
    concurrency: 1,
  });
  expect(texts).toHaveLength(2);
  expect(report.findings).toMatchObject([{ rule: 'audio-length-plausible' }]);
  expect(report.run.leftOut).toContainEqual(
    expect.objectContaining({ reason: expect.stringContaining('needed to ask again') }),
  );
  expect(report.run.spent.calls).toBe(3);
});
