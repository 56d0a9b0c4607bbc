import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { Secrets } from '../../src/platform/config/secrets.js';
import { Settings } from '../../src/platform/config/settings.js';
import type { MailTransport } from '../../src/platform/mail/mail-transport.js';
import { FileTransport } from '../../src/platform/mail/file-transport.js';
import { MailContents } from '../../src/platform/mail/mail-contents.js';
import { MailQueue } from '../../src/platform/mail/mail-queue.js';
import { MailSecrets } from '../../src/platform/mail/mail-secrets.js';
import { MailWorker } from '../../src/platform/mail/mail-worker.js';
import { Outbox } from '../../src/platform/mail/outbox.js';
import { SmtpTransport } from '../../src/platform/mail/smtp-transport.js';
import { Metrics } from '../../src/platform/metrics/metrics.js';
import { Tracing } from '../../src/platform/tracing/tracing.js';
import { InProcessApp } from '../support/in-process-app.js';
import { mailsTo } from '../support/mailbox.js';
import { OffsetClock, ScriptedMailTransport } from '../support/mail-room.js';
import { startMailServer, type TestMailServer } from '../support/post-office.js';

const CODE = /^[0-9a-z]{3}-[0-9a-z]{3}-[0-9a-z]{3}$/;
const HOUR = 3_600_000;

let app: InProcessApp;
let office: TestMailServer;
let clock: OffsetClock;
let contents: MailContents;
const open: MailTransport[] = [];

beforeAll(async () => {
  app = await InProcessApp.open();
});
beforeEach(async () => {
  await app.database.query('DELETE FROM outbox');
  office = await startMailServer();
  clock = new OffsetClock();
  contents = new MailContents();
  contents.provide('verification', async ({ name }, mail) => ({ name: String(name), code: mail.code(), minutes: 60 }));
});
afterEach(async () => {
  for (const carrier of open.splice(0)) carrier.close();
  await office.close();
});
afterAll(() => app.close());

/** Creates the worker of another replica on the same outbox. */
function worker(
  carrier: MailTransport = new SmtpTransport(office.url, 'Us <us@example.test>'),
  BACKGROUND_JOBS = false,
): MailWorker {
  open.push(carrier);
  const settings = Object.assign(new Settings(), { BACKGROUND_JOBS });
  const secrets = new MailSecrets(app.nest.get(Secrets, { strict: false }));
  const queue = new MailQueue(app.database, clock, new Metrics());
  const tracing = app.nest.get(Tracing);
  return new MailWorker(app.database, queue, contents, secrets, carrier, settings, tracing);
}

function send(to: string, more: object = {}): Promise<void> {
  const outbox = app.nest.get(Outbox, { strict: false });
  return outbox.send({ kind: 'verification', to, lang: 'en', data: { name: 'Ann' }, reference: to, ...more });
}
const statusOf = (to: string) => app.nest.get(Outbox, { strict: false }).statusOf(to);

async function rowOf(to: string): Promise<Record<string, unknown>> {
  const [row] = await app.database.query('SELECT status, attempts, last_error FROM outbox WHERE recipient = $1', [to]);
  return row;
}

