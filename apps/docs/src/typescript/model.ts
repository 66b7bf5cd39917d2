/** What a comment says, in Markdown; links to other symbols are `symbol:Name`. */
export interface Comment {
  readonly text: string;
  readonly defaultValue: string;
  readonly parameters: readonly { readonly name: string; readonly text: string }[];
  readonly returns: string;
  readonly throws: readonly string[];
  readonly examples: readonly string[];
}

/** A property or a method of a class or an interface. */
export interface ApiMember {
  readonly name: string;
  readonly anchor: string;
  /** Its declaration, as TypeScript. */
  readonly code: string;
  readonly comment: Comment;
}

/** What an exported symbol is. */
export type ApiKind = 'function' | 'class' | 'interface' | 'type' | 'constant';

/** An exported symbol. */
export interface ApiSymbol {
  readonly name: string;
  readonly slug: string;
  readonly kind: ApiKind;
  readonly code: string;
  readonly comment: Comment;
  readonly members: readonly ApiMember[];
  /** Names of exported symbols that its declaration mentions. */
  readonly mentions: readonly string[];
}

/** A module that can be imported, such as `@speech-api/client/node`. */
export interface ApiModule {
  readonly specifier: string;
  readonly slug: string;
  readonly package: string;
  /** What its package is for. */
  readonly description: string;
  readonly symbols: readonly ApiSymbol[];
  /** Symbols that another module has as well, described there. */
  readonly elsewhere: readonly { readonly name: string; readonly slug: string; readonly module: string }[];
}
