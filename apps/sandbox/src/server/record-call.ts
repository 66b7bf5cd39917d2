import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CallRecorder, RecentCalls } from '../recent-calls.ts';
import { loggedPath, switchingProtocols } from './log.ts';

/** Enters a call into the list of recent ones, and what became of it once it is over. */
export function recordCall(
  calls: RecentCalls,
  request: IncomingMessage,
  response: ServerResponse,
  traceId: string,
): CallRecorder {
  const start = performance.now();
  const recorder = calls.begin({
    method: request.method ?? '',
    path: loggedPath(request.url ?? ''),
    trace_id: traceId,
  });
  response.once('close', () => {
    const upgraded = response.statusCode === switchingProtocols;
    recorder.end({
      ...(response.headersSent || upgraded ? { status: response.statusCode } : {}),
      milliseconds: Math.round(performance.now() - start),
      state: response.writableFinished || upgraded ? 'complete' : 'cut',
    });
  });
  return recorder;
}
