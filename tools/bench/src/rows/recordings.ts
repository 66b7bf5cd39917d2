import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Result, Row } from '../measure.ts';
import { runChild } from '../processes.ts';

const threeHours = 10_800;

export const recordings: Row = {
  id: 'recordings',
  what: 'recording of 3 hours: memory over the baseline, and cutting',
  target: '<= 150 MB over the baseline; cutting >= 1000 x real time',
  async measure() {
    // Reads what is sent and understands nothing: the service's own work is not measured.
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ text: '', duration: 600, segments: [] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const megabytes = async (way: string, seconds: number): Promise<number> =>
        (await runChild('transcribe-recording', way, `${seconds}`, url)).megabytes ?? Number.NaN;
      const results: Result[] = [];
      for (const way of ['file', 'file without a worker', 'stream']) {
        const half = await megabytes(way, threeHours / 6);
        const ours = await megabytes(way, threeHours);
        const references = { 'a recording of half an hour': half };
        results.push({ variant: `memory, from a ${way}`, ours, unit: 'MB', references, met: ours <= 150 });
      }
      const { milliseconds = Number.NaN } = await runChild('transcribe-recording', 'cut', `${threeHours}`);
      const speed = (1000 * threeHours) / milliseconds;
      const references = { 'the target': 1000 };
      results.push({
        variant: 'cutting alone',
        ours: speed,
        unit: 'x real time',
        references,
        met: speed >= 1000,
      });
      return results;
    } finally {
      server.close().closeAllConnections();
    }
  },
};
