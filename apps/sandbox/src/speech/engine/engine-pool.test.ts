import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { EnginePool, type EnginePoolOptions } from './engine-pool.ts';
import { type EngineOutput, engineProtocol, SpeechEngineError, SpeechOverloadError } from './protocol.ts';

const program = fileURLToPath(new URL('../testing/fake-engine.ts', import.meta.url));
const utterance = { voice: 'en-us', rate: 175, pitch: 50, range: 50 };
const never = new AbortController().signal;
const pools: EnginePool[] = [];

function pool(options: Partial<EnginePoolOptions> & { mode?: string } = {}): EnginePool {
  const { mode, ...rest } = options;
  const command = [process.execPath, program, ...(mode === undefined ? [] : [mode])];
  const made = new EnginePool({
    command,
    warm: 1,
    most: 2,
    deadline: 30_000,
    startDeadline: 30_000,
    grace: 100,
    ahead: 1_000,
    ...rest,
  });
  pools.push(made);
  return made;
}

async function say(engines: EnginePool, text: string, signal = never): Promise<EngineOutput[]> {
  const outputs: EngineOutput[] = [];
  for await (const output of engines.speak({ ...utterance, text }, { signal })) outputs.push(output);
  return outputs;
}

const alive = (id: number | undefined) => {
  try {
    return id !== undefined && process.kill(id, 0);
  } catch {
    return false;
  }
};

const gone = (id: number | undefined) => expect.poll(() => alive(id)).toBe(false);

afterEach(async () => {
  await Promise.all(pools.splice(0).map((made) => made.close()));
});

