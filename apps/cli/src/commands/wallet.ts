import { type CommonOptions, printJson, type Session } from '../session.ts';
import { plain } from '../terminal.ts';

export async function wallet(session: Session, options: CommonOptions): Promise<void> {
  const { signal } = session;
  const client = session.client();
  const [credit, own] = await Promise.all([
    client.wallet.getApiCredit('self', { signal }),
    client.wallet.getPackage('self', { signal }),
  ]);
  if (options.json) {
    printJson({ api_credit: credit, package: own });
    return;
  }
  process.stdout.write(
    `credit   ${plain(credit.credit)}\npackage  ${plain(own.type)}: ${own.balance} of ${own.total} left, until ${plain(own.finished_at)}\n`,
  );
}
