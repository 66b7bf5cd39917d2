import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSpeechClient } from '@speech-api/client';
import { transformSync } from 'esbuild';
import { codeBlocks, root } from '../test/testing/code-blocks.ts';
import { type Consumer, forBrowsers, key, nodePackage, runsOnNode20 } from './consumer.ts';
import { type Project, programOf } from './project.ts';

/** The packages on one version of Node: the programs of the READMEs, and `require()`. */
export function node(id: string, range: string): Consumer {
  return {
    id,
    async use({ packages, url, install, shared }) {
      const { folder, run } = await shared();
      const own = await install({ packages: [], others: { [nodePackage]: range } });
      try {
        const program = join(own.folder, 'node_modules', nodePackage, 'bin/node');
        const version = (await run(program, ['--version'])).trim();
        const usable = packages.filter((packed) => runsOnNode20(packed) || !version.startsWith('v20.'));
        const names = usable.map(({ source }) => source.slice(root.length));
        const programs = await writePrograms(folder, names, version, url);
        const environment = { SPEECH_BASE_URL: url, SPEECH_API_KEY: key };
        const ran = programs.map(async (file) => {
          const output = await run(program, [file], environment);
          if (/warning|error/i.test(output)) throw new Error(`${file} on Node ${version} prints:\n${output}`);
        });
        await Promise.all(ran);
        const required = `for (const name of process.argv.slice(2)) if (Object.keys(require(name)).length === 0) throw new Error(name)`;
        writeFileSync(join(folder, 'required.cjs'), required);
        const clients = packages.filter(forBrowsers).map(({ manifest }) => manifest.name);
        await run(program, ['--no-warnings', 'required.cjs', ...clients]);
        if (version.startsWith('v20.')) await refuseOldNode(program, run);
        return `Node ${version.slice(1)}: ${programs.length} programs of READMEs; require() of ${clients.length} packages`;
      } finally {
        own.remove();
      }
    },
  };
}

/** The servers and the judge end with one sentence on a Node that cannot even link them. */
async function refuseOldNode(program: string, run: Project['run']): Promise<void> {
  for (const name of ['sandbox', 'mock', 'contract']) {
    const script = `node_modules/@speech-api/${name}/dist/bin.js`;
    const printed = await run(program, [script, '--version']).then(
      (output) => `it starts: ${output}`,
      (error: Error) => error.message,
    );
    if (!/\n.*24\.18\.0 or newer.*\n$/.test(printed) || printed.includes('    at ')) throw new Error(printed);
  }
}

/** Compiles the programs of the READMEs to JavaScript; what they read is beside them. */
async function writePrograms(
  folder: string,
  packages: readonly string[],
  version: string,
  url: string,
): Promise<string[]> {
  const client = createSpeechClient({ baseUrl: url, apiKey: key });
  const text = 'What is said in the sample.';
  const blocks = codeBlocks(['README.md', 'packages/*/README.md', 'apps/*/README.md']).filter(
    ({ file, language, marks, code }) =>
      language === 'ts' &&
      marks.length === 0 &&
      isWhole(file) &&
      (file === 'README.md' || packages.includes(file.replace('/README.md', ''))) &&
      code.includes('import '),
  );
  const written: string[] = [];
  for (const { file, line, code } of blocks) {
    const path = `readme-${version}/${file.replaceAll(/[/.]/g, '-')}-${line}.mjs`;
    const { code: script } = transformSync(code, { loader: 'ts', target: 'es2022', format: 'esm' });
    written.push(path);
    mkdirSync(join(folder, `readme-${version}`), { recursive: true });
    writeFileSync(join(folder, path), script);
  }
  for (const [name, format] of Object.entries({ 'sample.wav': 'wav', 'interview.mp3': 'mp3' } as const)) {
    writeFileSync(join(folder, name), await (await client.speech.create({ text, format })).bytes());
  }
  return written;
}

/** Fragments and servers are completed and run by their own package, and the sandbox speaks only with its engine. */
function isWhole(file: string): boolean {
  return file !== 'apps/sandbox/README.md' && !existsSync(join(root, dirname(file), 'src/readme.test.ts'));
}

