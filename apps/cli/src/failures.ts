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
import { RecordingError } from '@speech-api/recordings';
import { exitCodes, UsageError } from './usage.ts';

export { exitCodes, UsageError };

/** A failure as it is shown: what happened, how to fix it, and the exit code. */
export interface Failure {
  readonly message: string;
  readonly hint: string | undefined;
  readonly code: number;
}

/** Says what went wrong in one line. Errors of the client never hold a key, a text or audio. */
export function explain(error: unknown): Failure {
  const message = oneLine(error);
  const failure = (code: number, hint?: string): Failure => ({ message, hint, code });
  if (AbortError.isInstance(error))
    return { message: 'stopped', hint: undefined, code: exitCodes.interrupted };
  if (error instanceof UsageError) return failure(error.exitCode);
  if (RecordingError.isInstance(error)) {
    // It names the option of the library, too.
    const named = message.replace('acceptTruncated: true (--accept-truncated)', '--accept-truncated');
    return { ...failure(error.kind === 'busy' ? exitCodes.failed : exitCodes.usage), message: named };
  }
  if (ConfigurationError.isInstance(error)) return failure(exitCodes.usage, 'see: speech config --help');
  if (RequestError.isInstance(error)) return failure(exitCodes.usage, 'nothing was sent');
  if (AuthenticationError.isInstance(error)) {
    return failure(exitCodes.access, 'check SPEECH_API_KEY, or store another key with: speech config key');
  }
  if (InsufficientCreditError.isInstance(error))
    return failure(exitCodes.access, 'see what is left: speech wallet');
  if (PermissionDeniedError.isInstance(error)) {
    return failure(exitCodes.access, 'this key may not do that; use another one with --profile');
  }
  if (NotFoundError.isInstance(error)) {
    const isOneVoice = /^(?:get|update|delete)Model$/.test(error.operationId);
    const hint = isOneVoice ? 'list what there is: speech voices list' : 'check the address: speech config';
    return failure(exitCodes.failed, hint);
  }
  if (TooManyRequestsError.isInstance(error))
    return failure(
      exitCodes.failed,
      'wait and try again; with several parts, transcribe takes a smaller --jobs',
    );
  if (ApiError.isInstance(error)) return failure(exitCodes.failed);
  if (TimeoutError.isInstance(error))
    return failure(exitCodes.network, 'try again, or look closer: speech doctor');
  if (ConnectionError.isInstance(error)) {
    const isBlocked = message.endsWith('bad port');
    const hint = isBlocked
      ? 'fetch blocks this port, as browsers do; let the service listen on another one'
      : 'look closer: speech doctor';
    return failure(exitCodes.network, hint);
  }
  if (SpeechError.isInstance(error)) return failure(exitCodes.failed);
  return { message, hint: fileHint(error), code: exitCodes.failed };
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}

function fileHint(error: unknown): string | undefined {
  const hints: Readonly<Record<string, string>> = {
    EACCES: 'choose a file or folder that you may write',
    EROFS: 'this disk is read-only; choose another folder',
    ENOSPC: 'the disk is full; nothing was kept of the unfinished file',
    EFBIG: 'the file is larger than this account or disk allows; nothing was kept of it',
    ENOENT: 'is the folder there?',
    EEXIST: 'a file has this name; name a folder',
    ENOTDIR: 'a part of this path is a file; name a folder',
    ENAMETOOLONG: 'choose a shorter name',
    EISDIR: 'this is a folder; name a file',
  };
  return error instanceof Error && 'code' in error ? hints[String(error.code)] : undefined;
}
