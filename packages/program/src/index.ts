export {
  addSection,
  asUsage,
  Command,
  CommanderError,
  createProgram,
  InvalidArgumentError,
  Option,
  onInterrupt,
  refusalOf,
  repeated,
  runProgram,
  UsageError,
  wholeNumber,
  withoutSeparator,
} from './command-line.ts';
export { versionOf } from './node-version.ts';
export { runServer, type ServerOptions, serverOptions, whyNotListening } from './run-server.ts';
