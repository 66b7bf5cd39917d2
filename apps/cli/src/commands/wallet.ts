import { type CommonOptions, print, printJson, type Session } from '../session.ts';
import { plain } from '../terminal.ts';

export async function wallet(session: Session, options: CommonOptions): Promise<void> {
  const { signal } = session;
  const client = session.client();
  const [credit, own] = await Promise.all([
    client.wallet.getApiCredit('self', { signal }),
    client.wallet.getPackage('self', { signal }),
  ]);
  if (options.json) return printJson({ api_credit: credit, package: own });
  const { type, balance, total, finished_at } = own;
  print(`credit   ${plain(credit.credit)}\n`);
  print(`package  ${plain(type)}: ${balance} of ${total} left, until ${plain(finished_at)}\n`);
}
