import { ApiError } from './index.js';
import '@speech-api/types';

/**
 * A foreign text made fit for an error message: markup and repeated white space removed, cut to 300
 * characters. The text stays a stranger's: show it, never act on it.
 */
declare function shorten(text: string): string;
/** A JSON text as its value. @throws `SyntaxError` for a text that is not JSON or is too deep. */
declare function parseJson(text: string): unknown;
/** The body of an error: parsed where it is JSON, else its text. */
declare function parseError(text: string): unknown;
/** The body of an error as openapi-fetch read it, without the key in it. */
declare function plainBody(body: unknown, redact: (text: string) => string): unknown;
/**
 * The error for a response that is not a success.
 *
 * The body is read by its shape at every status: services differ in which of the documented bodies they
 * send where, and a gateway in between may answer plain text, HTML or nothing.
 */
declare function createApiError(operationId: string, response: Pick<Response, 'status' | 'headers' | 'url'>, body: unknown, traceId: string | undefined): ApiError;
/** The message in an error body, in the words of its sender; undefined if there is none. */
declare function explain(body: unknown, depth?: number): string | undefined;

export { createApiError, explain, parseError, parseJson, plainBody, shorten };