describe('the outbox', () => {
  it('sends codes first, and then mails of all senders in turns, however many one of them has', async () => {
    contents.provide('message_copy', ({ name }) =>
      Promise.resolve({ name: String(name), sender: '', subject: '', content: '' }),
    );
    const outbox = app.nest.get(Outbox, { strict: false });
    const copies = (sender: string, count: number) =>
      Array.from({ length: count }, (_, n) => ({
        kind: 'message_copy' as const,
        to: `${sender}${n}@example.test`,
        lang: 'en',
        data: { name: sender },
        sender,
      }));
    await outbox.sendAll(copies('eve', 30));
    await outbox.sendAll(copies('eve', 5).map((mail) => ({ ...mail, to: `more.${mail.to}` })));
    await outbox.sendAll(copies('ann', 2));
    await send('ben@example.test');
    const queue = new MailQueue(app.database, clock, new Metrics());
    const claimed: string[] = [];
    for (let mail = await queue.claim(); mail !== undefined; mail = await queue.claim()) claimed.push(mail.recipient);
    expect(claimed.slice(0, 5)).toEqual([
      'ben@example.test',
      'eve0@example.test',
      'ann0@example.test',
      'eve1@example.test',
      'ann1@example.test',
    ]);
    expect(claimed).toHaveLength(38);
    expect(claimed.at(-1)).toBe('more.eve4@example.test');
  });

  it('belongs to the transaction of the cause, and does not send mails that have lapsed', async () => {
    contents.provide('invitation', () => Promise.resolve(undefined));
    await send('late@example.test', { kind: 'invitation' });
    const work = app.database.transaction(async () => {
      await send('never@example.test');
      throw new Error('undone');
    });
    await expect(work).rejects.toThrow('undone');
    await worker().sendDue();
    expect(await statusOf('never@example.test')).toBeUndefined();
    expect(await statusOf('late@example.test')).toBe('lapsed');
    expect(office.received).toEqual([]);
  });

  it('commits the hash of a code before the code is sent', async () => {
    await app.observer.query('CREATE TABLE hashes (code text)');
    contents.provide('password_reset', async (_, mail) => {
      await app.database.query('INSERT INTO hashes VALUES ($1)', [mail.code()]);
      return { name: 'Ann', code: mail.code(), minutes: 15 };
    });
    const seen: unknown[] = [];
    const carrier = new ScriptedMailTransport(async ({ secret }) => {
      seen.push(...(await app.database.query('SELECT code FROM hashes WHERE code = $1', [secret])));
    });
    await send('ann@example.test', { kind: 'password_reset' });
    await worker(carrier).sendDue();
    expect(seen).toHaveLength(1);
  });
});

describe('a mail server', () => {
  it('receives the mail once, with a code', async () => {
    await send('ann@example.test', { lang: 'de-AT' });
    await worker().sendDue();
    await worker().sendDue();
    expect(office.received).toHaveLength(1);
    const [mail] = office.received;
    expect(mail.subject).toBe('Bitte bestätige deine E-Mail-Adresse');
    expect(mail.code).toMatch(CODE);
    expect(mail.html).toContain(mail.code);
    expect(mail.headers).toMatchObject({ from: 'Us <us@example.test>', 'auto-submitted': 'auto-generated' });
    expect(mail.headers['message-id']).toMatch(/^<[0-9a-f-]{36}@example\.test>$/);
  });

  it('that is unreachable receives the mail later', async () => {
    const unreachable = new SmtpTransport('smtp://127.0.0.1:1', 'us@example.test');
    await send('ann@example.test');
    await worker(unreachable).sendDue();
    expect(await rowOf('ann@example.test')).toMatchObject({
      status: 'pending',
      last_error: expect.stringContaining('ECONNREFUSED'),
    });
    await worker().sendDue();
    expect(office.received).toEqual([]);
    clock.advance(HOUR);
    await worker().sendDue();
    expect(office.received).toHaveLength(1);
    expect(await statusOf('ann@example.test')).toBe('sent');
  });

  it.each([
    ['rejects it temporarily', 'busy@example.test', 1],
    ['disconnects after receiving it', 'drop@example.test', 2],
  ])('that %s receives the same mail again', async (_, to, copies) => {
    await send(to);
    await worker().sendDue();
    expect(await statusOf(to)).toBe('pending');
    office.recover();
    clock.advance(HOUR);
    await worker().sendDue();
    expect(await statusOf(to)).toBe('sent');
    expect(office.received).toHaveLength(copies);
    expect(new Set(office.received.map(({ headers }) => headers['message-id'])).size).toBe(1);
    expect(new Set(office.received.map(({ code }) => code)).size).toBe(1);
  });

  it.each([
    ['does not know the recipient', 'gone@example.test', 'no such user'],
    ['rejects the mail permanently', 'refused@example.test', 'smells like spam'],
  ])('that %s does not receive it again', async (_, to, reason) => {
    await send(to);
    await worker().sendDue();
    expect(await rowOf(to)).toEqual({ status: 'failed', attempts: 1, last_error: expect.stringContaining(reason) });
  });

  it('is retried at increasing intervals for a day, then the mail is stored as failed with the error', async () => {
    await send('busy@example.test');
    let tries = 0;
    const patient = worker(new ScriptedMailTransport(() => Promise.reject(new Error('come back later'))));
    for (let minutes = 0; minutes < 26 * 60; minutes += 15) {
      await patient.sendDue();
      clock.advance(15 * 60_000);
      tries = Number((await rowOf('busy@example.test')).attempts);
    }
    expect(await rowOf('busy@example.test')).toMatchObject({
      status: 'failed',
      last_error: expect.stringContaining('come back later'),
    });
    expect(tries).toBeGreaterThan(30);
    expect(tries).toBeLessThan(100);
  });
});

