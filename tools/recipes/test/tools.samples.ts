import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer as createProxy, request as sendRequest } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '@speech-api/runtimes';
import { describe, expect, test } from 'vitest';
import { key, listen, recipes, run as runHere, useFolder, useSandbox } from './runner.ts';

// The recipes that need more than Node. Where CI is set, nothing is left out: there a missing tool is a failure.

const run = promisify(execFile);
const isMissing = (tool: string, option: string): boolean =>
  process.env.CI === undefined && spawnSync(tool, [option]).error !== undefined;
const sandbox = useSandbox();

const noVideo = isMissing('ffmpeg', '-version');
test.skipIf(noVideo)(
  `captions-video makes a video with sound and subtitles${noVideo ? ' (no ffmpeg)' : ''}`,
  async () => {
    const cwd = useFolder();
    const printed = await runHere(sandbox.url, cwd, process.execPath, `${recipes}captions-video.ts`);
    expect(printed).toMatch(/^speech\.mp4, 16 words\n$/);
    const probe = ['-v', 'error', '-show_streams', '-of', 'json', 'speech.mp4'];
    const { stdout } = await run('ffprobe', probe, { cwd });
    const { streams } = JSON.parse(stdout) as { streams: { codec_type: string; duration: string }[] };
    expect(streams.map(({ codec_type }) => codec_type)).toEqual(['video', 'audio', 'subtitle']);
    const [video, audio] = streams.map(({ duration }) => Number(duration));
    expect(audio).toBeGreaterThan(3);
    expect(Math.abs((video ?? 0) - (audio ?? 0))).toBeLessThan(1);
    expect(readFileSync(join(cwd, 'captions.srt'), 'utf8')).toContain('last boat');
  },
);

/** A name that only the proxy knows: whoever reaches it came through the proxy. */
const host = 'speech.company.invalid';

/** The sandbox behind TLS, with a certificate of an authority that nobody knows, and behind a proxy. */
async function startCompany(cwd: string) {
  const ssl = (command: string) => run('openssl', command.split(' '), { cwd });
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes';
  await ssl(`req -x509 ${newKey} -days 2 -keyout ca-key.pem -out ca.pem -subj /CN=Company`);
  const names = `-subj /CN=${host} -addext subjectAltName=DNS:${host} -addext basicConstraints=CA:FALSE`;
  await ssl(`req ${newKey} -keyout key.pem -out request.pem ${names}`);
  await ssl(
    'x509 -req -in request.pem -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -copy_extensions copy -out cert.pem',
  );
  const read = (name: string) => readFileSync(join(cwd, name));
  const secured = createServer({ key: read('key.pem'), cert: read('cert.pem') }, (request, response) => {
    const { method, url, headers } = request;
    const inner = sendRequest(`${sandbox.url}${url}`, { method, headers: { ...headers, host: '127.0.0.1' } });
    inner.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    inner.on('error', () => response.destroy());
    request.pipe(inner);
  });
  const securedPort = await listen(secured);
  const tunnels: string[] = [];
  const proxy = createProxy((_request, response) => response.writeHead(405).end());
  proxy.on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const target = connect(securedPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => end.destroy());
  });
  return { tunnels, proxy: `http://127.0.0.1:${await listen(proxy)}`, authority: join(cwd, 'ca.pem') };
}

const noAuthority = isMissing('openssl', 'version');
describe.skipIf(noAuthority)(
  `behind a proxy and an authority of its own${noAuthority ? ' (no openssl)' : ''}`,
  () => {
    const deno = ['run', '--no-remote', '--node-modules-dir=manual', '--allow-net', '--allow-env'];
    const environmentFile = `${recipes}proxy-environment.ts`;
    const ways: [string, string, string[], Record<string, string>, string][] = [
      ['Node', process.execPath, [environmentFile], { NODE_USE_ENV_PROXY: '1' }, 'NODE_EXTRA_CA_CERTS'],
      ['Bun', findProgram('bun') ?? 'bun', ['run', environmentFile], {}, 'NODE_EXTRA_CA_CERTS'],
      ['Deno', findProgram('deno') ?? 'deno', [...deno, environmentFile], {}, 'DENO_CERT'],
      ['a dispatcher of Node', process.execPath, [`${recipes}proxy-dispatcher.ts`], {}, 'COMPANY_CA'],
    ];

    test.each(ways)(
      '%s speaks through the proxy, and not without the authority',
      async (_name, program, args, own, authorityName) => {
        const { tunnels, proxy, authority } = await startCompany(useFolder());
        const speakWith = (changes: Record<string, string>) => {
          const {
            NODE_EXTRA_CA_CERTS: _,
            NO_PROXY: _direct,
            no_proxy: _directly,
            ...inherited
          } = process.env;
          const proxies = { HTTPS_PROXY: proxy, COMPANY_PROXY: proxy };
          const quiet = { DO_NOT_TRACK: '1', DENO_NO_UPDATE_CHECK: '1' };
          const service = { SPEECH_BASE_URL: `https://${host}:8443`, SPEECH_API_KEY: key };
          const env = { ...inherited, ...own, ...proxies, ...quiet, ...service, ...changes };
          return run(program, args, { cwd: recipes, timeout: 110_000, env });
        };
        expect((await speakWith({ [authorityName]: authority })).stdout).toMatch(/^\d{4,} bytes\n$/);
        expect(tunnels).toEqual([`${host}:8443`]);
        await expect(speakWith({})).rejects.toMatchObject({ code: 1 });
      },
    );
  },
);
