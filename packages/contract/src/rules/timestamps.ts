import { chapter, type Problem, present, unless, unlessEqual } from '../problem.ts';
import { asObject, isObject } from '../specification/document.ts';
import { show } from '../specification/field-violations.ts';
import { type AskedAudio, factsOf, type JudgedAudio } from '../subjects/judged-audio.ts';
import type { Reading } from '../subjects/reading.ts';
import { beyond, disorderOf, type TimedAlignment, wholeSnapshots } from '../subjects/timestamps.ts';

export const timestampChapter = chapter(({ timestamps }: Reading) => present(timestamps), {
  'one-payload-an-event': ({ raw, isWhole }) => {
    const broken = raw.events.flatMap(({ index, name, dataLines, lines, payload }): readonly Problem[] => {
      const where = `event ${index}`;
      if (dataLines.length !== 1) {
        const message = `Event ${index} has ${dataLines.length} data lines.`;
        return unlessEqual(dataLines.length, 1, { message, where });
      }
      if (name !== 'message') {
        const message = `Event ${index} is called ${JSON.stringify(name)}, not message.`;
        return unlessEqual(name, 'message', { message, where });
      }
      if (!lines.some((line) => line.startsWith('data: ')))
        return [{ message: `Event ${index} has no space after "data:".`, where }];
      if (!('value' in payload))
        return [{ message: `The data of event ${index} is not a valid payload: ${payload.problem}.`, where }];
      return isObject(payload.value)
        ? []
        : [{ message: `The data of event ${index} is not an object.`, where, actual: show(payload.value) }];
    });
    const loose: Problem[] = [
      ...unless(raw.isUtf8, { message: 'The stream is not UTF-8.' }),
      ...unless(raw.rest.trim() === '' || !isWhole, {
        message: 'The body ends inside an event, without a blank line after it.',
        actual: raw.rest.slice(0, 60),
      }),
    ];
    return [...broken, ...loose];
  },

  'every-event-carries-audio': ({ events }) =>
    events.flatMap(({ index, base64, audio }) => {
      // A missing or non-string field is reported by the field rules.
      if (base64 === undefined) return [];
      const where = `event ${index} /audio_base64`;
      if (audio === undefined)
        return [{ message: `The audio of event ${index} is not base64 (standard alphabet, padded).`, where }];
      return unless(audio.length > 0, { message: `Event ${index} carries no audio.`, where });
    }),

  'chunks-join-to-the-audio': ({ audio, asked, events, isWhole }) => {
    if (audio === undefined || !isWhole || asked === undefined) return undefined;
    const begun = events.find(({ audio: chunk }, index) => index > 0 && startsAFile(chunk));
    if (begun !== undefined && 'facts' in audio.inspected) {
      const message = `A new wav file starts in event ${begun.index}.`;
      return [{ message, where: `event ${begun.index} /audio_base64` }];
    }
    return joinedFlaws(audio, asked);
  },

  'offset-belongs-to-the-chunk': ({ events }) => {
    const offsets = new Map<number, number>();
    return events.flatMap(({ index, chunkSeq, offset }) => {
      if (chunkSeq === undefined || offset === undefined) return [];
      const first = offsets.get(chunkSeq);
      offsets.set(chunkSeq, first ?? offset);
      const message = `Event ${index} puts chunk ${chunkSeq} at ${offset} seconds; it was at ${first} before.`;
      return unlessEqual(offset, first ?? offset, {
        message,
        where: `event ${index} /chunk_audio_offset_sec`,
      });
    });
  },

  'body-ends-cleanly': ({ answer }) => {
    const { ended } = answer.exchange.response;
    if (ended === 'unknown') return undefined;
    const how = ended === 'cut' ? 'breaks off' : 'does not end';
    const { length } = answer.body;
    const message = `The stream ${how} after ${length} bytes.`;
    return unless(ended === 'complete', { message, where: `byte ${length}` });
  },

  'snapshot-covers-the-last-one': ({ events }) => {
    const latest = new Map<number, TimedAlignment>();
    return events.flatMap(({ index, chunkSeq, alignment }) => {
      if (chunkSeq === undefined || !alignment) return [];
      const before = latest.get(chunkSeq);
      latest.set(chunkSeq, alignment);
      if (before === undefined) return [];
      const isCovered =
        alignment.segments.length >= before.segments.length && alignment.duration >= before.duration;
      const message = `The snapshot of event ${index} covers ${alignment.duration} seconds (segments: ${alignment.segments.length}); the one before it covered ${before.duration} (segments: ${before.segments.length}).`;
      return unless(isCovered, { message, where: `event ${index} /alignment` });
    });
  },

  'segments-in-order': ({ events }, limit) =>
    events.flatMap(({ index, alignment }): Problem[] => {
      if (!alignment) return [];
      const disorder = disorderOf(alignment.segments);
      const where = `event ${index} /alignment/segments`;
      if (disorder !== undefined)
        return [{ message: `In event ${index} ${disorder.message}.`, where: `${where}/${disorder.index}` }];
      const end = alignment.duration + limit('tolerance_seconds');
      const late = beyond(alignment.segments, end);
      if (late === undefined) return [];
      // A segment that only starts there has the time of the whole stream, not that of its chunk.
      const isGlobal = alignment.segments.some(({ start }) => start > end);
      const severity = isGlobal ? 'error' : undefined;
      const message = `In event ${index} segment ${late.index} ends at ${late.end}, after the audio_duration of ${alignment.duration}.`;
      return [{ message, where: `${where}/${late.index}/end`, severity }];
    }),

  'no-end-marker': ({ raw }) =>
    unless(!raw.hasEndMarker, { message: 'The stream ends with a marker, [DONE].' }),

  'stream-has-events': ({ raw, isWhole }) => {
    if (!isWhole) return undefined;
    return unless(raw.events.length > 0, { message: 'The stream ends without an event.' });
  },

  'offset-follows-the-chunks': ({ events, isWhole }, limit) => {
    const snapshots = wholeSnapshots(events);
    const first = events.find(({ offset }) => offset !== undefined);
    if (first?.offset === undefined || !isWhole) return undefined;
    const start = unless(Math.abs(first.offset) <= limit('tolerance_seconds'), {
      message: `The first text chunk starts at ${first.offset} seconds, not at zero.`,
      where: `event ${first.index} /chunk_audio_offset_sec`,
      expected: '0',
      actual: String(first.offset),
    });
    const later = snapshots.flatMap(({ chunkSeq, offset, index }, position) => {
      const before = snapshots[position - 1];
      // If a snapshot in between is missing, nothing can be judged.
      if (before === undefined || before.chunkSeq !== chunkSeq - 1) return [];
      const expected = before.offset + before.alignment.duration;
      // A chunk has one place in the whole audio, so two chunks with audio cannot start at the same one.
      const isStill = offset === before.offset && before.alignment.duration >= 1;
      return unless(Math.abs(offset - expected) <= limit('tolerance_seconds'), {
        message: `Chunk ${chunkSeq} starts at ${offset} seconds; the one before it ends at ${expected.toFixed(3)}.`,
        where: `event ${index} /chunk_audio_offset_sec`,
        expected: expected.toFixed(3),
        actual: String(offset),
        severity: isStill ? 'error' : undefined,
      });
    });
    return [...later, ...start];
  },

  'alignment-covers-the-audio': ({ events, audio, isWhole }, limit) => {
    const last = wholeSnapshots(events).at(-1);
    const facts = audio && factsOf(audio);
    const newest = Math.max(...events.map(({ chunkSeq }) => chunkSeq ?? 0));
    if (last === undefined || facts === undefined || !isWhole || last.chunkSeq !== newest) return undefined;
    const stated = last.offset + last.alignment.duration;
    const [expected, actual] = [stated, facts.seconds].map((seconds) => seconds.toFixed(3));
    const message = `The joined audio lasts ${actual} seconds; the last text chunk ends at ${expected}.`;
    const problem = { message, where: `event ${last.index} /alignment/audio_duration`, expected, actual };
    return unless(Math.abs(facts.seconds - stated) <= limit('tolerance_seconds'), problem);
  },

  'stream-times-unit': ({ events, audio, isWhole }, limit) => {
    const seconds = (audio && factsOf(audio)?.seconds) ?? 0;
    if (!isWhole || seconds < limit('seconds_at_least')) return undefined;
    const bound = seconds * limit('times');
    const times = events.flatMap(({ index, offset = 0, alignment }) => {
      const { duration = 0, segments = [] } = alignment ?? {};
      return [
        { index, name: 'chunk_audio_offset_sec', value: offset },
        { index, name: 'alignment/audio_duration', value: duration },
        { index, name: 'alignment/segments', value: Math.max(0, ...segments.map(({ end }) => end)) },
      ];
    });
    // With a wrong unit, every event is wrong.
    const wrong = times.find(({ value }) => value >= bound);
    return unless(wrong === undefined, {
      message: `Event ${wrong?.index} has the time ${wrong?.value}, but the whole audio lasts ${seconds.toFixed(3)} seconds.`,
      where: `event ${wrong?.index} /${wrong?.name}`,
      expected: `below ${bound.toFixed(1)}`,
      actual: String(wrong?.value),
    });
  },

  'chunk-seq-has-no-gaps': ({ events }) => {
    let latest = -1;
    return events.flatMap(({ index, chunkSeq }) => {
      if (chunkSeq === undefined) return [];
      const before = latest;
      latest = chunkSeq;
      return unless(chunkSeq === before + 1 || (chunkSeq === before && before >= 0), {
        message: `Event ${index} is about chunk ${chunkSeq}; ${before < 0 ? 'it is the first event' : `the one before it was about chunk ${before}`}.`,
        where: `event ${index} /chunk_seq`,
        expected: before < 0 ? '0' : `${before} or ${before + 1}`,
        actual: String(chunkSeq),
      });
    });
  },

  'content-belongs-to-the-chunk': ({ events }) => {
    const contents = new Map<number, string>();
    return events.flatMap(({ index, chunkSeq, content, alignment }) => {
      if (chunkSeq === undefined || content === undefined || !alignment) return [];
      const where = `event ${index} /content`;
      if (content.trim() === '' && alignment.segments.length > 0) {
        return [{ message: `Event ${index} has segments, but no content.`, where }];
      }
      const first = contents.get(chunkSeq);
      contents.set(chunkSeq, first ?? content);
      const message = `Event ${index} has another content for chunk ${chunkSeq} than an event before it.`;
      const problem = { message, where, expected: first?.slice(0, 80), actual: content.slice(0, 80) };
      return unless(first === undefined || first === content, problem);
    });
  },

  'stream-tells-times': ({ events, asked, isWhole }) => {
    if (asked === undefined || asked.letters === 0 || !isWhole || events.length === 0) return undefined;
    const isTold = events.some(({ alignment }) => (alignment?.segments.length ?? 0) > 0);
    return unless(isTold, { message: `None of the ${events.length} events has a snapshot with segments.` });
  },

  'segments-have-text': ({ events }) =>
    events.flatMap(({ index, alignment }) => {
      const empty = alignment?.segments.findIndex(({ text, start }) => text.trim() === '' || start < 0) ?? -1;
      const message = `In event ${index} segment ${empty} has no text or starts before zero.`;
      return unless(empty < 0, { message, where: `event ${index} /alignment/segments/${empty}` });
    }),

  'words-are-spoken': ({ answer, events, asked, isWhole }) => {
    const body = asObject(answer.asked.body);
    const snapshots = wholeSnapshots(events);
    if (asked === undefined || !isWhole || body.normalize !== false || snapshots.length === 0)
      return undefined;
    if (/[<([]/.test(asked.text)) return undefined;
    const contents = new Map(
      events.flatMap(({ chunkSeq, content }) =>
        chunkSeq === undefined || content === undefined ? [] : [[chunkSeq, content] as const],
      ),
    );
    const joined = lettersOf(
      [...contents]
        .toSorted(([first], [second]) => first - second)
        .map(([, text]) => text)
        .join(''),
    );
    return [
      ...unless(joined === lettersOf(asked.text), {
        message: 'The contents of the text chunks, joined, are not the text of the request.',
        expected: asked.text.slice(0, 80),
        actual: [...contents.values()].join(' ').slice(0, 80),
      }),
      ...snapshots.flatMap(({ chunkSeq, alignment, index }) => {
        const content = contents.get(chunkSeq) ?? '';
        const words = alignment.segments.map(({ text }) => text).join(' ');
        return unless(lettersOf(words) === lettersOf(content), {
          message: `The segments of the last snapshot of chunk ${chunkSeq} do not have the words of its content.`,
          where: `event ${index} /alignment/segments`,
          expected: content.slice(0, 80),
          actual: words.slice(0, 80),
        });
      }),
    ];
  },

  'times-are-told': ({ events }) => {
    const segments = events.flatMap(({ alignment }) => alignment?.segments ?? []);
    if (segments.length === 0) return undefined;
    const isTold = segments.some(({ start, end }) => start !== 0 || end !== 0);
    return unless(isTold, { message: `Every segment starts and ends at zero (${segments.length} in all).` });
  },

  'only-data-lines': ({ raw }) =>
    unless(raw.otherLines.length === 0 && raw.blocksWithoutData === 0, {
      message: `The stream has ${raw.otherLines.length} lines that are not data.`,
      actual: (raw.otherLines[0] ?? '').slice(0, 80),
    }),
});

/** Flaws of audio that was joined from the pieces of a stream or a session. */
export function joinedFlaws({ inspected }: JudgedAudio, request: AskedAudio | undefined): readonly Problem[] {
  if ('failure' in inspected)
    return [{ message: `The joined audio can't be decoded: ${inspected.failure}.` }];
  const { format, described, damage, cut } = inspected.facts;
  if (request !== undefined && format !== request.format) {
    const message = `The joined audio is ${described}, not ${request.format}.`;
    return [{ message, expected: request.format, actual: described }];
  }
  return [...damage.slice(0, 1), ...(cut === undefined ? [] : [cut])].map(({ message, byte, severity }) => ({
    message: `The joined audio is not complete: ${message}.`,
    where: `byte ${byte}`,
    severity,
  }));
}

/** Random samples look like such a header once in 10^19 chunks. */
function startsAFile(chunk: Uint8Array | undefined): boolean {
  const text = Buffer.from(chunk?.subarray(0, 12) ?? []).toString('latin1');
  return /^RIFF[\s\S]{4}WAVE$/.test(text);
}

/** Letters and digits without case: some services drop punctuation and apostrophes. */
function lettersOf(text: string): string {
  return [...text.normalize('NFKC').toLowerCase()].filter((letter) => /[\p{L}\p{N}]/u.test(letter)).join('');
}
