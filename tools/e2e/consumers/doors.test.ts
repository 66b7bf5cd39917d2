import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureAudio } from '@speech-api/audio';
import supported from '@speech-api/config/supported-versions' with { type: 'json' };
import { missingPrograms } from '@speech-api/recipes/clients';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findNode } from '../runtimes/testing/find-runtime.ts';
import { root } from '../test/testing/code-blocks.ts';
import { key } from './consumer.ts';
import { emptyProject, type Served } from './installers.ts';

// Our servers and Prism, called by the HTTP clients of other languages. These have habits that fetch has not, such as an offer of
// HTTP/2 with each request, or a charset for a form. The site shows what works.

interface Client {
  readonly client: string;
  readonly needs: readonly string[];
  readonly version: string;
  readonly install?: string;
  readonly call: string;
}

interface Server {
  readonly server: string;
  readonly nodes: readonly number[];
  /** A file of this repository, and its arguments. */
  readonly command: string;
  readonly version?: string;
  readonly fails?: Readonly<Record<string, string>> | undefined;
}

interface Call {
  readonly name: string;
  readonly path: string;
  /** The content type and the body of a POST. */
  readonly type?: string;
  readonly body?: string | Uint8Array;
  readonly status: number;
  readonly isRight: (answer: Buffer) => boolean;
}

/** What one client saw at one server. */
interface Row {
  readonly server: string;
  readonly node: string;
  readonly client: string;
  readonly version: string | undefined;
  readonly date: string;
  /** By call, `works` or `fails: ` and what was answered. */
  readonly calls?: Readonly<Record<string, string>>;
  /** Why no call was made. */
  readonly notRun?: string | undefined;
  /** Why it is known to fail. */
  readonly fails: Server['fails'];
}

const folder = fileURLToPath(new URL('doors/', import.meta.url));
const { clients, servers }: { clients: readonly Client[]; servers: readonly Server[] } = parse(
  readFileSync(`${folder}doors.yaml`, 'utf8'),
);
const doors = servers.flatMap(({ nodes, ...server }) =>
  nodes.map((major) => ({
    ...server,
    major,
    range: supported.node.find((node) => node.major === major)?.tested ?? '',
  })),
);

const sound = readFileSync(`${root}spec/dist/audio/good-morning.wav`);
const form = new FormData();
form.append('audio', new Blob([sound]), 'sound.wav');
/** For clients that make no form of their own. */
const encodedForm = new Response(form);

const json = (answer: Buffer) => JSON.parse(answer.toString());
const eventsOf = (answer: Buffer) => answer.toString().match(/(?<=^data: ).+/gm) ?? [];
const spoken = { type: 'application/json', body: '{"text":"Good morning."}', status: 200 };

const apiCalls: readonly Call[] = [
  { name: 'json', path: '/model', status: 200, isRight: (answer) => Array.isArray(json(answer).items) },
  {
    name: 'upload',
    path: '/v1/asr',
    type: encodedForm.headers.get('content-type') ?? '',
    body: new Uint8Array(await encodedForm.arrayBuffer()),
    status: 200,
    isRight: (answer) => typeof json(answer).text === 'string',
  },
  {
    ...spoken,
    name: 'audio',
    path: '/v1/tts',
    isRight: (answer) => measureAudio(answer, 'mp3').seconds > 0.2,
  },
  {
    ...spoken,
    name: 'stream',
    path: '/v1/tts/stream/with-timestamp',
    isRight: (answer) => eventsOf(answer).some((event) => JSON.parse(event).audio_base64.length > 0),
  },
  {
    ...spoken,
    name: 'refusal',
    path: '/v1/tts',
    body: '{"text":"Good morning.","temprature":1}',
    status: 422,
    isRight: (answer) => json(answer)[0].loc.includes('temprature'),
  },
];

/** The calls to a server of a team that a relay is attached to. */
const teamCalls: readonly Call[] = [
  { name: 'health', path: '/health', status: 200, isRight: (answer) => json(answer).status === 'ok' },
  {
    ...spoken,
    name: 'post',
    path: '/orders',
    isRight: (answer) => json(answer).received === spoken.body.length,
  },
];

const programs = emptyProject();
const versions = new Map<Client, string>();
const rows = new Map<unknown, readonly Row[]>();
let sandbox: Served;

