import { type OperationId, operationTable } from '@speech-api/types';
import { describe, expect, onTestFinished, test } from 'vitest';
import { writeReport } from '../report/write-report.ts';
import {
  credit,
  event,
  exchange,
  failed,
  page,
  refused,
  speech,
  stream,
  success,
  transcription,
  voiceModel,
} from '../testing/exchanges.ts';
import { pcmOf, wavOf } from '../testing/sound.ts';
import { verify } from '../verify/verify.ts';
import { judge } from './judge.ts';
import { baselineOf, exitCodeOf } from './report.ts';

const broken = () => exchange('getModel', { path: '/model/v1', body: voiceModel({ like_count: '3' }) });
const good = () => exchange('getApiCredit', { body: credit() });

describe('the exit code', () => {
  test('is 0 for a contract that is kept, 1 for one that is not, 2 where nothing was judged', async () => {
    expect(exitCodeOf(await judge([good()]))).toBe(0);
    expect(exitCodeOf(await judge([broken()]))).toBe(1);
    expect(exitCodeOf(await judge([]))).toBe(2);
  });

  test.each([402, 403, 429, 503])('is 2 where an operation was only ever answered %i', async (status) => {
    const calls = [good(), failed('listModels', status), failed('listModels', status)];
    const report = await judge(calls);
    expect(report.circumstances).toEqual([{ reason: 'no-success', calls: 2, exchange: 'listModels' }]);
    expect(exitCodeOf(report)).toBe(2);
    expect(writeReport('summary', report)).toContain('no call of the operation succeeded');
    const succeeded = await judge([...calls, exchange('listModels', { body: page([]) })]);
    expect([succeeded.circumstances, exitCodeOf(succeeded)]).toEqual([[], 0]);
  });

  test('does not take a refusal that was due, or a model that is not there, for an operation that failed', async () => {
    const due = failed('listModels', 403, {}, { expectation: refused('forbidden') });
    const report = await judge([due, failed('getModel', 404)]);
    expect([report.circumstances, exitCodeOf(report)]).toEqual([[], 0]);
  });

  test('counts warnings and coverage when asked to', async () => {
    const warned = await judge([exchange('getApiCredit', { body: credit({ credit: 'much' }) })]);
    expect(exitCodeOf(warned)).toBe(0);
    expect(exitCodeOf(warned, { failOn: 'warning' })).toBe(1);
    expect(exitCodeOf(await judge([good()]), { requireFull: true })).toBe(1);
  });
});

test('a baseline does not count known violations, whatever their position in a list', async () => {
  const list = (...titles: unknown[]) => {
    const items = titles.map((title, index) => voiceModel({ _id: `v${index}`, title }));
    return exchange('listModels', { body: { total: 3, has_more: false, items } });
  };
  const baseline = baselineOf(await judge([list(7, 'Harbour', 'Quay')]));
  const violation = { rule: 'field-type', operationId: 'listModels', where: '/items/*/title' };
  expect(baseline.known).toEqual([{ ...violation, exchange: 'listModels', status: 200 }]);
  const report = await judge([list('Harbour', 'Quay', 7)], { baseline });
  expect(report.findings).toMatchObject([{ known: true }]);
  expect(exitCodeOf(report)).toBe(0);
});

test('the stateless profile leaves out what depends on the request', async () => {
  const later = exchange('getModel', { path: '/model/v2', body: voiceModel() });
  expect((await judge([later])).findings.map(({ rule }) => rule)).toEqual(['model-is-the-one-asked-for']);
  expect((await judge([later], { profile: 'stateless' })).findings).toEqual([]);
});

test('the coverage counts each operation, status and media type, and names the gaps', async () => {
  const { coverage } = await judge([good(), good(), failed('getApiCredit', 404)]);
  expect(coverage.cells).toMatchObject([
    { operationId: 'getApiCredit', status: 200, exchanges: 2 },
    { operationId: 'getApiCredit', status: 404, exchanges: 1 },
  ]);
  expect(coverage.uncovered).toContainEqual({ operationId: 'createSpeech', what: 'operation' });
  expect(coverage.uncovered.map(({ operationId }) => operationId)).not.toContain('getApiCredit');
});

test('an unexpected refusal is reported with the words of the server', async () => {
  const issues = [{ loc: ['body', 'mood'], type: 'x', msg: 'Not in this mood', ctx: '' }];
  const { findings } = await judge([
    good(),
    failed('getApiCredit', 400, { message: 'No voice' }, { expectation: success }),
    exchange('getApiCredit', { status: 422, body: issues, expectation: success }),
  ]);
  expect(findings.filter(({ rule }) => rule === 'success-expected').map(({ actual }) => actual)).toEqual([
    '400: No voice',
    '422: body.mood: Not in this mood',
  ]);
});

const transcribed = (changes: object) => exchange('createTranscription', { body: transcription(changes) });
const voiceOf = (changes: object) =>
  stream({ format: 'pcm', sample_rate: 8000 }, [event(pcmOf(1, 8000), changes)]);
