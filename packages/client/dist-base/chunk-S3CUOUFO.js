// src/trace.ts
function createTrace(incoming) {
  const { traceId, sampled } = parseTraceparent(incoming) ?? { traceId: randomHex(16), sampled: "00" };
  return { traceId, traceparent: () => `00-${traceId}-${randomHex(8)}-${sampled}` };
}
function startSpan(source, traced, describe) {
  if (source === false || !traced && source?.startCall === void 0) return void 0;
  if (source === void 0) return { traceparent: createTrace().traceparent() };
  try {
    const span = source.startCall?.(describe()) ?? { traceparent: source.traceparent() };
    if (parseTraceparent(span.traceparent)) return quiet(span);
    return { ...quiet(span), traceparent: createTrace().traceparent() };
  } catch {
    return { traceparent: createTrace().traceparent() };
  }
}
function quiet(span) {
  const end = (outcome) => {
    try {
      span.end?.(outcome);
    } catch {
    }
  };
  return { traceparent: span.traceparent, end };
}
function parseTraceparent(value) {
  const [, version, id, parent, flags, rest] = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(
    typeof value === "string" ? value.trim() : ""
  ) ?? [];
  const valid = id !== void 0 && version !== "ff" && !(version === "00" && rest !== void 0) && /[^0]/.test(id) && /[^0]/.test(parent ?? "");
  const sampled = Number.parseInt(flags ?? "0", 16) % 2 === 1 ? "01" : "00";
  return valid ? { traceId: id, sampled } : void 0;
}
var unused = new Uint32Array(0);
function randomHex(length) {
  const count = length / 4;
  if (unused.length < count) unused = crypto.getRandomValues(new Uint32Array(192));
  let text = "";
  unused[count - 1] = (unused[count - 1] ?? 0) | 1;
  for (const number of unused.subarray(0, count)) text += number.toString(16).padStart(8, "0");
  unused = unused.subarray(count);
  return text;
}

export {
  createTrace,
  startSpan
};
