import { type ConnectLive, createConnectLive } from './connection.ts';
import { openNodeSocket } from './node-socket.ts';

export { throughRelay } from './options.ts';

/** `connectLive` as in index.ts, over `ws`. Its types are those of index.ts. */
export const connectLive: ConnectLive = createConnectLive(openNodeSocket);
