import {
  after,
  bodyOf,
  collect,
  foreignFields,
  isBinary,
  isBlob,
  iterate,
  limitOf,
  notAFile,
  refusePartial,
  sleep
} from "./chunk-DC56OQAU.js";
import {
  createApiError,
  explain,
  parseError,
  parseJson,
  plainBody,
  shorten
} from "./chunk-X6WY7WDV.js";
import {
  TrainingError
} from "./chunk-KA2THIB5.js";
import {
  AbortError,
  ProtocolError,
  RequestError,
  TimeoutError
} from "./chunk-YFOGAYY6.js";

// src/later.ts
import { encodeRequest } from "@speech-api/msgpack";

// src/core/unexpected.ts
var maximumErrorBytes = 64 * 1024;
var errorBodyTime = 5e3;
async function cutError(call, response) {
  const { text, complete } = await readText(call, response.clone());
  if (complete) return void 0;
  return createApiError(call.operationId, response, parseError(text), call.traceId);
}
async function readText(call, response) {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  let complete = true;
  const stop = () => {
    complete = false;
    reader?.cancel().catch(() => void 0);
  };
  const stopTimer = after(Math.min(errorBodyTime, call.timeouts.idle), stop);
  try {
    for (let length = 0; reader; ) {
      const { done, value } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      length += value.length;
      if (length >= maximumErrorBytes) stop();
    }
  } catch {
    if (call.failure) throw call.failure;
    complete = false;
  } finally {
    stopTimer();
  }
  return { text: call.transport.settings.redact(text), complete };
}
async function refuseMediaType(call, response, expected, found) {
  let said = "";
  if (/json|text/.test(found) && found !== "text/event-stream") {
    said = explain(parseError((await readText(call, response)).text)) ?? "";
  }
  const words = said && `; it says: ${said}`;
  throw call.protocolError(`expected ${expected}, but got ${found || "no media type"}${words}`, { response });
}
var maximumRedirects = 5;
function redirectTarget({ headers }, request, hops) {
  const location = headers.get("location") ?? "";
  const target = location && URL.canParse(location, request.url) ? new URL(location, request.url) : void 0;
  const stays = target?.origin === new URL(request.url).origin;
  if (stays && request.method === "GET" && hops < maximumRedirects) return target.href;
  const place = target ? ` to ${target.origin}` : "";
  return new Error(`the service redirects${place}, which is not followed; is baseUrl the right address?`);
}