/** `speech` from its archive alone, on one version of Node. */
export function command(id: string, range: string): Consumer {
  return {
    id,
    async use({ packages, url, install }) {
      const cli = packages.filter(({ manifest }) => manifest.name === '@speech-api/cli');
      const { folder, run, write, remove } = await install({
        packages: cli,
        others: { [nodePackage]: range },
      });
      try {
        const installed = readdirSync(join(folder, 'node_modules')).filter((name) => /^[^.]/.test(name));
        // The decoders under the LGPL, with what they depend on: users can replace them.
        const decoders = ['@eshaz', '@wasm-audio-decoders', 'codec-parser', 'mpg123-decoder', 'simple-yenc'];
        const expected = ['@speech-api', nodePackage, ...decoders].sort();
        if (installed.sort().join() !== expected.join())
          throw new Error(`npm installed ${installed.join(', ')}`);
        const program = join(folder, 'node_modules', nodePackage, 'bin/node');
        const script = 'node_modules/@speech-api/cli/dist/speech.js';
        const environment = {
          SPEECH_BASE_URL: url,
          SPEECH_API_KEY: key,
          SPEECH_CONFIG: join(folder, 'config.json'),
        };
        const shows = async (args: readonly string[], expected: RegExp): Promise<void> => {
          const output = await run(program, [script, ...args], environment);
          if (!expected.test(output)) throw new Error(`speech ${args.join(' ')} prints:\n${output}`);
        };
        const version = cli[0]?.manifest.version ?? '';
        const shim = await run('speech', ['--version'], environment);
        if (shim !== `${version}\n`) throw new Error(`the installed speech says ${shim}`);
        write('book.md', '# One\n\nThe ferry leaves at noon.\n\n# Two\n\nThe gulls leave with it.\n');
        await shows(['--version'], new RegExp(`^${version.replaceAll('.', '\\.')}\\n$`));
        await shows(['--help'], /Usage: speech[\s\S]*Examples:/);
        await shows(
          ['speak', 'The ferry leaves at noon.', '-o', 'ferry.wav'],
          /^wrote ferry\.wav, [\d.]+ kB\n$/,
        );
        await shows(
          ['speak', 'book.md', '-o', 'book.mp3', '--chapters', '--captions', 'vtt'],
          /^wrote book\.mp3, [\d.]+ kB, book\.vtt\n$/,
        );
        // Recordings are read in the worker, which is a file of its own.
        for (const recording of ['ferry.wav', 'book.mp3'])
          await shows(['transcribe', recording], /The ferry leaves at noon/);
        await shows(['voices', 'list'], /sandbox-alba/);
        await shows(['live', 'Good morning.', '-o', 'live.mp3'], /live\.mp3/);
        await shows(['wallet'], /credit/);
        await shows(
          ['doctor'],
          new RegExp(`${version.replaceAll('.', '\\.')}[\\s\\S]*service +reached and the key works`),
        );
        await shows(['complete', 'powershell'], /speech/);
        const node = (await run(program, ['--version'])).trim().slice(1);
        return `Node ${node}: speech ${version} from its archive`;
      } finally {
        remove();
      }
    },
  };
}

/** A program for runtimes with a command line, on packages that an installer laid out. */
export function installer(id: 'pnpm' | 'bun'): Consumer {
  return {
    id,
    async use({ packages, url, install }) {
      const project = await install({ packages: packages.filter(runsOnNode20), installer: id });
      try {
        const program = id === 'bun' ? programOf('bun') : 'node';
        const output = await project.run(program, ['smoke-command.mjs', url]);
        if (!output.startsWith('works: ')) throw new Error(output);
        return `${id}: installed and run`;
      } finally {
        project.remove();
      }
    },
  };
}

export const deno: Consumer = {
  id: 'deno',
  async use({ url, shared }) {
    const { run } = await shared();
    const permissions = ['--no-remote', '--node-modules-dir=manual', '--allow-net=127.0.0.1', '--allow-env'];
    const output = await run(programOf('deno'), ['run', ...permissions, 'smoke-command.mjs', url], {
      DENO_NO_UPDATE_CHECK: '1',
    });
    if (!output.startsWith('works: ')) throw new Error(output);
    const version = await run(programOf('deno'), ['--version']);
    return `${version.split('\n')[0]}: run on what npm installed`;
  },
};
