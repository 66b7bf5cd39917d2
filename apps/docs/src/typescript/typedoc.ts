import type { StarlightPlugin } from '@astrojs/starlight/types';
import starlightTypeDoc from 'starlight-typedoc';
import {
  type Application,
  Comment,
  CommentTag,
  Converter,
  type DeclarationReflection,
  PageEvent,
  type ProjectReflection,
  type Reflection,
  ReflectionKind,
} from 'typedoc';
import { packages } from './packages.ts';

/** What a reader of the client's page wants to do, and the exports that serve it; the last match counts. */
const purposes: readonly (readonly [purpose: string, names: RegExp])[] = [
  ['Create a client', /^createSpeechClient$|^SpeechClient/],
  ['Speak', /[sS]peech(?!Http|Client)|^Speaker|^Prosody|^ReferenceAudio|^AudioFormat|^SynthesisModel/],
  ['Stream', /^SpeechStream|^SpeechEvent|^CollectedSpeech|^Timeline|AudioStream|[rR]eadAudio/],
  ['Transcribe', /^Transcription|^SpokenTurn|^speakersOf/],
  ['Voices', /Model(?!$)|^VoiceModel|^WaitOptions/],
  ['Wallet', /^Wallet|Credit$|^Package$/],
  ['Errors', /Error$|^ErrorGuard$|^TimeoutPhase$|^ValidationIssue$/],
  ['Trace and log', /Trace|^Call(?:Outcome|Span)|^Log/],
];
const restPurpose = 'Options and calls';

const entryPoints = packages.flatMap(({ entries, description }) =>
  entries.map((entry) => ({ ...entry, description })),
);

/** A page for each entry point of the packages, made from their built declarations. */
export function typeScriptPages(): StarlightPlugin {
  const { name, hooks } = starlightTypeDoc({
    entryPoints: entryPoints.map(({ file }) => file),
    tsconfig: 'src/typescript/tsconfig.json',
    output: 'typescript',
    typeDoc: {
      plugin: [shapePages, 'typedoc-plugin-markdown'],
      router: 'module',
      skipErrorChecking: true,
      excludeExternals: true,
      disableSources: true,
      logLevel: 'Error',
      entryFileName: 'index',
      indexFormat: 'table',
      groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
      categoryOrder: [...purposes.map(([purpose]) => purpose), restPurpose],
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      classPropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true },
    },
  });
  const write = hooks['config:setup'];
  return {
    name,
    hooks: {
      ...hooks,
      // A type check needs no pages, and would write them anew under a build that reads them.
      'config:setup': (context) => (context.command === 'sync' ? undefined : write?.(context)),
    },
  };
}

/** Names modules by their import, groups the client's exports, and leaves out what a class only inherits. */
function shapePages(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    for (const module of context.project.getChildrenByKind(ReflectionKind.Module)) {
      const file = context.getSymbolFromReflection(module)?.declarations?.[0]?.getSourceFile().fileName;
      const entry = entryPoints.find((candidate) => candidate.file === file);
      if (entry === undefined) throw new Error(`No package exports ${module.name}.`);
      module.name = entry.slug;
      // An entry beside the main one is known by what it exports.
      const text = entry.slug.includes('/') ? `Exports ${valuesOf(module).join(', ')}.` : entry.description;
      module.comment = new Comment([{ kind: 'text', text }]);
      if (entry.slug === 'client') module.children?.forEach(categorize);
    }
    removeInherited(context.project);
    for (const parameter of context.project.getReflectionsByKind(ReflectionKind.Parameter)) {
      if (parameter.name === '__namedParameters') parameter.name = 'options';
    }
  });
  const afterTheme = -1;
  app.renderer.on(PageEvent.END, namePage, afterTheme);
}

function valuesOf(module: DeclarationReflection): string[] {
  const values = module.getChildrenByKind(ReflectionKind.SomeValue);
  return values.map(({ name }) => `\`${name}\``);
}

/** Titles a page with what is imported. */
function namePage(page: PageEvent): void {
  const model = page.model as Reflection;
  const specifier = entryPoints.find(({ slug }) => slug === model.name)?.specifier ?? 'TypeScript';
  page.contents = (page.contents ?? '').replace(/^title: .*$/m, `title: "${specifier}"`);
}

function categorize(child: DeclarationReflection): void {
  const purpose = purposes.findLast(([, names]) => names.test(child.name))?.[0] ?? restPurpose;
  child.comment ??= new Comment();
  child.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: purpose }]));
}

function removeInherited(project: ProjectReflection): void {
  for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember)) {
    if (member.isDeclaration() && member.inheritedFrom !== undefined) project.removeReflection(member);
  }
}