const absent = (...names: readonly string[]) => names.map((name) => [name, { [name]: undefined }] as const);
const bodies = {
  transcription: [transcribed, absent('text', 'duration', 'segments')],
  list: [
    (changes: object) => exchange('listModels', { body: page([], changes) }),
    absent('total', 'items', 'has_more'),
  ],
  credit: [
    (changes: object) => exchange('getApiCredit', { body: credit(changes) }),
    absent('_id', 'user_id', 'credit', 'created_at', 'updated_at', 'has_phone_sha256', 'has_free_credit'),
  ],
  event: [voiceOf, absent('audio_base64', 'content', 'chunk_seq', 'chunk_audio_offset_sec')],
} as const;

test.each(
  Object.entries(bodies).flatMap(([what, [make, fields]]) =>
    fields.map(([field, change]) => [what, field, make(change)] as const),
  ),
)('a %s without %s, which the interface names, is an error', async (_what, field, answered) => {
  const { findings } = await judge([answered]);
  const missing = findings.filter(({ rule }) => rule === 'field-present');
  expect(missing).toMatchObject([{ severity: 'error', where: expect.stringContaining(`/${field}`) }]);
});

test('where the interface says "or null", null and absent count alike', async () => {
  for (const alignment of [null, undefined]) {
    const { findings } = await judge([voiceOf({ alignment })]);
    expect(findings.filter(({ rule }) => rule.startsWith('field-'))).toEqual([]);
  }
});

test('an operation that the server does not have is said once', async () => {
  const calls = ['a', 'b', 'c'].map((name) => failed('getPackage', 404, {}, { name, expectation: success }));
  const unchecked = failed('getPackage', 404, {}, { expectation: refused('key-missing') });
  const report = await judge([good(), ...calls, unchecked]);
  expect(report.findings).toMatchObject([{ rule: 'operation-answered', operationId: 'getPackage' }]);
  expect(exitCodeOf(report)).toBe(2);
});

test('a measured violation is one warning', async () => {
  const long = (name: string) =>
    speech({ format: 'wav', sample_rate: 8000 }, wavOf(pcmOf(20, 8000), 8000), 'audio/wav', { name });
  const { findings } = await judge([long('one'), long('two')]);
  const measured = findings.filter(({ rule }) => rule === 'audio-length-plausible');
  expect(measured).toMatchObject([{ severity: 'warning', exchange: 'one' }]);
});

const hostile = [
  'null',
  '[null]',
  '{"items":[null,7,{}],"total":-1}',
  '{"segments":[{}]}',
  'data: [7]\n\n',
  '\0',
];
const operations = (Object.keys(operationTable) as OperationId[]).filter((id) => id !== 'openLiveSession');

test.each(operations)(
  'whatever %s is answered is judged, without a word of a body that is no JSON',
  async (id) => {
    const types = ['', 'application/json', 'text/event-stream', 'audio/wav', 'nonsense'];
    const answers = [200, 204, 302, 422, 500].flatMap((status) =>
      types.flatMap((type) =>
        [...hostile, '{"secret-word'].map((body) =>
          exchange(id, { status, headers: { 'content-type': type }, body, sent: { text: 'Hi.' } }),
        ),
      ),
    );
    const report = await judge(answers);
    expect(report.exchanges).toHaveLength(answers.length);
    expect(report.findings.map(({ message }) => message).join()).not.toContain('secret-word');
  },
);

test('an old Node is refused before anything is judged or sent', async () => {
  const { node } = process.versions;
  const pretend = (value: string) => Object.defineProperty(process.versions, 'node', { value });
  onTestFinished(() => void pretend(node));
  pretend('20.19.5');
  await expect(judge([good()])).rejects.toThrow(/needs Node 22.+ this is Node 20\.19\.5/);
  const nobody = { target: 'http://127.0.0.1:9', key: 'some-key' };
  await expect(verify(nobody)).rejects.toThrow(/needs Node 22/);
});

test('what public servers have added convicts nobody', async () => {
  const window = { max_offset: 1000, window_limited: true, total_is_exact: false };
  const listed = (number: number) =>
    exchange('listModels', {
      name: `page ${number}`,
      path: `/model?page_size=1&page_number=${number}`,
      body: page([`v${number}`], { ...window, has_more: number === 1 ? null : false, total: 0 }),
      groups: [{ id: 'g', relation: 'pages' }],
    });
  const turns = { speaker_turns: [{ speaker: 'speaker:0', text: 'The tide.', start: 0, end: 1 }] };
  const { findings } = await judge([
    listed(1),
    listed(2),
    transcribed({
      text: '<|speaker:0|>The tide. [laughter]',
      request_id: 'r1',
      language: 'English',
      ...turns,
    }),
    failed('createTranscription', 400, { code: 'unsupported' }),
    exchange('getApiCredit', { body: credit({ cumulative_top_up: '20.00' }) }),
  ]);
  expect(findings.filter(({ severity }) => severity !== 'drift')).toEqual([]);
});
