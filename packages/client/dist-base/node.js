import {
  readAudio,
  requireStream
} from "./chunk-XEBRXCNJ.js";
import {
  RequestError
} from "./chunk-YFOGAYY6.js";

// src/node.ts
import { randomUUID } from "node:crypto";
import { openAsBlob } from "node:fs";
import { open, readlink, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { readWavHeader, wavSizeFixes } from "@speech-api/audio";
async function openAudioFile(path) {
  const found = await stat(path);
  if (!found.isFile()) {
    const instead = found.isDirectory() ? "" : "; readAudio(createReadStream(path)) reads pipes and devices";
    throw new RequestError(`${path} is not a file${found.isDirectory() ? ", but a folder" : ""}${instead}`, {
      field: "path"
    });
  }
  return new File([await openAsBlob(path)], basename(path));
}
var headerBytes = 64 * 1024;
async function saveTo(path, audio) {
  if (typeof path !== "string") throw new TypeError("path must be a text; the audio is the second argument");
  requireStream("audio", audio);
  const found = await stat(path).catch(() => void 0);
  const isThrough = found !== void 0 && !found.isFile();
  const target = await targetOf(path);
  const partial = `${target}.${randomUUID()}.partial`;
  try {
    const file = await (isThrough ? open(path, "w") : open(partial, "wx+"));
    let length = 0;
    try {
      for await (const item of audio) {
        const piece = item instanceof Uint8Array ? item : item.audio;
        if (piece === void 0) continue;
        await file.writeFile(piece);
        length += piece.length;
      }
      if (isThrough) return length;
      if (found) await file.chmod(found.mode & 511);
      if (audio.head !== void 0) await file.write(audio.head, 0, audio.head.length, 0);
      await writeTrueSizes(file, length, audio.format);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, target);
    return length;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}
async function targetOf(path) {
  const link = await readlink(path).catch(() => void 0);
  return link === void 0 ? path : targetOf(resolve(dirname(path), link));
}
async function writeTrueSizes(file, length, format) {
  const head = new Uint8Array(Math.min(length, headerBytes));
  await file.read(head, 0, head.length, 0);
  const isRiff = new TextDecoder().decode(head.subarray(0, 4)) === "RIFF";
  if ((format ?? (isRiff ? "wav" : void 0)) !== "wav") return;
  const header = readWavHeader(head);
  if (!header) return;
  for (const { position, bytes } of wavSizeFixes(header, length)) {
    await file.write(bytes, 0, bytes.length, position);
  }
}
export {
  openAudioFile,
  readAudio,
  saveTo
};
