// src/core/retry.ts
import { headerNames } from "@speech-api/types/constants";
function isRetryableStatus(status) {
  return status === 408 || status === 429 || status >= 500;
}
function retryDelay(options, method, retriesDone, askedSeconds, random = Math.random) {
  if (retriesDone >= options.retries || !options.methods.includes(method)) return void 0;
  if (askedSeconds !== void 0) {
    const asked = askedSeconds * 1e3;
    return asked <= options.maximumDelay ? asked : void 0;
  }
  return random() * Math.min(options.maximumDelay, options.minimumDelay * 2 ** retriesDone);
}
function retryAfterSeconds(headers, now = Date.now()) {
  const value = headers.get(headerNames.retryAfter)?.trim() ?? "";
  const date = /^[a-z]{3}/i.test(value) ? (Date.parse(value) - now) / 1e3 : Number.NaN;
  const seconds = /^\d+(\.\d+)?$/.test(value) ? Number(value) : date;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : void 0;
}

export {
  isRetryableStatus,
  retryDelay,
  retryAfterSeconds
};