describe('workers', () => {
  it('send each mail once, however many workers there are', async () => {
    const begun = new Set<number>();
    // Each transport delays its first mail until the others have one, too.
    const untilAllBegan = async (n: number): Promise<void> => {
      for (begun.add(n); begun.size < 3;) await sleep(1);
    };
    const carriers = Array.from({ length: 3 }, (_, n) => new ScriptedMailTransport(() => untilAllBegan(n)));
    const names = Array.from({ length: 60 }, (_, n) => `p${n}@example.test`);
    for (const name of names) await send(name);
    await Promise.all(carriers.map((carrier) => worker(carrier).sendDue()));
    const sent = carriers.flatMap(({ sentMails }) => sentMails.map(({ to }) => to));
    expect(sent.sort()).toEqual(names.sort());
    expect(carriers.filter(({ sentMails }) => sentMails.length > 0)).toHaveLength(3);
  });

  it('send the same mail with the same code after another worker died while sending it', async () => {
    await send('ann@example.test');
    const dying = new ScriptedMailTransport();
    const death = new Promise<never>(() => undefined);
    const hangingTransport = new ScriptedMailTransport(async (mail) => {
      await dying.send(mail);
      await death;
    });
    void worker(hangingTransport).sendDue();
    while (dying.sentMails.length === 0) await sleep(5);
    const nextTransport = new ScriptedMailTransport();
    await worker(nextTransport).sendDue();
    expect(nextTransport.sentMails).toEqual([]);
    await app.database.query("UPDATE outbox SET locked_until = now() - interval '1 second'");
    await worker(nextTransport).sendDue();
    expect(nextTransport.sentMails).toEqual(dying.sentMails);
    expect(await statusOf('ann@example.test')).toBe('sent');
  });

  it('are not delayed by a mail that takes long or cannot be composed', async () => {
    contents.provide('password_changed', () => Promise.reject(new Error('no such user')));
    const stuck = new AbortController();
    const carrier = new ScriptedMailTransport(({ to }) =>
      to.startsWith('slow') ? sleep(60_000, undefined, { signal: stuck.signal }) : Promise.resolve(),
    );
    await send('broken@example.test', { kind: 'password_changed' });
    await send('slow@example.test');
    for (let n = 0; n < 20; n += 1) await send(`p${n}@example.test`);
    const busy = worker(carrier, true);
    busy.onApplicationBootstrap();
    while (carrier.sentMails.length < 20) await sleep(5);
    expect(await rowOf('broken@example.test')).toMatchObject({ status: 'pending', last_error: 'no such user' });
    stuck.abort();
    await busy.onModuleDestroy();
    expect(await statusOf('slow@example.test')).toBe('pending');
  });

  it('finish the mails in progress when they are stopped, and start no others', async () => {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const carrier = new ScriptedMailTransport(() => finished);
    for (let n = 0; n < 10; n += 1) await send(`p${n}@example.test`);
    const busy = worker(carrier, true);
    busy.onApplicationBootstrap();
    while ((await app.database.query('SELECT 1 FROM outbox WHERE attempts > 0')).length === 0) await sleep(2);
    const stopped = busy.onModuleDestroy();
    finish();
    await stopped;
    const sent = await app.database.query("SELECT 1 FROM outbox WHERE status = 'sent'");
    expect(sent).toHaveLength(carrier.sentMails.length);
    expect(sent.length).toBeLessThan(10);
    expect(await app.database.query('SELECT 1 FROM outbox WHERE locked_until IS NOT NULL')).toEqual([]);
  });
});

describe('files', () => {
  it('contain complete mails that only the service can read, and the log has their codes', async () => {
    const log = jest.spyOn(Logger.prototype, 'log');
    const directory = join(app.dataDir, 'files');
    await send('ann@example.test');
    await send('ann@example.test');
    await send('../../o"dd@example.test');
    await worker(new FileTransport(directory, 'us@example.test')).sendDue();
    const names = readdirSync(directory);
    expect(names).toHaveLength(3);
    for (const name of names) {
      expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[a-z_.]+@example\.test\.eml$/);
      expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
    }
    const [mail] = mailsTo('ann@example.test', directory);
    expect(mail.text).toContain('It is valid for 60 minutes');
    expect(log).toHaveBeenCalledWith(`to ann@example.test: Confirm your e-mail address: ${mail.code}`);
    log.mockRestore();
  });
});
