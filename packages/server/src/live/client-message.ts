import type { SynthesisRequest } from '@speech-api/types';

/** What a client of a live session sends, as it stands in the spec's AsyncAPI document. */
export type LiveClientMessage =
  | { readonly event: 'start'; readonly request: SynthesisRequest }
  | { readonly event: 'text'; readonly text: string }
  | { readonly event: 'flush' }
  | { readonly event: 'stop' };

/** The component of each event. */
export const clientMessageSchemas: Readonly<Record<LiveClientMessage['event'], string>> = {
  start: 'StartMessage',
  text: 'TextMessage',
  flush: 'FlushMessage',
  stop: 'StopMessage',
};
