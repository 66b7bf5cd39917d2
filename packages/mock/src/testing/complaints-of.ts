import { readBuiltText } from '@speech-api/spec/read';
import type { OperationId } from '@speech-api/types';
import prism from '@stoplight/prism-http';
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';

const operations = prism.getHttpOperationsFromSpec(JSON.parse(readBuiltText('openapi-3.1.json')));

/** Complaints of Prism's validators about an answer with a JSON body or none; empty if they accept it. */
export async function complaintsOf(operationId: OperationId, response: Response): Promise<string[]> {
  const resource = (await operations).find(({ iid }) => iid === operationId);
  if (!resource?.responses.some(({ code }) => code === String(response.status))) {
    return [`${response.status} is not documented for ${operationId}`];
  }
  const text = await response.text();
  const headers: Record<string, string> = Object.fromEntries(response.headers);
  if (text === '') delete headers['content-type'];
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  const element = { statusCode: response.status, headers, body };
  const outcome = validateOutput({ resource, element } as unknown as Parameters<typeof validateOutput>[0]);
  if (outcome._tag === 'Right') return [];
  return outcome.left
    .map(({ path = [], message }) => `${path.join('.')}: ${message}`)
    .filter((complaint) => text !== '' || !complaint.includes('media type'));
}
