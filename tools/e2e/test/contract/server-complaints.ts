import { createReceiver, Refusal } from '@speech-api/server';
import type { SentRequest } from './prism.ts';

const receiver = createReceiver();

/** Refusals that are about schemas; a rule between fields is something that no schema validator can know. */
const ofSchemas = ['schema', 'malformed-body', 'media-type'];

/**
 * Complaints of the servers' validators about a request, as `/body/text missing`; empty if they accept it.
 */
export async function complaintsOfServer({ method, url, headers, body }: SentRequest): Promise<string[]> {
  const incoming = {
    method,
    url: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(headers), 'content-length': String(body.length) },
    body: [Buffer.from(body)],
  };
  try {
    await receiver.receive(incoming, {});
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (!ofSchemas.includes(error.entry.id)) return [];
    return error.issues.map(({ loc, type }) => `/${loc.join('/')} ${type}`);
  }
}