// src/resources/operations.ts
import { limits, listModelsRanges, mediaTypes, requiredFields } from "@speech-api/types/constants";
var oneModel = (call, response) => readJson(call, response, voiceModelFields);
function listModels(filters, page_number) {
  return {
    method: "get",
    path: "/model",
    query: checkQuery(filters, page_number),
    async read(call, response) {
      const page = await readJson(call, response, { items: "[]" });
      for (const item of page.items) requireFields(call, response, item, voiceModelFields, page);
      return page;
    }
  };
}
function createModel(request, contentType) {
  refusePaths("voices", requireObject(request).voices);
  refusePaths("cover_image", request.cover_image);
  return {
    method: "post",
    path: "/model",
    body: request,
    contentType: contentType ?? mediaTypes.multipart,
    read: oneModel
  };
}
function getModel(id) {
  return {
    method: "get",
    path: "/model/{id}",
    pathParts: { id },
    read: oneModel
  };
}
function updateModel(id, changes, contentType = mediaTypes.json) {
  refusePaths("cover_image", requireObject(changes).cover_image);
  refuseUnsayable(changes, contentType);
  return {
    method: "patch",
    path: "/model/{id}",
    pathParts: { id },
    body: changes,
    contentType,
    read: drain
  };
}
function deleteModel(id) {
  return {
    method: "delete",
    path: "/model/{id}",
    pathParts: { id },
    read: drain
  };
}
function getApiCredit(userId) {
  return {
    method: "get",
    path: "/wallet/{user_id}/api-credit",
    pathParts: { user_id: userId },
    read: (call, response) => readJson(call, response, { credit: "string" })
  };
}
function getPackage(userId) {
  return {
    method: "get",
    path: "/wallet/{user_id}/package",
    pathParts: { user_id: userId },
    read: (call, response) => readJson(call, response, packageFields)
  };
}
function createTranscription(request, contentType = mediaTypes.multipart) {
  const reason = reasonAgainst(request?.audio);
  if (reason) throw new RequestError(`audio ${reason}`, { field: "audio" });
  return {
    method: "post",
    path: "/v1/asr",
    traced: true,
    body: request,
    contentType,
    async read(call, response) {
      const transcription = await readJson(call, response, { text: "string" });
      if (request.ignore_timestamps === false || transcription.segments !== void 0) {
        requireFields(call, response, transcription, { segments: "[]" });
        for (const segment of transcription.segments) {
          requireFields(call, response, segment, segmentFields, transcription);
        }
      }
      return transcription;
    }
  };
}
var segmentFields = { text: "string", start: "number", end: "number" };
function reasonAgainst(audio) {
  if (Array.isArray(audio)) return "must be one file; send each recording in a call of its own";
  if (typeof audio === "string") return notAFile;
  if (!isBinary(audio)) {
    return "must be bytes, a Blob or a File; a stream becomes one with await readAudio(stream) of @speech-api/client/node";
  }
  const size = "size" in audio ? audio.size : audio.byteLength;
  const maximum = limits.transcriptionFileBytesSent;
  if (size === 0) return "is empty";
  return size > maximum ? `has ${size} bytes; the limit is ${maximum}` : void 0;
}
function requireObject(value) {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new RequestError("the request must be an object of fields", { field: "body" });
}
function checkQuery(filters, page_number) {
  if (typeof filters !== "object" || filters === null) {
    throw new RequestError("the filters must be an object", { field: "filters" });
  }
  const query = { ...filters, page_number };
  for (const [field, value] of Object.entries(query)) {
    const range = listModelsRanges[field];
    if (range && value !== void 0 && !(Number.isInteger(value) && Number(value) >= range.minimum)) {
      throw new RequestError(`${field} must be a whole number from ${range.minimum}`, { field });
    }
    const isList = Array.isArray(value);
    if (value === null || isList && value.some((single) => single === null || single === void 0)) {
      throw new RequestError(
        `${field} cannot be ${isList ? "a list with null or undefined" : "null"}; leave it out`,
        {
          field
        }
      );
    }
    for (const single of [value].flat()) {
      if (typeof single === "object" && single !== null) {
        throw new RequestError(`${field} must be a text, a number, true or false, or a list of texts`, {
          field
        });
      }
    }
  }
  return query;
}
function refusePaths(field, files) {
  if ([files].flat().some((file) => typeof file === "string")) {
    throw new RequestError(`${field} ${notAFile}`, { field });
  }
}
function refuseUnsayable(changes, contentType) {
  if (contentType === mediaTypes.json || contentType === mediaTypes.msgpack) return;
  const said = Object.entries(changes).filter(([, value]) => value !== null && value !== void 0);
  const [field = said.length === 0 ? "body" : void 0] = said.find(([, value]) => Array.isArray(value) && value.length === 0) ?? [];
  if (field === void 0) return;
  throw new RequestError(`${field} is empty, which a form cannot say; send JSON or MessagePack`, { field });
}
async function waitUntilTrained(get, { signal, deadline = 6e5, minimumDelay = 1e3, maximumDelay = 15e3 }) {
  const controller = new AbortController();
  const late = new TimeoutError("training", deadline);
  const stop = after(deadline, () => controller.abort(late));
  const onAbort = () => controller.abort(new AbortError(signal?.reason));
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort);
  try {
    for (let delay = minimumDelay; ; delay *= 1.5) {
      const model = await get(controller.signal);
      if (model.state === "trained") return model;
      if (typeof model.state !== "string") {
        throw new ProtocolError("getModel: the answer has no state that is a string", { body: model });
      }
      if (model.state === "failed") throw new TrainingError(model);
      await sleep(Math.min(delay, maximumDelay) * (0.9 + Math.random() / 10), controller.signal);
    }
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    stop();
    signal?.removeEventListener("abort", onAbort);
  }
}
var maximumJsonBytes = 32 * 1024 * 1024;
var present = (names) => Object.fromEntries(names.map((name) => [name, "any"]));
var voiceModelFields = { ...present(requiredFields.VoiceModel), _id: "string" };
var packageFields = { ...present(requiredFields.Package), balance: "number" };
async function readJson(call, response, expected) {
  refusePartial(call, response);
  const text = new TextDecoder().decode(await readAll(call, response));
  let value;
  try {
    value = parseJson(text);
  } catch {
    throw call.protocolError(`expected JSON, but got: ${shorten(text) || "an empty body"}`, { response });
  }
  requireFields(call, response, value, expected);
  return value;
}
function requireFields(call, response, value, expected, body = value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const found = shorten(JSON.stringify(value) ?? "");
    throw call.protocolError(`expected a JSON object, but got: ${found}`, { response, body });
  }
  for (const [name, type] of Object.entries(expected)) {
    const field = value[name];
    if (type === "[]" ? Array.isArray(field) : type === "any" ? field !== void 0 : typeof field === type) {
      continue;
    }
    const wanted = type === "any" ? "" : ` that is a ${type === "[]" ? "list" : type}`;
    const said = explain(value);
    const found = said === void 0 ? "" : `; it says: ${said}`;
    throw call.protocolError(`the answer has no ${name}${wanted}${found}`, { response, body });
  }
}
function readAll(call, response) {
  const body = bodyOf(call, response);
  const pieces = iterate(
    () => body.read(),
    () => body.leave()
  );
  return collect(call, pieces, maximumJsonBytes);
}
async function drain(call, response) {
  await readAll(call, response);
}

