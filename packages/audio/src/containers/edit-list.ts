import { hasText, viewOf } from '../bytes.ts';

/** A file that can be read at any place. */
export interface SeekableBytes {
  readonly size: number;
  read(start: number, end: number): Promise<Uint8Array>;
}

/** The edit list of a track of an mp4 or mov file. */
export interface EditList {
  /** Seconds at which it ends the sound; infinite without one. mediabunny applies its start. */
  readonly endSeconds: number;
  /** False if it plays several pieces of the sound, or one at another speed: then mediabunny reads only the first. */
  readonly isOneEdit: boolean;
}

/** The edit lists of a file's tracks, and whether the file has the box that describes its tracks. */
export interface Movie {
  readonly isThere: boolean;
  editListOf(trackId: number): EditList;
}

export async function readMovie(file: SeekableBytes): Promise<Movie> {
  const movie = await findMovie(file);
  const [timescale = 1] = boxesIn(movie, 'mvhd').map(numberIn);
  return {
    isThere: movie.length > 0,
    editListOf(trackId) {
      const isOfTrack = (box: Uint8Array): boolean => numberIn(boxesIn(box, 'tkhd')[0]) === trackId;
      const lists = boxesIn(movie, 'trak')
        .filter(isOfTrack)
        .flatMap((box) => boxesIn(box, 'edts'));
      const [list] = lists.flatMap((box) => boxesIn(box, 'elst'));
      const edits = list === undefined ? [] : editsIn(list);
      const [edit, ...others] = edits.filter(({ isEmpty }) => !isEmpty);
      const isOneEdit = others.length === 0 && (edit?.rate ?? 1) === 1;
      // A duration of 0 means up to the end, as in a fragmented file.
      if (!edit?.duration) return { endSeconds: Number.POSITIVE_INFINITY, isOneEdit };
      return { endSeconds: edits.reduce((sum, { duration }) => sum + duration, 0) / timescale, isOneEdit };
    },
  };
}

function editsIn(list: Uint8Array) {
  const view = viewOf(list);
  const width = list[0] === 1 ? 8 : 4;
  return Array.from({ length: view.getUint32(4) }, (_, index) => {
    const position = 8 + index * (2 * width + 4);
    const duration = width === 8 ? Number(view.getBigUint64(position)) : view.getUint32(position);
    const isEmpty = view.getInt32(position + width) === -1;
    return { duration, isEmpty, rate: view.getInt16(position + 2 * width) };
  });
}

/** The box of an mp4 or mov file that describes its tracks: mediabunny reads it, but not all of its edit lists. */
async function findMovie(file: SeekableBytes): Promise<Uint8Array> {
  for (let position = 0; position + 16 <= file.size; ) {
    const head = await file.read(position, position + 16);
    const view = viewOf(head);
    const short = view.getUint32(0);
    const size = short === 1 ? Number(view.getBigUint64(8)) : short === 0 ? file.size - position : short;
    if (hasText(head, 4, 'moov')) return file.read(position + 8, Math.min(file.size, position + size));
    if (size < 8) break;
    position += size;
  }
  return new Uint8Array(0);
}

/** The contents of the boxes of this name that lie side by side. */
function boxesIn(bytes: Uint8Array, name: string): Uint8Array[] {
  const boxes: Uint8Array[] = [];
  for (let position = 0, size = 8; position + 8 <= bytes.length && size >= 8; position += size) {
    size = viewOf(bytes).getUint32(position);
    if (hasText(bytes, position + 4, name)) boxes.push(bytes.subarray(position + 8, position + size));
  }
  return boxes;
}

/** The number after the two times of a header: the time scale of a movie, or the id of a track. */
function numberIn(header: Uint8Array | undefined): number | undefined {
  return header && viewOf(header).getUint32(header[0] === 1 ? 20 : 12);
}
