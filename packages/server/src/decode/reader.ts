import { decodeLimits, describePath, type MalformedType, malformed } from './failure.ts';

/**
 * Reads the one value of a body, up to the first place that breaks its format or is beyond a limit, and says where that is.
 * It calls itself once for each level, of which there are few.
 */
export abstract class BodyReader {
  protected abstract readonly format: string;
  protected abstract readonly type: MalformedType;
  protected position = 0;
  /** Names and indexes from the root to the value that is read. */
  readonly #path: string[] = [];
  #values = 0;

  /** A position in words. */
  protected abstract placeOf(position: number): string;

  /** One value of any kind. */
  protected abstract value(): unknown;

  /** @throws DecodeFailure when there are too many values; the names of fields are none */
  protected count(): void {
    this.#values += 1;
    const { values } = decodeLimits;
    if (this.#values > values) this.refuse(`holds more than ${values} values`);
  }

  /** @throws DecodeFailure when an array or object that begins here is too deep inside others */
  protected open(): void {
    const { depth } = decodeLimits;
    if (this.#path.length >= depth) this.refuse(`nests deeper than ${depth} levels`);
  }

  /** Begins the value of a name or an index. */
  protected enter(step: string): void {
    this.#path.push(step);
  }

  protected leave(): void {
    this.#path.pop();
  }

  protected refuse(message: string, position = this.position): never {
    const place = this.placeOf(position);
    const field = this.#path.length > 0 ? `, in \`${describePath(this.#path)}\`` : '';
    const words = `The body cannot be read as ${this.format}: it ${message} (${place}${field}).`;
    throw malformed(this.type, words, [...this.#path], place);
  }
}