// src/generated/rules.ts
var rules = [
  // Section 2.3.
  {
    id: "sample-rate-of-wav-and-pcm",
    field: "sample_rate",
    check: (request, model) => {
      if (isOneOf(request.format ?? "mp3", ["wav", "pcm"]) && request.sample_rate != null && !isOneOf(request.sample_rate, [8e3, 16e3, 24e3, 32e3, 44100]))
        return "sample_rate " + inWords(request.sample_rate) + " is not available for wav and pcm; use 8000, 16000, 24000, 32000 or 44100, or omit it for 44100";
      return void 0;
    }
  },
  // Section 2.3.
  {
    id: "sample-rate-of-mp3",
    field: "sample_rate",
    check: (request, model) => {
      if (isOneOf(request.format ?? "mp3", ["mp3"]) && request.sample_rate != null && !isOneOf(request.sample_rate, [32e3, 44100]))
        return "sample_rate " + inWords(request.sample_rate) + " is not available for mp3; use 32000 or 44100, or omit it for 44100";
      return void 0;
    }
  },
  // Section 2.3.
  {
    id: "sample-rate-of-opus",
    field: "sample_rate",
    check: (request, model) => {
      if (isOneOf(request.format ?? "mp3", ["opus"]) && request.sample_rate != null && !isOneOf(request.sample_rate, [48e3]))
        return "sample_rate " + inWords(request.sample_rate) + " is not available for opus; use 48000, or omit it";
      return void 0;
    }
  },
  // Section 2.1.
  {
    id: "dialogue-not-on-s1",
    field: "model",
    check: (request, model) => {
      if (Array.isArray(request.reference_id) && isOneOf(model, ["s1"]))
        return "the model " + model + " cannot speak a dialogue (reference_id as an array); use s2-pro";
      return void 0;
    }
  },
  // Section 2.1.
  {
    id: "speaker-tags-in-range",
    field: "text",
    check: (request, model) => {
      if (Array.isArray(request.reference_id) && request.text != null && !(highestSpeaker(request.text) < lengthOf(request.reference_id)))
        return "text has a tag <|speaker:N|> without a speaker; N counts from 0 and must be below the number of entries in reference_id";
      return void 0;
    }
  },
  // Section 2.1.
  {
    id: "one-reference-list-a-speaker",
    field: "references",
    check: (request, model) => {
      if (isArrayOfArrays(request.references) && request.references != null && !(lengthOf(request.references) === lengthOf(request.reference_id)))
        return "references and reference_id have different lengths; a zero-shot dialogue needs one inner array of references per entry of reference_id";
      return void 0;
    }
  }
];
function isOneOf(value, values) {
  return values.includes(value);
}
function isArrayOfArrays(value) {
  return Array.isArray(value) && value.every(Array.isArray);
}
function lengthOf(value) {
  return Array.isArray(value) ? value.length : 0;
}
function highestSpeaker(text) {
  let highest = -1;
  for (const [, digits] of String(text).matchAll(/<\|speaker:(\d+)\|>/g))
    highest = Math.max(highest, Number(digits));
  return highest;
}
function inWords(value) {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

// src/resources/speech-check.ts
function requireSpeech(request, operationId, model) {
  if (typeof request !== "object" || request === null || Array.isArray(request)) {
    throw new RequestError("the request must be an object with a text", { field: "body" });
  }
  const foreign = Object.entries(foreignFields).filter(([name]) => name in request);
  for (const [field] of foreign) {
    const words = foreign.map(([name, meant]) => `unknown field ${name}; use ${meant}`);
    throw new RequestError(words.join(", "), { field });
  }
  if (typeof request.text !== "string") {
    const words = request.text === void 0 ? "is missing; pass" : "must be a string:";
    throw new RequestError(`text ${words} what is to be spoken`, { field: "text" });
  }
  if (request.reference_id === "") {
    throw new RequestError("reference_id is empty; leave it out for the voice of the service", {
      field: "reference_id"
    });
  }
  const samples = [request.references ?? []].flat(2);
  const path = samples.find((sample) => typeof sample?.audio === "string");
  if (path) throw new RequestError(`audio of a reference ${notAFile}`, { field: "references" });
  for (const { id, field, applies_to, check } of rules) {
    if (applies_to?.includes(operationId) === false) continue;
    const message = check({ ...request }, model);
    if (message !== void 0) throw new RequestError(message, { field, rule: id });
  }
}

// src/resources/speech-stream.ts
import { readSpeechEvents, Timeline } from "@speech-api/streaming";
var SpeechStream = class {
  /** The format that was asked for. */
  format;
  /** The trace id of the call: 32 hex digits. */
  traceId;
  /** When each word is spoken. Filled while the stream is read, and readable at any time. */
  timeline = new Timeline();
  #context;
  #body;
  #taken = false;
  constructor(context) {
    this.#context = context;
    this.#body = bodyOf(context.call, context.response);
    context.call.isAlive = createLineWatch();
    this.format = context.format;
    this.traceId = context.call.traceId;
  }
  /** The headers of the answer. */
  get headers() {
    return this.#context.response.headers;
  }
  /**
   * The events in order; the timeline has taken in each one before it is handed over. Leaving the loop ends the call.
   *
   * @throws `ProtocolError` for a malformed event or a stream without any audio, `ConnectionError` when the
   * connection breaks, `TimeoutError` when it hangs, `AbortError` by the caller's signal, `TypeError` when it was
   * read before. Audio that came before is still good.
   */
  [Symbol.asyncIterator]() {
    if (this.#taken) throw new TypeError("this stream is being read or has been read; it can be read once");
    this.#taken = true;
    return this.#read();
  }
  /**
   * Reads the stream to its end and holds all of the audio in memory.
   *
   * @throws what iterating throws, and `ProtocolError` for too much of it.
   */
  async collect(options) {
    const audio = await collect(this.#context.call, audioOf(this), limitOf(options));
    return { audio, timeline: this.timeline };
  }
  /** Ends the call and closes its connection. Harmless when the stream was read to its end. */
  cancel() {
    this.#taken = true;
    this.#context.call.fail(new AbortError("cancel() was called"));
    this.#body.leave();
  }
  /** Cancels the unread rest at the end of an `await using` block. */
  async [Symbol.asyncDispose]() {
    this.cancel();
  }
  #read() {
    const { call, response, speakable } = this.#context;
    const body = this.#body;
    const pieces = iterate(
      () => body.read(),
      () => body.leave()
    );
    const source = readSpeechEvents(pieces, { mapError: (error) => call.readError(error) });
    let silent = speakable;
    const read = async () => {
      try {
        const { value: event } = await source.next();
        if (event === void 0) return void 0;
        if (event.type === "audio-chunk" && event.audio.length > 0) silent = false;
        if (event.type === "end" && silent)
          throw call.protocolError("the stream holds no audio", { response });
        this.timeline.apply(event);
        if (event.type === "end") body.leave();
        return event;
      } catch (error) {
        throw call.readError(error);
      }
    };
    return iterate(read, () => void source.return());
  }
};
async function* audioOf(events) {
  for await (const event of events) if (event.type === "audio-chunk") yield event.audio;
}
var lineFeed = 10;
var carriageReturn = 13;
var colon = 58;
function createLineWatch() {
  let line = "start";
  return (piece) => {
    let alive = line === "field";
    for (let index = 0; index < piece.length && !alive; index += 1) {
      const byte = piece[index];
      if (byte === lineFeed || byte === carriageReturn) line = "start";
      else if (line === "start") line = byte === colon ? "comment" : "field";
      alive = line === "field";
    }
    const lastEnd = Math.max(piece.lastIndexOf(lineFeed), piece.lastIndexOf(carriageReturn));
    if (lastEnd === piece.length - 1) line = "start";
    else if (lastEnd >= 0) line = piece[lastEnd + 1] === colon ? "comment" : "field";
    return alive;
  };
}

// src/send-binary.ts
async function requireReadable(value, path = []) {
  if (isBlob(value)) {
    try {
      await value.slice(0, 1).arrayBuffer();
    } catch (cause) {
      const field = path.join(".");
      const file = "name" in value ? `the file ${value.name}` : "a Blob";
      throw new RequestError(
        `${field} cannot be read: ${file} was changed, moved or deleted after it was opened; open it again`,
        { field, cause }
      );
    }
  } else if (typeof value === "object" && value !== null && !isBinary(value)) {
    for (const [name, child] of Object.entries(value)) await requireReadable(child, [...path, name]);
  }
}
var pieceBytes = 256 * 1024;
function streamParts(parts, byteLength) {
  const pieces = readParts(parts);
  let left = byteLength;
  return new ReadableStream(
    {
      async pull(controller) {
        const { value } = await pieces.next();
        if (value) controller.enqueue(value);
        left -= value?.length ?? left;
        if (left <= 0) controller.close();
      },
      async cancel() {
        await pieces.return();
      }
    },
    { highWaterMark: 0 }
  );
}
async function* readParts(parts) {
  for (const part of parts) {
    if (part instanceof Uint8Array) {
      for (let begin = 0; begin < part.length; begin += pieceBytes) {
        yield part.subarray(begin, begin + pieceBytes);
      }
    } else yield* part.stream();
  }
}

// src/short-clip.ts
function hasSound(clip, format) {
  if (format === "wav") return hasWavSamples(clip);
  if (format === "opus") return hasOggAudio(clip);
  return format === "mp3" ? hasMp3Frames(clip) : clip.length > 0;
}
function hasWavSamples(clip) {
  const view = new DataView(clip.buffer);
  for (let chunk = 12; chunk + 8 < clip.length; ) {
    if (view.getUint32(chunk) === 1684108385) return true;
    const size = view.getUint32(chunk + 4, true);
    chunk += 8 + size + size % 2;
  }
  return false;
}
function hasOggAudio(clip) {
  const view = new DataView(clip.buffer);
  for (let page = 0; page + 27 <= clip.length && view.getUint32(page) === 1332176723; ) {
    const segments = clip.subarray(page + 27, page + 27 + (clip[page + 26] ?? 0));
    const bytes = segments.reduce((sum, segment) => sum + segment, 0);
    if (bytes > 0 && view.getBigUint64(page + 6, true) !== 0n) return true;
    page += 27 + segments.length + bytes;
  }
  return false;
}
var minimumMp3Frames = 3;
function hasMp3Frames(clip) {
  let version;
  let frames = 0;
  for (let index = 0; index + 3 < clip.length; index += 1) {
    const [second = 0, third = 0] = clip.subarray(index + 1, index + 3);
    if (clip[index] !== 255 || (second & 230) !== 226 || second !== (version ?? second)) continue;
    if (third >> 4 === 0 || third >> 4 === 15 || (third & 12) === 12) continue;
    version = second;
    frames += 1;
    index += 3;
  }
  const text = String.fromCharCode(...clip.subarray(0, 1024));
  return frames - (/Xing|Info|VBRI/.test(text) ? 1 : 0) >= minimumMp3Frames;
}
export {
  SpeechStream,
  createApiError,
  createModel,
  createTranscription,
  cutError,
  deleteModel,
  encodeRequest,
  getApiCredit,
  getModel,
  getPackage,
  hasSound,
  listModels,
  plainBody,
  redirectTarget,
  refuseMediaType,
  requireReadable,
  requireSpeech,
  streamParts,
  updateModel,
  waitUntilTrained
};
