/** Turns of phrase that a native engineer would not write, each with what to write instead. */
export const wording: readonly { readonly avoid: RegExp; readonly write: string }[] = [
  { avoid: /\bst(?:an|oo)ds? (?:in|at|under|beside|above|below|there|alone|on)\b/, write: 'is in' },
  { avoid: /\bstand(?:s|ing)? in (?:its|their|the) place\b/, write: 'replaces it' },
  {
    avoid: /\b(?:is|are|was|were|be) taken\b(?! (?:from|out|off|away|down|back|over|by))/,
    write: 'is accepted',
  },
  { avoid: /\bof yours\b/, write: 'your' },
  { avoid: /\b(?:that|which) (?:is|are) told\b/, write: 'that is reported' },
  { avoid: /\b(?:is|are) the (?:most|least)\b(?! \w)/, write: 'the maximum is, the minimum is' },
  {
    avoid:
      /(?<!\b[Tt]here )\b(?:is|are) no (?!longer\b|shorter\b|more\b|less\b|way\b|such\b|need\b|different\b)\w+/,
    write: 'is not a',
  },
  {
    avoid: /\bWho (?:sends|reads|opens|runs|plays|makes|shows|writes|leans|relied|looks|calls)\b(?![^.]*\?)/,
    write: 'If you send',
  },
  { avoid: /\brightly\b/, write: 'correctly' },
  { avoid: /\bwith your word\b/, write: 'even if you ask for it' },
  { avoid: /\bof tomorrow\b/, write: 'unknown' },
  {
    avoid:
      /\b(?:one|row|line|entry|folder|file|headers?|models|requests|types|rule|method|rates) an? (?:speaker|request|call|word|character|chunk|event|format|operation|page|path|version|resource|file|field|rule|session|package|error|second|minute)\b/,
    write: 'per',
  },
  { avoid: /\bmend(?:s|ed|ing)?\b/, write: 'fix' },
  {
    avoid: /\b[Nn]o schema can (?:say|hold)\b|\bschema cannot say\b/,
    write: 'fields that are valid on their own but not together',
  },
  { avoid: /\bhas no words for\b/, write: 'cannot express' },
  { avoid: /\bhold(?:s)? (?:its|their|the|every) schemas?\b/, write: 'match the schema' },
  { avoid: /\bbreaks somebody\b/, write: 'is a breaking change' },
  { avoid: /\bon need\b|\bat need\b/, write: 'on demand' },
  { avoid: /\bfor ever\b/, write: 'forever' },
  { avoid: /\btimes over\b/, write: 'times' },
  { avoid: /\bunless said\b/, write: 'by default' },
  { avoid: /\bsays? nothing (?:about|under|of)\b/, write: 'has no entry for, does not mention' },
  { avoid: /\b(?:has|have) to be (?:had|got)\b|\bto be had\b/, write: 'available' },
  { avoid: /\bwhen nobody (?:chooses|asks|says)\b/, write: 'by default' },
];

/** The files that are checked, as glob patterns from the root of the repository. Widen this list, never the exceptions. */
export const checkedFiles: readonly string[] = [
  'spec/**/*.{yaml,md,ts}',
  'packages/types/**/*.{md,ts}',
  'packages/{client,server}/src/generated/*.ts',
  'tools/{codegen,config,diff,recipes,samples}/**/*.{md,ts}',
  'CONTRIBUTING.md',
  'README.md',
  'packages/*/README.md',
  'packages/*/src/**/*.ts',
  'apps/*/README.md',
  'apps/sandbox/src/**/*.ts',
  'apps/docs/src/**/*.{astro,mdx,ts}',
  'tools/*/README.md',
  'tools/{bench,run}/src/**/*.ts',
  'decisions/2026-11-22-*.md',
];

/** Not written by hand, or about the phrases themselves. */
const exceptions =
  /node_modules|spec\/rules\/(?:answers|streams|relations|unjudged)\.yaml|\/dist\/|\.temporary|spec\/releases\/|\/lint\/fixtures\/|config\/src\/wording(?:\.test)?\.ts$/;

/** A phrase to avoid, where it is and what to write. */
export interface Phrase {
  readonly line: number;
  readonly found: string;
  readonly write: string;
}

export function isChecked(path: string): boolean {
  return !exceptions.test(path);
}

/** Every phrase to avoid in a text. */
export function findPhrases(text: string): Phrase[] {
  return text.split('\n').flatMap((line, index) =>
    wording.flatMap(({ avoid, write }) => {
      const found = avoid.exec(line)?.[0];
      return found === undefined ? [] : [{ line: index + 1, found, write }];
    }),
  );
}
