import { once } from 'node:events';
import type { Agent } from 'node:https';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Settings } from '../../platform/config/settings.js';
import type { HostResolver } from './host-resolver.js';
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
    const sender = new WebhookSender(new WebhookTargets(resolver, settings));
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