const fill = (command: string) =>
  command.replaceAll('{programs}', programs.folder).replaceAll('{root}', root);
const inBash = (cwd: string, command: string, environment: NodeJS.ProcessEnv = {}) =>
  programs.run(['bash', '-eo', 'pipefail', '-c', fill(command)], environment, cwd);
const versionIn = (printed: string) => /\d+(\.\d+)+/.exec(printed)?.[0] ?? printed;

beforeAll(async () => {
  cpSync(folder, programs.folder, { recursive: true });
  sandbox = await programs.serve(['node', `${root}apps/sandbox/dist/bin.js`, '--port', '0']);
  for (const client of clients) {
    if (missingPrograms(client.needs) !== undefined) continue;
    await inBash(programs.folder, client.install ?? '');
    versions.set(client, versionIn(await inBash(programs.folder, client.version)));
  }
});

afterAll(async () => {
  await sandbox?.[Symbol.asyncDispose]();
  programs.remove();
  if (rows.size < doors.length) return;
  const lines = doors.flatMap((door) => rows.get(door) ?? []).map((row) => JSON.stringify(row));
  writeFileSync(`${folder}results.json`, `[\n${lines.join(',\n')}\n]\n`);
});

const missing = [...new Set(clients.flatMap(({ needs }) => missingPrograms(needs) ?? []))].join(', ');
const title = `$server on Node $major answers each client (${missing || 'all run'})`;

test.concurrent.each(doors)(title, async (door) => {
  const { server, major, range, version, fails = {} } = door;
  const node = findNode(range);
  const command = root + fill(door.command).replace('{sandbox}', sandbox.url).replace('{node}', `${major}`);
  // A recorder says on stderr where it listens.
  const start = ['bash', '-c', `exec ${node.path} ${command} 2>&1`];
  await using served = node.missing ? undefined : await programs.serve(start);
  const row = {
    server: version ? `${server} ${versionIn(await inBash(programs.folder, version))}` : server,
    node: served ? versionIn(await programs.run([node.path, '--version'])) : range,
    date: new Date().toISOString().slice(0, 10),
    fails: door.fails,
  };
  const calls = server === 'relay' ? teamCalls : apiCalls;
  const seen: Row[] = [];
  for (const client of clients) {
    const absent = node.missing ?? missingPrograms(client.needs);
    const outcome =
      served === undefined || absent !== undefined
        ? { notRun: absent }
        : { calls: await makeCalls(client, calls, served.url) };
    seen.push({ ...row, client: client.client, version: versions.get(client), ...outcome });
  }
  rows.set(door, seen);
  const failure = expect.stringMatching(/^fails: /);
  const expected = Object.fromEntries(calls.map(({ name }) => [name, name in fails ? failure : 'works']));
  const outcomes = seen.map(({ client, calls = expected }) => ({ client, calls }));
  expect(outcomes).toEqual(clients.map(({ client }) => ({ client, calls: expected })));
});

/** @returns the outcome of each call by its name */
async function makeCalls(client: Client, calls: readonly Call[], url: string) {
  const cwd = mkdtempSync(join(programs.folder, 'calls-'));
  const table = calls.map(({ name, path, body, type = '' }) => {
    if (body !== undefined) writeFileSync(join(cwd, `${name}.body`), body);
    return [name, body === undefined ? 'GET' : 'POST', path, type].join('\t');
  });
  writeFileSync(join(cwd, 'calls.tsv'), `${table.join('\n')}\n`);
  writeFileSync(join(cwd, 'sound.wav'), sound);
  const environment = { SPEECH_BASE_URL: url, SPEECH_API_KEY: key };
  const printed = await inBash(cwd, client.call, environment).catch(({ message }: Error) => message);
  const outcomes = calls.map(({ name, status, isRight }) => {
    const [, outcome = 'no answer'] = new RegExp(`^${name} (.*)$`, 'm').exec(printed) ?? [];
    const path = join(cwd, `${name}.answer`);
    const answer = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const works = outcome === String(status) && holds(isRight, answer);
    return [name, works ? 'works' : `fails: ${outcome} ${answer.subarray(0, 100)}`.trim()];
  });
  return Object.fromEntries(outcomes) as Readonly<Record<string, string>>;
}

function holds(isRight: Call['isRight'], answer: Buffer): boolean {
  try {
    return isRight(answer);
  } catch {
    return false;
  }
}
