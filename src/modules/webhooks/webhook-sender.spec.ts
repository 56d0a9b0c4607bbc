import { once } from 'node:events';
import type { Agent } from 'node:https';
import { createServer, type Server } from 'node:https';
import { createServer as createNetServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Settings } from '../../platform/config/settings.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { Release } from '../../platform/release/release.js';
import { Tracing } from '../../platform/tracing/tracing.js';
import type { HostResolver } from '../../platform/outgoing/host-resolver.js';
import { WebhookSender } from './webhook-sender.js';
import { WebhookTargets } from './webhook-targets.js';

/** A self-signed certificate for hooks.example.test, valid until 2126; only used in this test. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBsDCCAVagAwIBAgIUD+TZ3LKGqQIMU1HrtbzvR8hOYVQwCgYIKoZIzj0EAwIw
HTEbMBkGA1UEAwwSaG9va3MuZXhhbXBsZS50ZXN0MCAXDTI2MTEyMzA5NTMzOFoY
DzIxMjYxMDMwMDk1MzM4WjAdMRswGQYDVQQDDBJob29rcy5leGFtcGxlLnRlc3Qw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASR8mf9dZoqvtOQMDNHZtmZQ1hXAFeP
7MRVb5Rv4dOL66TjOrWS5qJNM0YhkjhVFg693KlxSiqcdj0R4WNEJWOro3IwcDAd
BgNVHQ4EFgQUlsNoN8R5+COZTXJSNimt9P9acMowHwYDVR0jBBgwFoAUlsNoN8R5
+COZTXJSNimt9P9acMowDwYDVR0TAQH/BAUwAwEB/zAdBgNVHREEFjAUghJob29r
cy5leGFtcGxlLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIhAMj7oezy0OogfzxrPZqL
8rVj9MqYO0W57PAiZUb+HrB0AiBdaQCRArbeG6LGQth3L39CGUcLzde3Che7VE8U
mUqFpw==
-----END CERTIFICATE-----`;
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg3bYztK1aoB5fFMrd
BKTR9QIt9Gsz5DHBrcovbeTjm92hRANCAASR8mf9dZoqvtOQMDNHZtmZQ1hXAFeP
7MRVb5Rv4dOL66TjOrWS5qJNM0YhkjhVFg693KlxSiqcdj0R4WNEJWOr
-----END PRIVATE KEY-----`;

const untraced = new Tracing({} as Settings, {} as Release, new Metrics());

describe('sending webhooks by https', () => {
  let server: Server;
  let port: number;
  let received: { servername: unknown; host?: string; body: string }[];

  beforeEach(async () => {
    received = [];
    server = createServer({ cert: CERTIFICATE, key: KEY }, (request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        received.push({
          servername: (request.socket as TLSSocket & { servername?: string }).servername,
          host: request.headers.host,
          body,
        });
        response.writeHead(204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(async () => {
    server.close();
    await once(server, 'close');
  });

  /** A sender that resolves every name to the server of this test. */
  const senderThat = ({ trusts }: { trusts: boolean }): WebhookSender => {
    const settings = { WEBHOOK_HTTP: false, WEBHOOK_ALLOW: ['127.0.0.1/32'] } as unknown as Settings;
    const resolver = { addressesOf: () => Promise.resolve(['127.0.0.1']) } as unknown as HostResolver;
    const sender = new WebhookSender(new WebhookTargets(resolver, settings), untraced);
    const { agents } = sender as unknown as { agents: { 'https:': Agent } };
    if (trusts) Object.assign(agents['https:'].options, { ca: CERTIFICATE });
    return sender;
  };
  const send = (sender: WebhookSender, name: string) =>
    sender.send(`https://${name}:${port}/in?a=1`, '{"type":"x"}', {});

  it('connects to the checked address with the host name of the target, and verifies the certificate', async () => {
    const attempt = await send(senderThat({ trusts: true }), 'hooks.example.test');
    expect(attempt).toMatchObject({ status: 204, error: null });
    const host = `hooks.example.test:${port}`;
    expect(received).toEqual([{ servername: 'hooks.example.test', host, body: '{"type":"x"}' }]);
  });

  it('sends nothing if the certificate has no trusted issuer or another name', async () => {
    const unsigned = await send(senderThat({ trusts: false }), 'hooks.example.test');
    expect(unsigned).toMatchObject({ status: null, error: 'The request failed (DEPTH_ZERO_SELF_SIGNED_CERT).' });
    const other = await send(senderThat({ trusts: true }), 'other.example.test');
    expect(other).toMatchObject({ status: null, error: 'The request failed (ERR_TLS_CERT_ALTNAME_INVALID).' });
    expect(received).toEqual([]);
  });
});

describe('a webhook whose receiver does not behave', () => {
  let server: NetServer;
  let sockets: Socket[];
  let answer: (socket: Socket) => void;

  beforeEach(async () => {
    sockets = [];
    server = createNetServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.once('data', () => answer(socket));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const send = async (timeoutMs: number, payload = '{"type":"x"}') => {
    const settings = { WEBHOOK_HTTP: true, WEBHOOK_ALLOW: ['127.0.0.1/32'] } as unknown as Settings;
    const sender = new WebhookSender(new WebhookTargets({} as HostResolver, settings), untraced);
    Object.assign(sender, { timeoutMs });
    const attempt = await sender.send(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, payload, {});
    // The connection is closed too, so that none is left when the process has to end.
    for (const socket of sockets) {
      if (!socket.destroyed) await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()));
    }
    return attempt;
  };
  const endless = (socket: Socket, piece: string): void => {
    if (!socket.destroyed) socket.write(piece, () => setImmediate(() => endless(socket, piece)));
  };
  const LATE = { status: null, error: 'The receiver did not respond within 15 seconds.' };

  it('fails at once after an upgrade, which would otherwise never end', async () => {
    const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
    answer = (socket) => socket.write(upgrade);
    expect(await send(60_000)).toMatchObject({ status: 101, error: 'The receiver responded with 101.' });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['no response', () => undefined],
    ['half a response', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Le')],
    ['an upgrade without a protocol', (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')],
    [
      'informational responses without end',
      (socket) => endless(socket, 'HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\n'),
    ],
  ])('fails at its deadline after %s', async (_, respond) => {
    answer = respond;
    const attempt = await send(300);
    expect([LATE.error, 'The receiver responded with 101.']).toContain(attempt.error);
  });

  it.each<[string, string, (socket: Socket) => void]>([
    ['headers without end', 'HPE_HEADER_OVERFLOW', (socket) => endless(socket, `X: ${'y'.repeat(9_999)}\r\n`)],
    ['no HTTP', 'HPE_INVALID_CONSTANT', (socket) => socket.write('SSH-2.0-x\r\n')],
  ])('fails after %s', async (_, code, respond) => {
    answer = (socket) => {
      socket.write(code === 'HPE_HEADER_OVERFLOW' ? 'HTTP/1.1 200 OK\r\n' : '');
      respond(socket);
    };
    expect(await send(60_000)).toMatchObject({ status: null, error: `The request failed (${code}).` });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['is never finished', (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nHalf')],
    ['is endless', (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\n', () => endless(socket, 'x'.repeat(9_999)))],
    [
      'comes before the request is read',
      (socket) => socket.pause().write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
    ],
  ])('succeeds with a response of 2xx whose body %s', async (_, respond) => {
    answer = respond;
    expect(await send(5_000, 'x'.repeat(5_000_000))).toMatchObject({ status: 200, error: null });
  });
});
