import { parseWords, readNumber } from '../command/arguments.ts';
import type { Command, ExitCode, Surroundings } from '../command/command.ts';
import { listenForInterrupt } from '../command/interrupt.ts';
import { UsageError } from '../errors.ts';
import { countOf } from '../report/text.ts';
import { readAddress } from '../transport/address.ts';
import { defaultPort, startRecorder } from './record.ts';

const help = `speech-contract record: write what passes between your code and a server to a HAR file

Usage: speech-contract record --upstream URL FILE.har

Use the address that it prints as the base address of your code. HTTP, event streams, MessagePack and WebSockets are
forwarded byte for byte as they arrive. Ctrl-C stops it; then judge the file with speech-contract check FILE.har.

  --upstream URL   base address of the server, without /v1
  --port N         the port of this machine to listen on; 0 chooses a free one (default ${defaultPort})
  --help           this text

The file holds the texts and the audio that were sent and answered; only its owner may read it. It does not hold keys,
cookies and tickets: a fixed word replaces them. It is whole after each call, also if the recorder is killed.
`;

const options = { upstream: { type: 'string' }, port: { type: 'string' } } as const;

/** Records what passes between a client and a server. */
export const recordCommand: Command = {
  name: 'record',
  summary: 'forwards your calls to a server and writes them to a HAR file for check',
  help,
  run,
};

async function run(words: readonly string[], { error }: Surroundings): Promise<ExitCode> {
  const { values, positionals } = parseWords(words, options, true);
  const [file, ...others] = positionals;
  if (values.upstream === undefined || file === undefined || others.length > 0)
    throw new UsageError(
      'Name the server and one file: speech-contract record --upstream http://127.0.0.1:4010 FILE.har',
    );
  const upstream = readAddress('--upstream', values.upstream, ['http:', 'https:']);
  const port = readNumber('--port', values.port, defaultPort, 0, 65_535);
  const ended = Promise.withResolvers<void>();
  const interrupt = listenForInterrupt(() => ended.resolve());
  try {
    const recorder = await startRecorder({ upstream, file, port });
    error(`Listening on ${recorder.url} and forwarding to ${upstream}. Ctrl-C stops.\n`);
    await ended.promise;
    const calls = countOf(await recorder.close(), 'call');
    error(`Wrote ${calls} to ${file}. Judge them with speech-contract check ${file}\n`);
    return 0;
  } finally {
    interrupt.release();
  }
}
