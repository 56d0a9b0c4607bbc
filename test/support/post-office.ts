import { text } from 'node:stream/consumers';
import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { readMail, type ReceivedMail } from './mailbox.js';

/** A mail server whose response depends on how the recipient's address starts; see {@link startMailServer}. */
export interface TestMailServer {
  url: string;
  /** All mails that arrived completely, whether or not the sender got a response. */
  received: ReceivedMail[];
  /** Accepts mails to `busy` and `drop` addresses from now on. */
  recover(): void;
  close(): Promise<void>;
}

/** `busy`: 421. `gone`: 550. `drop`: receives the mail and closes the connection. `refused`: 554 after the mail. */
export async function startMailServer(): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  let isFailing = true;
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('gone')) done(refusal(550, 'no such user'));
      else if (isFailing && address.startsWith('busy')) done(refusal(421, 'come back later'));
      else done();
    },
    onData(stream, { envelope }, done) {
      const address = envelope.rcptTo[0].address;
      void text(stream).then((raw) => {
        if (address.startsWith('refused')) return done(refusal(554, 'smells like spam'));
        received.push(readMail(raw));
        if (isFailing && address.startsWith('drop')) for (const connection of server.connections) hangUp(connection);
        else done();
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as { port: number };
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    recover: () => void (isFailing = false),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const refusal = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode });

const hangUp = (connection: object): Socket => (Reflect.get(connection, '_socket') as Socket).destroy();
