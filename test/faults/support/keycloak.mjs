import { execFile, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { registerCleanup } from './opened.mjs';
import { freePort, temporaryFolder } from './programs.mjs';

const VERSION = '26.7.3';
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy';
const ADMIN = { username: 'admin', password: 'the-administrator-of-the-tests' };
const REALM = 'company';
/** Starting it takes 43 s of the processor. */
const START_MS = 600_000;

const run = promisify(execFile);
const has = (program, argument) => spawnSync(program, [argument], { stdio: 'ignore' }).status === 0;

/** The folder of Keycloak, which is fetched by Maven at the first time (177 MB); throws, with what is missing, if it cannot be. */
export async function obtainKeycloak(say) {
  const isRoot = process.getuid?.() === 0;
  const cache = isRoot ? '/var/cache' : (process.env.XDG_CACHE_HOME ?? join(process.env.HOME ?? '', '.cache'));
  const parent = join(cache, 'worksmith');
  const folder = join(parent, `keycloak-${VERSION}`);
  if (existsSync(join(folder, 'bin/kc.sh'))) return folder;
  const missing = [
    ['a Java runtime (17 or newer)', 'java', '-version'],
    ['the archiver of a Java development kit (jar)', 'jar', '--version'],
    ['Maven (mvn)', 'mvn', '-v'],
  ].filter(([, program, argument]) => !has(program, argument));
  if (missing.length > 0)
    throw new Error(
      `Keycloak cannot be built here, because this is missing: ${missing.map(([what]) => what).join(', ')}.`,
    );
  say(`fetching Keycloak ${VERSION}`);
  mkdirSync(parent, { recursive: true });
  const work = mkdtempSync(join(parent, 'keycloak-'));
  const options = [`-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${work}`, '-Dmdep.stripVersion=true'];
  await run('mvn', ['-q', '-B', COPY, ...options], { cwd: work }).catch(({ stderr, stdout }) => {
    throw new Error(`Keycloak cannot be built here, because Maven does not get it:\n${stdout}${stderr}`);
  });
  await run('jar', ['xf', 'keycloak-quarkus-dist.zip'], { cwd: work });
  await run('chmod', ['+x', join(work, `keycloak-${VERSION}`, 'bin/kc.sh')]);
  renameSync(join(work, `keycloak-${VERSION}`), folder);
  await run('rm', ['-r', work]);
  return folder;
}

/** People, groups and the client of a company, as Keycloak imports them. */
const realmFor = ({ callback, logout, client, people }) => ({
  realm: REALM,
  enabled: true,
  sslRequired: 'none',
  groups: [{ name: 'leads' }, { name: 'staff' }],
  users: people.map(({ name, groups = [], isVerified = true, password }) => ({
    username: name,
    enabled: true,
    email: `${name}@company.test`,
    emailVerified: isVerified,
    firstName: name,
    lastName: 'Company',
    groups: groups.map((group) => `/${group}`),
    credentials: [{ type: 'password', value: password, temporary: false }],
  })),
  clients: [
    {
      clientId: client.id,
      secret: client.secret,
      enabled: true,
      protocol: 'openid-connect',
      standardFlowEnabled: true,
      redirectUris: [callback],
      attributes: {
        'backchannel.logout.url': logout,
        'backchannel.logout.session.required': 'true',
        'pkce.code.challenge.method': 'S256',
      },
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
});

/** Keycloak as a program of its own on loopback, with one realm. */
export class Keycloak {
  output = '';

  constructor(home, port, management) {
    Object.assign(this, { home, port, management });
    this.base = `http://127.0.0.1:${port}`;
    this.issuer = `${this.base}/realms/${REALM}`;
  }

  /** Prepares one that `launch` starts; its issuer is known before. It keeps its data in a copy of its folder. */
  static async prepare(folder) {
    const home = join(temporaryFolder('keycloak'), 'home');
    cpSync(folder, home, { recursive: true });
    return new Keycloak(home, await freePort(), await freePort());
  }

  /** Stores the realm, which the first start imports. */
  import(realm) {
    mkdirSync(join(this.home, 'data/import'), { recursive: true });
    writeFileSync(join(this.home, 'data/import', `${REALM}.json`), JSON.stringify(realmFor(realm)));
  }

  async launch() {
    const options = [
      '--http-host=127.0.0.1',
      `--http-port=${this.port}`,
      `--http-management-port=${this.management}`,
      `--hostname=${this.base}`,
      '--import-realm',
    ];
    const child = spawn(join(this.home, 'bin/kc.sh'), ['start-dev', ...options], {
      env: {
        ...process.env,
        KC_BOOTSTRAP_ADMIN_USERNAME: ADMIN.username,
        KC_BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
        JAVA_OPTS_APPEND: '-Xmx512m',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The script starts Java; both end together.
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        this.output = (this.output + text).slice(-20_000);
      });
    }
    this.child = child;
    this.ended = new Promise((resolve) => child.once('close', resolve));
    this.close ??= registerCleanup(() => this.stop());
    const until = Date.now() + START_MS;
    while (
      !(await fetch(`${this.issuer}/.well-known/openid-configuration`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      if (child.exitCode !== null || Date.now() > until) throw new Error(`Keycloak did not start:\n${this.output}`);
      await pause(200);
    }
  }

  async stop() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    process.kill(-Number(this.child.pid), 'SIGTERM');
    await this.ended;
  }

  /** Sends a request to its administration, below the realm. */
  async administer(method, path, body) {
    const form = new URLSearchParams({ grant_type: 'password', client_id: 'admin-cli', ...ADMIN });
    const tokens = await fetch(`${this.base}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: form,
    });
    const { access_token: token } = await tokens.json();
    const response = await fetch(`${this.base}/admin/realms/${REALM}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} is ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  /** The id of a person. */
  async idOf(name) {
    const [user] = await this.administer('GET', `/users?exact=true&username=${name}`);
    return user.id;
  }

  /** Puts keys in place of the present ones, as its operators do from time to time. */
  async rotate() {
    const isOfKeys = ({ providerType, providerId }) =>
      providerType === 'org.keycloak.keys.KeyProvider' && providerId.startsWith('rsa');
    const before = (await this.administer('GET', '/components')).filter(isOfKeys);
    const { id: parentId } = await this.administer('GET', '');
    await this.administer('POST', '/components', {
      name: 'next',
      parentId,
      providerId: 'rsa-generated',
      providerType: 'org.keycloak.keys.KeyProvider',
      config: { priority: ['1000'], enabled: ['true'], active: ['true'], algorithm: ['RS256'], keySize: ['2048'] },
    });
    for (const { id, providerId } of before) {
      if (providerId === 'rsa-generated') await this.administer('DELETE', `/components/${id}`);
    }
  }

  /** Signs in on its page, as a browser without scripts does, and returns what it sends back. */
  async signIn(address, name, password) {
    const first = await fetch(address, { redirect: 'manual' });
    const page = await first.text();
    const action = /id="kc-form-login"[^>]*action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&');
    if (action === undefined) throw new Error(`no page to sign in: ${first.status} ${page.slice(0, 500)}`);
    const cookie = first.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const body = new URLSearchParams({ username: name, password, credentialId: '' });
    const second = await fetch(action, { method: 'POST', body, headers: { cookie }, redirect: 'manual' });
    const location = second.headers.get('location');
    if (location === null) throw new Error(`not sent back: ${second.status} ${(await second.text()).slice(0, 500)}`);
    return Object.fromEntries(new URL(location).searchParams);
  }
}