describe('EnginePool', () => {
  test('hands on events and samples in order and uses the same process again', async () => {
    const engines = pool();
    await engines.ready();
    const before = engines.processIds;
    const outputs = await say(engines, 'hello');
    expect(outputs.map(({ type }) => type)).toEqual(['events', 'audio', 'audio', 'audio', 'audio', 'audio']);
    expect(outputs.flatMap((output) => (output.type === 'audio' ? [output.samples.length] : []))).toEqual(
      Array(5).fill(2205),
    );
    await say(engines, 'again');
    expect(engines.processIds).toEqual(before);
  });

  test('fails one request when the engine crashes, and replaces one that crashes at any time', async () => {
    const engines = pool();
    await engines.ready();
    const [crashed] = engines.processIds;
    await expect(say(engines, 'crash')).rejects.toThrow(SpeechEngineError);
    await gone(crashed);
    expect(await say(engines, 'hello')).toHaveLength(6);
    const [idle] = engines.processIds;
    if (idle !== undefined) process.kill(idle, 'SIGKILL');
    await expect.poll(() => engines.processIds).not.toContain(idle);
    expect(await say(engines, 'hello')).toHaveLength(6);
  });

  test('asks a new engine where an idle one has just died', async () => {
    const engines = pool();
    await engines.ready();
    const [idle] = engines.processIds;
    if (idle !== undefined) process.kill(idle, 'SIGKILL');
    expect(await say(engines, 'hello')).toHaveLength(6);
    expect(engines.processIds).not.toContain(idle);
  });

  test('kills the engine of a request that is aborted in its middle', async () => {
    const engines = pool();
    await engines.ready();
    const [busy] = engines.processIds;
    const abort = new AbortController();
    const spoken = say(engines, 'hang', abort.signal);
    setTimeout(() => abort.abort(new Error('enough')), 50);
    await expect(spoken).rejects.toThrow('enough');
    await gone(busy);
    expect(await say(engines, 'hello')).toHaveLength(6);
  });

  test('kills the engine of a listener that leaves early, unless it finishes soon', async () => {
    const engines = pool();
    await engines.ready();
    const [busy] = engines.processIds;
    for await (const _ of engines.speak({ ...utterance, text: 'stall' }, { signal: never })) break;
    await gone(busy);
    expect(engines.processIds).toHaveLength(0);
  });

  test('lets an engine that is nearly done come to its end instead of starting another', async () => {
    const engines = pool({ most: 1, grace: 60_000 });
    await engines.ready();
    const before = engines.processIds;
    for await (const _ of engines.speak({ ...utterance, text: 'slow' }, { signal: never })) break;
    expect(await say(engines, 'hello')).toHaveLength(6);
    expect(engines.processIds).toEqual(before);
  });

  test('gives up on an engine that falls silent', async () => {
    const engines = pool({ deadline: 300 });
    await engines.ready();
    await expect(say(engines, 'hang')).rejects.toThrow(/silent for 300 ms/u);
  });

  test('is not silent because this thread was: what has arrived is read, and the next wait has its whole time', async () => {
    const deadline = 1500;
    const engines = pool({ deadline });
    const outputs = engines.speak({ ...utterance, text: '150 pieces, slow' }, { signal: never });
    await outputs.next();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, deadline + 100);
    let rest = 0;
    while ((await outputs.next()).done !== true) rest += 1;
    expect(rest).toBe(150);
  });

  test('keeps an engine that refuses a request', async () => {
    const engines = pool();
    await engines.ready();
    const before = engines.processIds;
    await expect(say(engines, 'refuse')).rejects.toThrow('no such voice');
    expect(await say(engines, 'hello')).toHaveLength(6);
    expect(engines.processIds).toEqual(before);
  });

  test('says so when the engine cannot start at all, each time it is asked', async () => {
    const engines = pool({ mode: 'fails-to-start' });
    await expect(engines.ready()).rejects.toThrow(SpeechEngineError);
    await expect(say(engines, 'hello')).rejects.toThrow(SpeechEngineError);
    await expect(say(engines, 'hello')).rejects.toThrow(SpeechEngineError);
    await expect(pool({ command: ['/no/such/program'] }).ready()).rejects.toThrow(/ENOENT/u);
  });

  test('is not ahead of its listener without a bound, and does not take the waiting for silence', async () => {
    const engines = pool({ most: 1, ahead: 5, deadline: 1500 });
    const slow = engines.speak({ ...utterance, text: '100 pieces' }, { signal: never });
    await slow.next();
    const meanwhile = say(engines, 'meanwhile');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await expect(Promise.race([meanwhile, 'still waiting'])).resolves.toBe('still waiting');
    let rest = 0;
    while ((await slow.next()).done !== true) rest += 1;
    expect(rest).toBe(100);
    expect(await meanwhile).toHaveLength(6);
  });

  test('refuses a caller that has waited too long, and stays intact', async () => {
    const engines = pool({ most: 1 });
    await engines.ready();
    const first = say(engines, '20 pieces, slow');
    const second = engines.speak({ ...utterance, text: 'hello' }, { signal: never, waitAtMost: 100 });
    await expect(second.next()).rejects.toThrow(SpeechOverloadError);
    expect(await first).toHaveLength(21);
    expect(await say(engines, 'hello')).toHaveLength(6);
  });

  test('gives a process that starts more time than one that speaks', async () => {
    const engines = pool({ mode: 'starts-slowly', deadline: 1500 });
    expect(await say(engines, 'hello')).toHaveLength(6);
    await expect(pool({ mode: 'starts-slowly', startDeadline: 100 }).ready()).rejects.toThrow(
      /silent for 100 ms/u,
    );
  });

  test('lets go of a waiting request that is aborted, and of one whose engine has not started', async () => {
    const engines = pool({ warm: 1, most: 1, grace: 1 });
    const abort = new AbortController();
    const first = say(engines, 'hang', abort.signal);
    const waiting = new AbortController();
    const second = say(engines, 'hello', waiting.signal);
    waiting.abort(new Error('left the queue'));
    await expect(second).rejects.toThrow('left the queue');
    const third = say(engines, 'hello');
    const before = engines.processIds;
    abort.abort(new Error('enough'));
    await expect(first).rejects.toThrow('enough');
    expect(await third).toHaveLength(6);
    expect(engines.processIds).toEqual(before);
  }, 5_000);

  test('leaves no process behind when it closes', async () => {
    const engines = pool({ warm: 2 });
    await engines.ready();
    const ids = engines.processIds;
    await engines.close();
    expect(ids.map(alive)).toEqual([false, false]);
    await expect(say(engines, 'hello')).rejects.toThrow('closed');
  });

  test('ends an engine that has much to say and whose output nobody reads', async () => {
    const ready = JSON.stringify({ type: 'ready', protocol: engineProtocol });
    const program = `
      console.log('${ready}');
      const talk = () => process.stdout.write('x'.repeat(65536), talk);
      talk();`;
    const engines = pool({ command: [process.execPath, '--eval', program] });
    await engines.ready();
    // By now the pipe is full. Without an end the test runs into its own deadline.
    await new Promise((resolve) => setTimeout(resolve, 500));
    await engines.close();
  });
});
