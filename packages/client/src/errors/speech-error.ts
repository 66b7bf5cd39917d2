import { documentationUrl } from '@speech-api/types/constants';

/** Where `isInstance` looks: shared by every copy of the package that is loaded. */
const kindsKey: unique symbol = Symbol.for('@speech-api/client/error-kinds');

interface ErrorClass {
  readonly kind: string;
}

/**
 * What every error of the client has in common.
 *
 * No error holds the API key, the text to speak or audio, so each may be logged as it is.
 */
export abstract class SpeechError extends Error {
  /** The literal name of the class; it survives minifying, which `constructor.name` does not. */
  static readonly kind: string = 'SpeechError';

  declare readonly name: string;

  /** The part of the documentation that explains this error and what to do about it. */
  readonly documentation: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    const kinds: string[] = [];
    for (
      let level = new.target as unknown as Partial<ErrorClass>;
      level.kind;
      level = Object.getPrototypeOf(level)
    ) {
      kinds.push(level.kind);
    }
    const [kind = 'SpeechError'] = kinds;
    // Not enumerable, so that a logged error shows what happened and not how it is recognised.
    Object.defineProperty(this, 'name', { value: kind, configurable: true, writable: true });
    Object.defineProperty(this, kindsKey, { value: kinds });
    this.documentation = `${documentationUrl}/errors/#${kind.toLowerCase()}`;
  }

  /**
   * Whether `value` is an error of this class or of one that extends it, also when it was made by another
   * copy of the package, where `instanceof` says no.
   *
   * @example
   * ```ts
   * import { createSpeechClient, NotFoundError } from '@speech-api/client';
   *
   * try {
   *   await createSpeechClient().models.get('nobody');
   * } catch (error) {
   *   if (NotFoundError.isInstance(error)) console.log(error.status, error.traceId);
   *   else throw error;
   * }
   * ```
   */
  static isInstance<Instance extends SpeechError>(
    this: ErrorClass & { readonly prototype: Instance },
    value: unknown,
  ): value is Instance {
    const kinds = (value as { [kindsKey]?: unknown } | null | undefined)?.[kindsKey];
    // biome-ignore lint/complexity/noThisInStatic: the class that extends this one is asked for its own kind
    return Array.isArray(kinds) && kinds.includes(this.kind);
  }
}
