import {
  AbortError,
  ApiError,
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  InsufficientCreditError,
  NotFoundError,
  PermissionDeniedError,
  RequestError,
  SpeechError,
  TimeoutError,
  TooManyRequestsError,
} from '@speech-api/client';
import { CommanderError, refusalOf } from '@speech-api/program';
import { RecordingError } from '@speech-api/recordings';
import { exitCodes, UsageError } from './usage.ts';

type Rule = readonly [guard: { isInstance(error: unknown): boolean }, code: number, hint?: string];

/** The first that fits. */
const rules: readonly Rule[] = [
  [ConfigurationError, exitCodes.usage, 'see: speech config --help'],
  [RequestError, exitCodes.usage, 'nothing was sent'],
  [AuthenticationError, exitCodes.access, 'check SPEECH_API_KEY, or store another key: speech config key'],
  [PermissionDeniedError, exitCodes.access, 'this key may not do that; use another one'],
  [InsufficientCreditError, exitCodes.access, 'see what is left: speech wallet'],
  [TooManyRequestsError, exitCodes.failed, 'wait and try again, with a smaller --jobs'],
  [ApiError, exitCodes.failed],
  [TimeoutError, exitCodes.network, 'try again, or look closer: speech doctor'],
  [SpeechError, exitCodes.failed],
];

/** Says what went wrong in one line, how to fix it, and the exit code. Errors of the client never hold a key, a text or audio. */
export function explain(error: unknown) {
  const message = inTheirWords(error);
  const failure = (code: number, hint?: string) => ({ message, hint, code });
  if (AbortError.isInstance(error)) return { ...failure(exitCodes.interrupted), message: 'stopped' };
  if (error instanceof CommanderError) return failure(exitCodes.usage, hintOfParser(error));
  if (error instanceof UsageError) return failure(error.exitCode);
  const { syscall, path } = error as NodeJS.ErrnoException;
  if (syscall === 'mkdir')
    return {
      ...failure(exitCodes.failed),
      message: `${path} cannot be made (${message.split(',')[0]}). Name a folder.`,
    };
  if (RecordingError.isInstance(error))
    return failure(error.kind === 'busy' ? exitCodes.failed : exitCodes.usage);
  if (NotFoundError.isInstance(error)) {
    const isOneVoice = /^(?:get|update|delete)Model$/.test(error.operationId);
    const hint = isOneVoice ? 'list them: speech voices list' : 'check the address: speech config';
    return failure(exitCodes.failed, hint);
  }
  if (ConnectionError.isInstance(error) && !TimeoutError.isInstance(error))
    return failure(exitCodes.network, hintOfConnection(error));
  const [, code = exitCodes.failed, hint] = rules.find(([guard]) => guard.isInstance(error)) ?? [];
  return failure(code, hint);
}

/** Fields of the interface, as the command line calls them. */
const optionOf: Readonly<Record<string, string>> = {
  'prosody.speed': '--speed',
  'prosody.volume': '--volume',
  acceptTruncated: '--accept-truncated',
  baseUrl: 'the address of the service',
  cover_image: '--cover',
  mp3_bitrate: '--bitrate',
  opus_bitrate: '--bitrate',
  reference_id: '--voice',
  references: '--reference',
  sample_rate: '--rate',
  webSocketUrl: 'SPEECH_WEBSOCKET_URL',
};

/** The message in one line, with the names that a person typed instead of those of the library. */
function inTheirWords(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error))
    .replaceAll(/\s*\n\s*/g, ' ')
    .trim();
  // The library of completion knows one more shell, in which it does not work well.
  if (error instanceof CommanderError) return refusalOf(error).message.replace(', powershell', '');
  // The names of operations are those of the interface.
  const answered = ApiError.isInstance(error) ? 'the service answered $1: ' : '$1 ';
  const bare = SpeechError.isInstance(error)
    ? message.replace(/^[a-z]\w+: (\d{3}) /, answered).replace(/^[a-z]\w+: /, '')
    : message;
  const isOurs =
    ConfigurationError.isInstance(error) ||
    RequestError.isInstance(error) ||
    ApiError.isInstance(error) ||
    RecordingError.isInstance(error);
  if (!isOurs) return bare;
  return Object.entries(optionOf)
    .reduce(
      (text, [field, option]) => text.replaceAll(new RegExp(`\\b${field}\\b(?!:? \\()`, 'g'), option),
      bare
        .replace('acceptTruncated: true (--accept-truncated)', '--accept-truncated')
        .replace('baseUrl must be an address that begins', 'baseUrl must begin')
        .replace('GET /model lists them', 'list them: speech voices list'),
    )
    .replaceAll(/(?:, )?pass (--[\w-]+)(?=\.|$)/g, ', use $1')
    .replaceAll(',, ', ', ');
}

function hintOfParser(error: CommanderError): string {
  // A text such as "-5 degrees".
  if (error.code === 'commander.unknownOption' && /'-(?:\d|[^'\s]*\s)/.test(error.message))
    return 'a text that begins with - goes last, after --, as in: speech speak -o FILE -- "-5 degrees"';
  if (error.message.endsWith("'shell'")) return 'name one of bash, zsh and fish';
  const isKey = (option: string): string | undefined =>
    option.includes('key') ? 'SPEECH_API_KEY' : undefined;
  return refusalOf(error, isKey).hint ?? 'see --help';
}

function hintOfConnection(error: Error): string {
  // Of a body that breaks off; what breaks before an answer is "fetch failed".
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (/\bterminated\b/.test(cause.message))
      return 'the answer broke off, and the service may have billed it; try again if you want to pay for it again';
  return 'check the address, also whether it begins with http or https, or look closer: speech doctor';
}
