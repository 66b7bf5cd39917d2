import {
  retryAfterSeconds
} from "./chunk-J4TNYB6A.js";
import {
  ApiError,
  AuthenticationError,
  BadRequestError,
  InsufficientCreditError,
  InvalidRequestError,
  NotFoundError,
  PayloadTooLargeError,
  PermissionDeniedError,
  ServerError,
  TooManyRequestsError,
  UnsupportedMediaTypeError
} from "./chunk-KA2THIB5.js";

// src/api-error.ts
var classes = {
  400: BadRequestError,
  401: AuthenticationError,
  402: InsufficientCreditError,
  403: PermissionDeniedError,
  404: NotFoundError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  422: InvalidRequestError,
  429: TooManyRequestsError
};
var maximumCharacters = 300;
function shorten(text) {
  const plain = text.slice(0, 4e3).replace(/<(script|style)\b[^<]*/gi, " ").replace(/<[^<>]*>/g, " ").replace(/\s+/g, " ").trim();
  return plain.length > maximumCharacters ? `${plain.slice(0, maximumCharacters)}\u2026` : plain;
}
var maximumDepth = 100;
function isDeep(value, left = maximumDepth) {
  if (typeof value !== "object" || value === null) return false;
  return left === 0 || Object.values(value).some((child) => isDeep(child, left - 1));
}
function parseJson(text) {
  const value = JSON.parse(text);
  if (isDeep(value)) throw new SyntaxError(`the JSON is more than ${maximumDepth} levels deep`);
  return value;
}
function parseError(text) {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
function plainBody(body, redact) {
  if (typeof body === "string") return redact(body);
  return isDeep(body) || body === void 0 ? void 0 : parseError(redact(JSON.stringify(body)));
}
function createApiError(operationId, response, body, traceId) {
  const { status, headers } = response;
  const context = {
    status,
    operationId,
    headers,
    body: typeof body === "string" ? shorten(body) : body,
    issues: readIssues(body),
    traceId,
    retryAfterSeconds: retryAfterSeconds(headers)
  };
  const ErrorClass = classes[status] ?? (status >= 500 ? ServerError : ApiError);
  const said = explain(body) ?? "with an unexplained body";
  const asked = status === 404 && typeof body === "string" && URL.canParse(response.url) && new URL(response.url);
  const place = asked ? ` (from ${asked.origin}${asked.pathname})` : "";
  return new ErrorClass(`${operationId}: ${status} ${said}${place}`, context);
}
function readIssues(body) {
  const { detail, errors } = body ?? {};
  const list = [body, detail, errors].find(Array.isArray) ?? [];
  return list.filter(
    (entry) => typeof entry === "object" && entry !== null && ("msg" in entry || "loc" in entry)
  );
}
var tellingFields = ["message", "msg", "detail", "error_description", "error", "errors", "reason", "title"];
function explain(body, depth = 0) {
  if (typeof body === "string") return shorten(body) || void 0;
  if (typeof body !== "object" || body === null || depth > 4) return void 0;
  if (Array.isArray(body)) {
    return shorten(
      body.slice(0, 20).flatMap((entry) => explain(entry, depth + 1) ?? []).join("; ")
    ) || void 0;
  }
  const fields = new Map(Object.entries(body).map(([name, value]) => [name.toLowerCase(), value]));
  for (const name of tellingFields) {
    const said = explain(fields.get(name), depth + 1);
    if (said === void 0) continue;
    const place = [fields.get("loc") ?? []].flat().filter((step) => typeof step !== "object");
    return place.length > 0 ? `${place.join(".")}: ${said}` : said;
  }
  return void 0;
}

export {
  shorten,
  parseJson,
  parseError,
  plainBody,
  createApiError,
  explain
};
