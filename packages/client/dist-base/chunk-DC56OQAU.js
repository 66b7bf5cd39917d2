import {
  RequestError
} from "./chunk-YFOGAYY6.js";

// src/request-check.ts
function isDialogue(request) {
  return Array.isArray(request.reference_id);
}
var foreignFields = {
  input: "text",
  voice: "reference_id",
  voice_id: "reference_id",
  response_format: "format",
  speed: "prosody.speed",
  model: "the option model, in the second argument"
};

// src/copy.ts
var notAFile = "is a text; read the file first and pass its bytes, a Blob or a File (in Node: await openAudioFile(path) of @speech-api/client/node)";
function copyOf(given) {
  return copyAt({ value: given });
}
function copyAt(place) {
  const { value } = place;
  if (value === null || value === void 0 || typeof value === "boolean") return value;
  if (typeof value === "string") {
    refuseIf(/\p{Surrogate}/u.test(value), place, "holds half a character");
    return value;
  }
  if (typeof value !== "object") {
    refuseIf(!Number.isFinite(value), place, `cannot be ${describe(value)}`);
    return value;
  }
  if (isBinary(value)) return ofThisRealm(value);
  for (let outer = place.within; outer; outer = outer.within) {
    refuseIf(outer.value === value, place, "contains itself");
  }
  refuseIf(
    Symbol.asyncIterator in value || "getReader" in value,
    place,
    "cannot be a stream; read it to its end first (in Node: await readAudio(stream) of @speech-api/client/node)"
  );
  const kind = kindOf(value);
  const instead = kind === "Promise" ? "; await it first" : "";
  refuseIf(kind !== "Object" && kind !== "Array", place, `cannot be a ${kind}${instead}`);
  if (Array.isArray(value)) return value.map((child, name) => copyAt({ value: child, name, within: place }));
  const fields = Object.entries(value);
  for (const field of fields) field[1] = copyAt({ value: field[1], name: field[0], within: place });
  return Object.fromEntries(fields);
}
function holdsBinary(value) {
  if (typeof value !== "object" || value === null) return false;
  return isBinary(value) || Object.values(value).some(holdsBinary);
}
function kindOf(value) {
  return Object.prototype.toString.call(value).slice(8, -1);
}
var isBlob = (value) => ["Blob", "File"].includes(kindOf(value));
function isBinary(value) {
  return ArrayBuffer.isView(value) || kindOf(value) === "ArrayBuffer" || isBlob(value);
}
function ofThisRealm(value) {
  const isOwn = value instanceof Uint8Array || value instanceof ArrayBuffer;
  if (isOwn || isBlob(value)) return value;
  const { buffer = value, byteOffset = 0, byteLength } = value;
  return new Uint8Array(buffer, byteOffset, byteLength);
}
function refuseIf(wrong, place, reason) {
  if (!wrong) return;
  let field = "";
  for (let at = place; at?.within; at = at.within) field = `${at.name}.${field}`;
  field = field.slice(0, -1) || "body";
  throw new RequestError(`${field} ${reason}`, { field });
}
function describe(value) {
  return typeof value === "number" ? String(value) : `a ${typeof value}`;
}

