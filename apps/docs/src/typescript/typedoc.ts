import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
import { clientTasks, packages } from './packages.ts';

const entryPoints = packages.flatMap(({ entries, description }) =>
  entries.map((entry) => ({ ...entry, description })),
);

/** A page for each entry point of the packages, and for each task of the client, made from their built declarations. */
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
      categoryOrder: clientTasks.map(({ label }) => label),
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      classPropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      typeDeclarationFormat: 'table',
      tableColumnSettings: { hideInherited: true, hideOverrides: true, hideModifiers: true },
    },
  });
  const writePages = hooks['config:setup'];
  return {
    name,
    hooks: {
      ...hooks,
      // A type check syncs the site without reading its pages. To write them then would pull them from under a build.
      'config:setup': (context) => (context.command === 'sync' ? undefined : writePages?.(context)),
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

/** Titles a page with what is imported, and divides that of the client into its tasks. */
function namePage(page: PageEvent): void {
  const model = page.model as Reflection;
  const specifier = entryPoints.find(({ slug }) => slug === model.name)?.specifier ?? 'TypeScript';
  const contents = (page.contents ?? '')
    .replace(/^title: .*$/m, `title: "${specifier}"`)
    // A property without a description has none, and a heading needs no rule above it.
    .replaceAll(/\| - \|$|^\*\*\*$/gm, (mark) => (mark === '***' ? '' : '| |'))
    .replaceAll(/\/typescript\/client\/#([\w-]+)/g, (link, anchor: string) => {
      const slug = taskOfExport.get(anchor.replace(/^abstract-/, ''));
      return slug === undefined ? link : `/typescript/${slug}/#${anchor}`;
    });
  page.contents = model.name === 'client' ? divide(contents, page.filename) : examplesFirst(contents);
}

/** Puts an example before the parameters of its call, and what has an example before what has none: types come last. */
function examplesFirst(text: string, level = 2): string {
  const [head = '', ...sections] = text.split(new RegExp(`^(?=#{${level}} )`, 'm'));
  const placeOf = (section: string) => {
    if (/^#+ Example/.test(section)) return 0;
    if (/^#+ \\\[/.test(section)) return 3;
    return /^#+ Example/m.test(section) ? 1 : 2;
  };
  const ordered = sections.toSorted((first, second) => placeOf(first) - placeOf(second));
  return head + (level > 6 ? sections : ordered.map((section) => examplesFirst(section, level + 1))).join('');
}

/** Writes a page for each task. @returns what is left: a list of them */
function divide(contents: string, filename: string): string {
  const [head = '', ...parts] = contents.split(/^## /m);
  const list = parts.map((part) => {
    const task = clientTasks.find(({ label }) => part.startsWith(`${label}\n`));
    if (task === undefined)
      throw new Error(`The page of the client has an unknown part: ${part.slice(0, 40)}`);
    const title = head.replace(/^title: .*$/m, `title: "${task.label} (@speech-api/client)"`);
    const [, frontMatter = ''] = title.split(/^---$/m);
    const body = part.slice(task.label.length).replaceAll(/^#(?=##+ )/gm, '');
    const file = join(dirname(filename), `${task.slug}.md`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `---${frontMatter}---\n${examplesFirst(body)}`);
    const names = [...part.matchAll(/^### (.*)$/gm)].map(([, name = '']) => name.replace(/^`abstract` /, ''));
    return `- [${task.label}](./${task.slug.replace('client/', '')}/): ${names.map((name) => `\`${name}\``).join(', ')}`;
  });
  return `${head}${list.join('\n')}\n`;
}

/** The page of each export of the client, by its anchor. */
const taskOfExport = new Map<string, string>();

function categorize(child: DeclarationReflection): void {
  const task = clientTasks.findLast(({ names }) => names?.test(child.name)) ?? clientTasks.at(-1);
  if (task === undefined) return;
  taskOfExport.set(child.name.toLowerCase(), task.slug);
  child.comment ??= new Comment();
  child.comment.blockTags.push(new CommentTag('@category', [{ kind: 'text', text: task.label }]));
}

function removeInherited(project: ProjectReflection): void {
  for (const member of project.getReflectionsByKind(ReflectionKind.ClassMember)) {
    if (member.isDeclaration() && member.inheritedFrom !== undefined) project.removeReflection(member);
  }
}
