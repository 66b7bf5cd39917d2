import {
  createTrace
} from "./chunk-S3CUOUFO.js";
import {
  ApiError
} from "./chunk-KA2THIB5.js";
import {
  SpeechError
} from "./chunk-YFOGAYY6.js";

// src/opentelemetry.ts
var clientKind = 2;
var errorStatus = 2;
function openTelemetryTrace(api) {
  const tracer = () => api.trace.getTracer("@speech-api/client");
  return {
    traceparent() {
      const span = tracer().startSpan("speech-api");
      span.end();
      return traceparentOf(span);
    },
    startCall({ operationId, method, path, baseUrl }) {
      const { hostname, port, protocol } = new URL(baseUrl);
      const span = tracer().startSpan(`${method} ${path}`, {
        kind: clientKind,
        attributes: {
          "http.request.method": method,
          "url.template": path,
          "server.address": hostname,
          "server.port": Number(port) || (protocol === "https:" ? 443 : 80),
          "speech_api.operation": operationId
        }
      });
      return {
        traceparent: traceparentOf(span),
        end({ status, error }) {
          if (status !== void 0) span.setAttributes?.({ "http.response.status_code": status });
          const failed = error !== void 0 || status !== void 0 && status >= 400;
          if (failed) {
            const type = SpeechError.isInstance(error) && !ApiError.isInstance(error) ? error.code : String(status);
            span.setAttributes?.({ "error.type": type });
            span.setStatus?.({ code: errorStatus });
          }
          span.end();
        }
      };
    }
  };
}
function traceparentOf(span) {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const flags = (traceFlags & 1).toString(16).padStart(2, "0");
  const value = `00-${traceId}-${spanId}-${flags}`;
  const fresh = createTrace(value);
  return fresh.traceId === traceId ? value : fresh.traceparent();
}
export {
  openTelemetryTrace
};
