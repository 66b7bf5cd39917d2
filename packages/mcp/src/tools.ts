import { McpServer, type ToolAnnotations } from '@modelcontextprotocol/server';
import { SpeechError } from '@speech-api/client';
import { checkRequest, explainRule } from '@speech-api/contract';
import { mediaTypes } from '@speech-api/types';
import { z } from 'zod';
import { searchDocs } from './docs.ts';
import { operationIds, readOperation } from './operation.ts';
import { type Speaker, speakRequest } from './speak.ts';

const reads = { readOnlyHint: true, openWorldHint: false };

const httpRequest = z.strictObject({
  method: z.string().describe('such as POST'),
  path: z.string().startsWith('/').describe('such as /v1/tts, with the query if there is one'),
  headers: z.record(z.string(), z.string()).default({}).describe('such as { "model": "s2-pro" }; no key'),
  body: z.unknown().optional().describe('the fields as JSON, whatever the content-type; binary ones as text'),
});

/** A server with all tools; servers of one process share the budget of their speaker. */
export function createServer(version: string, speaker: Speaker): McpServer {
  const server = new McpServer({ name: 'speech-mcp', version });
  add(
    'search_docs',
    'Searches the documentation of the speech API: guides, reference, errors, packages, commands.',
    z.strictObject({ query: z.string().max(400).describe('a few words') }),
    reads,
    ({ query }) => searchDocs(query),
  );
  add(
    'read_operation',
    'Returns one operation of the OpenAPI document as JSON, with every component that it uses.',
    z.strictObject({ operation: z.enum(operationIds) }),
    reads,
    ({ operation }) => readOperation(operation),
  );
  const checks = 'Checks an HTTP request to the speech API against the contract, without sending it.';
  add('check_request', checks, httpRequest, reads, check);
  add(
    'explain_finding',
    'Explains a rule of the contract: the sentence behind it, what keeps and what breaks it, how to fix it.',
    z.strictObject({ rule: z.string().max(100).describe('such as audio-sample-rate') }),
    reads,
    ({ rule }) => explainRule(rule),
  );
  add(
    'speak_to_file',
    'Speaks a text into a new audio file. The service bills it, up to the budget of this server.',
    speakRequest,
    { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    (request, signal) => speaker.speak(request, signal),
  );
  return server;

  function add<Input>(
    name: string,
    description: string,
    inputSchema: z.ZodType<Input>,
    annotations: ToolAnnotations,
    run: (input: Input, signal: AbortSignal) => string | Promise<string>,
  ): void {
    server.registerTool(name, { description, inputSchema, annotations }, async (input, { mcpReq }) => {
      try {
        return { content: [{ type: 'text', text: await run(input, mcpReq.signal) }] };
      } catch (error) {
        return { content: [{ type: 'text', text: describe(error) }], isError: true };
      }
    });
  }
}

async function check({ method, path, headers, body }: z.infer<typeof httpRequest>): Promise<string> {
  const findings = await checkRequest({
    method: method.toUpperCase(),
    url: new URL(path, 'http://service.invalid').href,
    headers: {
      ...(body !== undefined && { 'content-type': mediaTypes.json }),
      ...Object.fromEntries(new Headers(headers)),
      authorization: 'Bearer $SPEECH_API_KEY',
    },
    ...(body !== undefined && { body: new TextEncoder().encode(JSON.stringify(body)), decoded: body }),
  });
  const broken = findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`);
  return broken.join('\n') || 'The request keeps the contract.';
}

function describe(error: unknown): string {
  if (!SpeechError.isInstance(error)) return error instanceof Error ? error.message : String(error);
  return `${error.name}: ${error.message.replace(/\.$/, '')}. search_docs for "${error.name}" says what to do.`;
}
