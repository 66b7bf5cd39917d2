import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runChild } from '../measure/run-child.ts';
import type { Result, Row } from '../row.ts';

const threeHours = 10_800;

export const recordings: Row = {
  id: 'recordings',
  what: 'recording of 3 hours: memory over the baseline, and cutting',
  target: '<= 150 MB over the baseline; cutting >= 1000 x real time',
  async measure(): Promise<readonly Result[]> {
    // Reads what is sent, and hears nothing in it: the service's own work is not measured.
    const server = createServer((request, response) => {
      request.resume().on('end', () => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ text: '', duration: 600, segments: [] }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}`;
      const transcribe = (work: string, seconds: number) =>
        runChild('transcribe-recording', work, `${seconds}`, url);
      const half = await transcribe('file', threeHours / 6);
      const halfStream = await transcribe('stream', threeHours / 6);
      const file = await transcribe('file', threeHours);
      const stream = await transcribe('stream', threeHours);
      const memory = (
        variant: string,
        { megabytes = Number.NaN }: Record<string, number>,
        short: Record<string, number>,
      ): Result => ({
        variant,
        ours: megabytes,
        unit: 'MB',
        reference: { name: 'a recording of half an hour', value: short.megabytes ?? Number.NaN },
        met: megabytes <= 150,
      });
      const { milliseconds = Number.NaN } = await runChild('transcribe-recording', 'cut', `${threeHours}`);
      const speed = (1000 * threeHours) / milliseconds;
      return [
        memory('memory, from a file', file, half),
        memory('memory, from a stream', stream, halfStream),
        {
          variant: 'cutting alone',
          ours: speed,
          unit: 'x real time',
          reference: { name: 'the target', value: 1000 },
          met: speed >= 1000,
        },
      ];
    } finally {
      server.closeAllConnections();
      server.close();
    }
  },
};
