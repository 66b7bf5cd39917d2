import { ConfigurationError, createTrace } from '@speech-api/client';
import { headerNames } from '@speech-api/types/constants';
import { liveTimestampsPath } from '@speech-api/types/live';
import { operationTable } from '@speech-api/types/operations';
import { maximumFrameBytes, relayProtocol, ticketPrefix } from './defaults.ts';
import type { LiveOptions, LiveSettings } from './options.ts';
import type { SocketTarget } from './socket.ts';

/** The address and headers of a socket, each with a ticket or a trace of its own. */
export async function targetOf(
  settings: LiveSettings,
  options: LiveOptions,
  signal: AbortSignal,
  redact: (text: string) => string,
): Promise<SocketTarget> {
  const { webSocketUrl, relay, trace: clientTrace } = settings;
  const { trace = clientTrace, model = settings.model } = options;
  if (options.timestamps && relay) {
    throw new ConfigurationError('timestamps are not available through a relay; connect with a client');
  }
  const path = options.timestamps ? liveTimestampsPath : operationTable.openLiveSession.path;
  if (webSocketUrl.endsWith(path)) {
    const setting = relay ? 'url' : 'webSocketUrl (SPEECH_WEBSOCKET_URL)';
    throw new ConfigurationError(`${setting} must not end with ${path}, which is added to it`);
  }
  const url = `${webSocketUrl}${path}`;
  checkAddress(url);
  const shared = { url, maximumFrameBytes: options.maximumFrameBytes ?? maximumFrameBytes, signal, redact };
  if (relay) {
    const ticket = typeof relay.ticket === 'function' ? await relay.ticket() : relay.ticket;
    const protocols = ticket === undefined ? [relayProtocol] : [relayProtocol, ticketPrefix + ticket];
    return { ...shared, headers: {}, protocols };
  }
  if (isBrowser()) {
    throw new ConfigurationError(
      'a browser cannot send the headers of a live session; run @speech-api/relay and pass throughRelay({ url })',
    );
  }
  return {
    ...shared,
    protocols: [],
    headers: {
      [headerNames.authorization]: await authorizationOf(settings),
      ...(model !== undefined && { [headerNames.model]: model }),
      ...(trace !== false && { [headerNames.traceparent]: (trace ?? createTrace()).traceparent() }),
    },
  };
}

/** The one place where the key is read. */
async function authorizationOf(settings: LiveSettings): Promise<string> {
  const authorization = await settings.authorization?.();
  if (!authorization) throw new ConfigurationError('no API key: pass apiKey to createSpeechClient');
  return authorization;
}

/** @throws ConfigurationError for an address that would send the key unencrypted */
function checkAddress(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const loopback = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;
  if (url?.protocol === 'wss:' || (url?.protocol === 'ws:' && loopback.test(url.hostname))) return;
  throw new ConfigurationError(
    'webSocketUrl must begin with wss://; ws:// is for this machine alone, because it sends the key unencrypted',
  );
}

function isBrowser(): boolean {
  const scope = globalThis as { document?: unknown; importScripts?: unknown };
  return typeof scope.document === 'object' || typeof scope.importScripts === 'function';
}
