import { AuthenticationError, ConnectionError, PayloadTooLargeError } from '@speech-api/client';
import { isLoopback } from '../connection/address.ts';
import { type Explanation, explainError } from '../explain-error.ts';

/** Turns an error of a live session into words for the reader. */
export function explainLive(error: unknown, relayUrl: string): Explanation {
  const detail = error instanceof Error ? error.message : String(error);
  if (ConnectionError.isInstance(error)) {
    const where = isLoopback(location.origin)
      ? 'Start one with its sandbox and this site, from a clone of the repository, and open the page that it prints.'
      : `A relay lets in pages of its own site alone, and this one comes from ${location.host}. In a clone of the repository, this starts the site, a sandbox and a relay that know each other.`;
    return {
      title: `No relay answers at ${relayUrl}`,
      advice: `${where} What you typed is still there: Enter sends it again.`,
      command: 'npm start',
      detail,
    };
  }
  if (AuthenticationError.isInstance(error)) {
    return {
      title: 'The relay does not let this page in',
      advice: 'It asks for a ticket or a session of its own application. The relay of “npm start” does not.',
      detail,
      field: 'baseUrl',
    };
  }
  if (PayloadTooLargeError.isInstance(error)) {
    return {
      title: 'That is too much text for one session',
      advice: 'Press Clear, which begins another session, and speak shorter texts.',
      detail,
    };
  }
  return explainError(error, { baseUrl: relayUrl, action: 'Enter' });
}
