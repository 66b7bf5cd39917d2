export * from './command-line.ts';
export { versionOf } from './node-version.ts';
export { runServer, type ServerOptions, serverOptions, whyNotListening } from './run-server.ts';