// src/core/timer.ts
var longestTimer = 2 ** 31 - 1;
function after(milliseconds, act) {
  let timer;
  const start = (left) => {
    timer = setTimeout(
      () => left > longestTimer ? start(left - longestTimer) : act(),
      Math.min(left, longestTimer)
    );
  };
  if (milliseconds !== Number.POSITIVE_INFINITY) start(milliseconds);
  return () => clearTimeout(timer);
}
function sleep(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      stop();
      reject(signal.reason);
    };
    const stop = after(milliseconds, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

// src/core/body.ts
function guarded(call, response) {
  const { status, statusText, headers, url } = response;
  let stream = null;
  if (response.body && status !== 204 && status !== 205) {
    if (response.bodyUsed || response.body.locked) throw readElsewhere(call, response);
    stream = new ReadableStream(new Guard(call, response, response.body), { highWaterMark: 0 });
  } else {
    cancelBody(response);
    call.finish();
  }
  const shownText = /^[\t -~]*$/.test(statusText) ? statusText : "";
  const made = new Response(stream, { status, statusText: shownText, headers });
  return Object.defineProperty(made, "url", { value: url });
}
var Guard = class {
  #call;
  #reader;
  // Kept: the abort of a signal does not reach an answer of Node that was collected.
  #response;
  #phase = "firstByte";
  #waited = 0;
  constructor(call, response, body) {
    this.#call = call;
    this.#response = response;
    this.#reader = body.getReader();
    call.transport.forgotten.register(this, call, call);
  }
  async pull(controller) {
    const call = this.#call;
    for (; ; ) {
      const { done, value } = await this.#read(controller);
      if (done) {
        call.finish();
        return controller.close();
      }
      if (kindOf(value) !== "Uint8Array") {
        throw call.protocolError("the body holds no bytes", { response: this.#response });
      }
      if (value.length === 0) continue;
      if (call.isAlive?.(value) !== false) {
        this.#waited = 0;
        this.#phase = "idle";
      }
      return controller.enqueue(value);
    }
  }
  cancel() {
    this.#cancelReader();
    this.#call.abandon();
  }
  async #read(controller) {
    const call = this.#call;
    if (call.failure) throw call.failure;
    call.interrupt = (failure) => {
      controller.error(failure);
      this.#cancelReader();
    };
    const started = Date.now();
    const stop = call.startTimer(this.#phase, this.#waited);
    try {
      return await this.#reader.read();
    } catch (error) {
      throw call.end(error);
    } finally {
      stop();
      call.interrupt = void 0;
      this.#waited += Date.now() - started;
    }
  }
  #cancelReader() {
    this.#reader.cancel().catch(() => void 0);
  }
};
function bodyOf(call, response) {
  let reader;
  return {
    async read() {
      if (!reader) {
        if (response.bodyUsed || response.body?.locked) throw readElsewhere(call, response);
        reader = response.body?.getReader();
      }
      try {
        const { value } = await reader?.read() ?? {};
        if (call.failure) throw call.failure;
        if (value === void 0) call.finish();
        return value;
      } catch (error) {
        throw call.end(error);
      }
    },
    leave() {
      if (reader) reader.cancel().catch(() => void 0);
      else cancelBody(response);
      call.abandon();
    }
  };
}
function readElsewhere(call, response) {
  return call.protocolError("the body of the answer was read elsewhere", { response });
}
function cancelBody(response) {
  response.body?.cancel().catch(() => void 0);
}
function refusePartial(call, response) {
  if (response.status === 206)
    throw call.protocolError("the service answered with a part of a body", { response });
}
function limitOf(options = {}) {
  const { maximumBytes = 2 ** 30, ...others } = Object(options);
  const isRight = kindOf(options) === "Object" && Object.keys(others).length === 0 && maximumBytes > 0;
  if (isRight && typeof maximumBytes === "number") return maximumBytes;
  throw new RequestError("the options must be { maximumBytes } with a number above 0", {
    field: "maximumBytes"
  });
}
async function collect(call, pieces, maximumBytes) {
  const found = [];
  let length = 0;
  for await (const piece of pieces) {
    found.push(piece);
    length += piece.length;
    if (length > maximumBytes) throw call.protocolError(`the answer is larger than ${maximumBytes} bytes`);
  }
  return joinBytes(found, length);
}
function joinBytes(pieces, length) {
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const piece of pieces) {
    joined.set(piece, offset);
    offset += piece.length;
  }
  return joined;
}
function iterate(read, leave) {
  let left = false;
  const end = { done: true, value: void 0 };
  return {
    async next() {
      if (left) return end;
      try {
        const value = await read();
        if (value !== void 0 && !left) return { done: false, value };
        left = true;
        return end;
      } catch (error) {
        if (left) return end;
        throw error;
      }
    },
    async return() {
      left = true;
      leave();
      return end;
    },
    [Symbol.asyncIterator]() {
      return this;
    }
  };
}
function streamOf(open) {
  let pieces;
  return new ReadableStream(
    {
      async pull(controller) {
        pieces ??= open();
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value);
        try {
          controller.close();
        } catch {
        }
      },
      async cancel() {
        await (pieces ?? open()).return?.();
      }
    },
    { highWaterMark: 0 }
  );
}

export {
  notAFile,
  copyOf,
  holdsBinary,
  kindOf,
  isBlob,
  isBinary,
  after,
  sleep,
  guarded,
  bodyOf,
  cancelBody,
  refusePartial,
  limitOf,
  collect,
  joinBytes,
  iterate,
  streamOf,
  isDialogue,
  foreignFields
};
