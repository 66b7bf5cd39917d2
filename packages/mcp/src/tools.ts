import { McpServer, type ToolAnnotations } from '@modelcontextprotocol/server';
import { createSpeechClient, SpeechError } from '@speech-api/client';
import { explainRule } from '@speech-api/contract';
import { encodeRequest } from '@speech-api/msgpack';
import { createReceiver, Refusal } from '@speech-api/server';
import { type ListModelsQuery, mediaTypes } from '@speech-api/types';
import { z } from 'zod';
import { type BilledCalls, speakRequest, transcribeRequest } from './billed.ts';
import { searchDocs } from './docs.ts';
import { operationIds, readOperation } from './operation.ts';

const receiver = createReceiver();
const reads = { readOnlyHint: true, openWorldHint: false };
const bills = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true };

const asks = { readOnlyHint: true, openWorldHint: true };

const docsQuery = z.strictObject({ query: z.string().max(400).describe('a few words') });
const operation = z.strictObject({ operation: z.enum(operationIds) });
const finding = z.strictObject({ rule: z.string().max(100).describe('such as audio-sample-rate') });
const voiceFilters = z.strictObject({
  title: z.string().optional(),
  language: z.string().optional().describe('an ISO code such as en'),
  self: z.boolean().optional().describe('true for the voices of this key alone'),
  page_number: z.int().min(1).optional(),
});
const httpRequest = z.strictObject({
  method: z.string().describe('such as POST'),
  path: z.string().describe('such as /v1/tts, with the query if there is one'),
  headers: z.object({}).catchall(z.string()).default({}).describe('such as { "model": "s2-pro" }; no key'),
  body: z.looseObject({}).optional().describe('the fields; bytes as { "base64": "UklGRg==" }'),
});

/** A server with all tools; servers of one process share a budget. */
export function createServer(version: string, billed: BilledCalls): McpServer {
  const server = new McpServer({ name: 'speech-mcp', version });
  const docs = 'Searches the documentation of the speech API: guides, reference, errors, packages, commands.';
  add('search_docs', docs, docsQuery, reads, ({ query }) => searchDocs(query));
  const described =
    'Returns one operation of the OpenAPI document as JSON, with its components and without examples.';
  add('read_operation', described, operation, reads, (input) => readOperation(input.operation));
  const checks = 'Checks an HTTP request to the speech API as a server does, without sending it.';
  add('check_request', checks, httpRequest, reads, check);
  const explains =
    'Explains a rule that a finding names: what it rests on, what keeps and breaks it, how to fix it.';
  add('explain_finding', explains, finding, reads, ({ rule }) => explainRule(rule));
  const speaks =
    'Speaks a text into a new audio file. The service bills it, up to the budget of this server.';
  add('speak_to_file', speaks, speakRequest, bills, (request, signal) => billed.speak(request, signal));
  const transcribes =
    'Transcribes a recording of at most 20 MB. The service bills it, up to the budget of this server.';
  add('transcribe_file', transcribes, transcribeRequest, bills, (request, signal) =>
    billed.transcribe(request, signal),
  );
  const lists =
    'Lists saved voices: the id that speak_to_file takes as reference_id, the title and the languages.';
  add('list_voices', lists, voiceFilters, asks, listVoices);
  return server;

  function add<Input>(
    name: string,
    description: string,
    inputSchema: z.ZodType<Input>,
    annotations: ToolAnnotations,
    run: (input: Input, signal: AbortSignal) => string | Promise<string>,
  ): void {
    // Models write null for a field that they leave out.
    const schema = z.preprocess(withoutNulls, inputSchema);
    server.registerTool(
      name,
      { description, inputSchema: schema, annotations },
      async (input, { mcpReq }) => {
        try {
          return { content: [{ type: 'text', text: await run(input, mcpReq.signal) }] };
        } catch (error) {
          return { content: [{ type: 'text', text: describe(error) }], isError: true };
        }
      },
    );
  }
}

function withoutNulls(input: unknown): unknown {
  return Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== null));
}

async function listVoices(filters: z.infer<typeof voiceFilters>, signal: AbortSignal): Promise<string> {
  const { language, ...others } = filters;
  const query = { ...others, ...(language && { language: [language] }) } as ListModelsQuery;
  const { items, total } = await createSpeechClient().models.list(query, { signal });
  const lines = items.map(({ _id, title, languages = [] }) => `${_id}: ${title} (${languages.join(', ')})`);
  return [`${items.length} of ${total} voices`, ...lines].join('\n');
}

async function check({ method, path, headers, body }: z.infer<typeof httpRequest>): Promise<string> {
  const given = new Headers(headers);
  const encoded = body && encode(body, given.get('content-type') ?? mediaTypes.json);
  // The type comes with the body: that of a form has a boundary.
  if (encoded) given.delete('content-type');
  const address = new URL(path, 'http://service.invalid');
  const sent = new Request(address, {
    method: method.toUpperCase(),
    headers: given,
    ...(encoded && { body: encoded }),
  });
  const arrived = { method: sent.method, url: path, headers: Object.fromEntries(sent.headers) };
  try {
    await receiver.receive({ ...arrived, body: [await sent.bytes()] }, {});
    return 'The request keeps the contract.';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reasons = error.issues.length > 0 ? error.issues.map(({ msg }) => msg) : [error.message];
    return [`The mock and the sandbox refuse this request with ${error.status}:`, ...reasons].join('\n');
  }
}

function encode(body: object, type: string): Blob | FormData | URLSearchParams {
  // Case and parameters do not matter: Application/JSON; charset=utf-8.
  const [essence = ''] = type.toLowerCase().split(/\s*;/);
  const fields = JSON.parse(JSON.stringify(body), (_name, value) => {
    if (typeof value?.base64 !== 'string') return value;
    return essence === mediaTypes.json ? value.base64 : new Blob([Buffer.from(value.base64, 'base64')]);
  });
  if (essence === mediaTypes.msgpack) return new Blob([...encodeRequest(fields).parts], { type });
  const isMultipart = essence === mediaTypes.multipart;
  if (!isMultipart && essence !== mediaTypes.urlencoded) return new Blob([JSON.stringify(fields)], { type });
  const form = isMultipart ? new FormData() : new URLSearchParams();
  for (const name in fields) for (const value of [fields[name]].flat()) form.append(name, value);
  return form;
}

function describe(error: unknown): string {
  if (!SpeechError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  return `${error.name}: ${error.message.replace(/\.$/, '')}. search_docs for "${error.name}" says what to do.`;
}
