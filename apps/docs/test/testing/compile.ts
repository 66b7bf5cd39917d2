import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Objections of the strict compiler to programs that exist in memory alone, each after the name of its program. */
export function compile(programs: ReadonlyMap<string, string>): string[] {
  const files = new Map(
    [...programs].map(([name, code], index) => [`${root}program-${index}.ts`, { name, code }]),
  );
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    moduleDetection: ts.ModuleDetectionKind.Force,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
    types: ['node'],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.readFile = (file) => files.get(file)?.code ?? readFile(file);
  host.getSourceFile = (file, version) => {
    const code = files.get(file)?.code;
    return code === undefined ? getSourceFile(file, version) : ts.createSourceFile(file, code, version);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const name = files.get(file?.fileName ?? '')?.name ?? file?.fileName;
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
