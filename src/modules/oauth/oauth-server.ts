import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { METADATA_PATHS } from '../../common/programs.js';
import { serviceAddress } from '../../platform/config/address.js';
import { Settings } from '../../platform/config/settings.js';
import { assetOf, serveAsset } from '../../platform/http/server/asset.js';
import { EXPLORER } from '../../platform/http/server/explorer.js';
import { RequestContext } from '../../platform/context/request-context.js';
import { SECURITY_HEADERS } from '../../platform/http/server/security-headers.js';
import { LocalWindow } from '../../platform/limits/local-window.js';
import { CONSENT_PAGE, ENDPOINTS, resourceMetadata, serverMetadata } from './oauth-addresses.js';
import { OauthProvider } from './oauth-provider.js';
import { PAGE_POLICY } from './page-policy.js';

/** What the library answers. Its page for the codes of devices is not served: people type them on a page of the service. */
const PASSED: readonly [HTTPMethods, string][] = [
  ['GET', ENDPOINTS.authorization],
  ['GET', `${ENDPOINTS.authorization}/:uid`],
  ['POST', ENDPOINTS.token],
  ['POST', ENDPOINTS.revocation],
  ['POST', ENDPOINTS.device_authorization],
];
/** The requests of programs from one address in a minute: codes and tokens are too long to be guessed. */
const MOST_PER_MINUTE = 300;

type TypedRequest = FastifyRequest & { sentType?: string };

/** Serves the authorization server (OAuth 2.1) at the root, beside the interface, with the errors of its standard. */
@Injectable()
export class OauthServer {
  private readonly requests = new LocalWindow();

  constructor(
    private readonly context: RequestContext,
    private readonly provider: OauthProvider,
    private readonly settings: Settings,
  ) {}

  register(fastify: FastifyInstance): void {
    const document = (make: (settings: Settings) => object) => async () =>
      assetOf(JSON.stringify(make(this.settings)), '.json');
    serveAsset(fastify, '/.well-known/oauth-authorization-server', document(serverMetadata));
    // The path of the resource follows (RFC 9728, section 3.1).
    serveAsset(fastify, '/.well-known/oauth-protected-resource', document(resourceMetadata));
    serveAsset(fastify, METADATA_PATHS.api, document(resourceMetadata));
    // For requests of this browser, and as /device for codes of devices.
    const page = async () => assetOf(await readFile(join(EXPLORER, 'consent.html')), '.html');
    serveAsset(fastify, `${CONSENT_PAGE}/:authorization`, page, { 'content-security-policy': PAGE_POLICY });
    void fastify.register(async (oauth) => {
      oauth.removeAllContentTypeParsers();
      // The library reads the bodies.
      oauth.addContentTypeParser('*', (_request, _payload, done) => done(null));
      for (const [method, url] of PASSED) {
        oauth.route({ method, url, exposeHeadRoute: false, handler: (request, reply) => this.pass(request, reply) });
      }
    });
  }

  private async pass(request: TypedRequest, reply: FastifyReply): Promise<void> {
    const { count, endsIn } = this.requests.count(this.context.clientNetwork);
    if (count > MOST_PER_MINUTE) {
      const description = `At most ${MOST_PER_MINUTE} requests from one address are accepted per minute.`;
      void reply.code(429).header('retry-after', String(Math.ceil(endsIn)));
      return void reply.send({ error: 'temporarily_unavailable', error_description: description });
    }
    const { handle } = await this.provider.open();
    const { raw } = request;
    const { protocol, host } = new URL(serviceAddress(this.settings));
    // The content type was replaced before the body was read. Behind a proxy, the address is that of PUBLIC_URL too.
    Object.assign(raw.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
    if (request.sentType !== undefined) raw.headers['content-type'] = request.sentType;
    reply.hijack();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) reply.raw.setHeader(name, value);
    reply.raw.setHeader('x-request-id', request.id);
    await handle(raw, reply.raw);
  }
}
