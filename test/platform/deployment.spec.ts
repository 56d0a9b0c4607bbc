import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { getMetadataStorage } from 'class-validator';
import { withoutSecret } from '../../src/platform/config/read-settings.js';
import { Settings } from '../../src/platform/config/settings.js';
import { makeAdapter } from '../../src/platform/http/server/adapter.js';

const compose = readFileSync('deploy/compose.yaml', 'utf8');
const haproxy = readFileSync('deploy/haproxy.cfg', 'utf8');
const example = readFileSync('deploy/.env.example', 'utf8');
const unit = readFileSync('deploy/systemd/worksmith.service', 'utf8');

/** A `timeout` of the proxy in milliseconds; its configuration is in seconds. */
const timeout = (name: string): number => Number(new RegExp(`timeout ${name} (\\d+)s$`, 'm').exec(haproxy)?.[1]) * 1000;

const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

const known = [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(Settings, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
/** Addresses whose credentials are settings of their own. */
const BARE_ADDRESSES = [
  'PUBLIC_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'AUDIT_SINK',
  'FILES_S3_ENDPOINT',
  'FILES_S3_PUBLIC_ENDPOINT',
];

describe('the chart', () => {
  const values = load(readFileSync('deploy/helm/values.yaml', 'utf8')) as { settings: Record<string, string> };
  const pod = readFileSync('deploy/helm/templates/deployment.yaml', 'utf8');

  it('gives the replicas only settings that exist', () => {
    const given = [
      ...Object.keys(values.settings),
      ...[...pod.matchAll(/- name: ([A-Z_]+)$/gm)].map(([, name]) => name),
    ];
    expect(given).toContain('METRICS_PORT');
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('refuses secrets among the settings, which Kubernetes shows', () => {
    const { properties } = JSON.parse(readFileSync('deploy/helm/values.schema.json', 'utf8')) as {
      properties: { settings: { propertyNames: { not: { pattern: string } } } };
    };
    const isRefused = new RegExp(properties.settings.propertyNames.not.pattern);
    const secret = known.filter((name) => withoutSecret(name, 'no URL') === '(set)');
    expect(secret).toEqual(expect.arrayContaining(['JWT_SECRET', 'PEPPER', 'ADMIN_PASSWORD', 'DATABASE_URL']));
    const hasCredentials = secret.filter((name) => !BARE_ADDRESSES.includes(name));
    expect(hasCredentials.filter((name) => !isRefused.test(name))).toEqual([]);
    expect(BARE_ADDRESSES.filter((name) => isRefused.test(name) || !secret.includes(name))).toEqual([]);
  });
});

describe('the deployment of several replicas', () => {
  const server = makeAdapter([]).getHttpServer() as {
    headersTimeout: number;
    requestTimeout: number;
    keepAliveTimeout: number;
  };

  it('gives the replicas only settings that exist', () => {
    const replica = compose.slice(0, compose.indexOf('\nservices:'));
    const given = [...replica.matchAll(/^ {4}([A-Z][A-Z0-9_]*):/gm)].map(([, name]) => name);
    expect(given).toContain('TRUSTED_PROXIES');
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('lists in .env.example every variable that compose.yaml requires', () => {
    const asked = [...compose.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name);
    const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual([...new Set(asked)].sort());
  });

  it('has a proxy that waits as long as the service, and closes idle connections before the service does', () => {
    expect(timeout('http-request')).toBe(server.headersTimeout);
    expect(timeout('client')).toBe(server.requestTimeout);
    expect(timeout('server')).toBeGreaterThan(60_000);
    expect(timeout('http-keep-alive')).toBeLessThan(server.keepAliveTimeout);
  });

  it('drains a replica until the proxy has noticed, and kills it only after it had time to end', () => {
    const inter = number(haproxy, /check inter (\d+)ms/);
    const fall = number(haproxy, /\bfall (\d+)/);
    const drain = number(compose, /DRAIN_MS: (\d+)/);
    expect(drain).toBeGreaterThan(2 * inter * fall);
    expect(number(compose, /stop_grace_period: (\d+)s/) * 1000).toBeGreaterThan(drain + 25_000);
  });

  it('lists each replica in the configuration of the proxy and in roll.sh', () => {
    const replicas = [...compose.matchAll(/^ {2}(replica-\d+):/gm)].map(([, name]) => name);
    expect(replicas.length).toBeGreaterThan(1);
    expect([...haproxy.matchAll(/^ {4}server (\S+)/gm)].map(([, name]) => name)).toEqual(replicas);
    expect(readFileSync('deploy/roll.sh', 'utf8')).toContain(`for replica in ${replicas.join(' ')}; do`);
  });

  it('has an image with the memory limit of npm start', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const started = scripts.start.split(' ').filter((word) => word.startsWith('--'));
    expect(started.join(' ')).toContain('--max-old-space-size=');
    expect(/NODE_OPTIONS="([^"]*)"/.exec(readFileSync('Dockerfile', 'utf8'))?.[1]).toBe(started.join(' '));
  });

  it('trusts only the proxy', () => {
    const proxy = /ipv4_address: (\S+)/.exec(compose)?.[1];
    expect(/TRUSTED_PROXIES: (\S+)/.exec(compose)?.[1]).toBe(proxy);
    expect(haproxy).toContain('http-request set-header X-Forwarded-For %[src]');
  });
});

describe('the unit for systemd', () => {
  it('starts the program that npm start builds, with the memory limit of npm start', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } };
    const started = scripts.start.split(' ').filter((word) => word.startsWith('--'));
    expect(/^Environment="NODE_OPTIONS=([^"]*)"$/m.exec(unit)?.[1]).toBe(started.join(' '));
    expect(readFileSync('Dockerfile', 'utf8')).toContain('CMD ["node", "dist/main.js"]');
    expect(unit).toMatch(/^ExecStart=\S*\/node dist\/main\.js$/m);
  });

  it('waits until a stopped service has finished open requests, and reloads settings by the signal that does it', () => {
    expect(number(unit, /^TimeoutStopSec=(\d+)$/m) * 1_000).toBeGreaterThan(25_000 + 10_000);
    expect(unit).toMatch(/^ExecReload=\S+ -HUP \$MAINPID$/m);
  });

  it('keeps the data of the embedded database where the service may write', () => {
    const [, state] = /^StateDirectory=(\S+)$/m.exec(unit) ?? [];
    expect(unit).toMatch(new RegExp(`^Environment=DATA_DIR=/var/lib/${state}/`, 'm'));
    expect(unit).toMatch(/^ProtectSystem=strict$/m);
  });
});

describe('the cluster', () => {
  const file = (name: string): string => readFileSync(`deploy/cluster/${name}`, 'utf8');
  const [patroni, pooler] = [file('patroni.yml'), file('pgbouncer.ini')];
  const value = (text: string, name: string): number => number(text, new RegExp(`^ *${name}(?: =|:) (\\d+)s?$`, 'm'));

  it('gives the replicas only settings that exist', () => {
    const given = [...file('worksmith.env').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(given).toContain('DATABASE_DIRECT_URL');
    expect(given.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('acknowledges a write on two machines, and has a lease that its primary can renew twice', () => {
    for (const line of ['synchronous_mode: true', 'synchronous_mode_strict: true', "synchronous_commit: 'on'"]) {
      expect(patroni).toContain(` ${line}\n`);
    }
    expect(value(patroni, 'loop_wait') + 2 * value(patroni, 'retry_timeout')).toBeLessThanOrEqual(
      value(patroni, 'ttl'),
    );
    expect(value(patroni, 'wal_sender_timeout')).toBeLessThan(value(patroni, 'ttl'));
    expect(file('haproxy.cfg')).toMatch(/^ +default-server .* on-marked-down shutdown-sessions$/m);
  });

  it('has a pooler on each machine that prepares statements and stays within the connections of the role', () => {
    const single = readFileSync('deploy/pgbouncer.ini', 'utf8');
    expect(pooler).toMatch(/^pool_mode = transaction$/m);
    expect(value(pooler, 'max_prepared_statements')).toBe(value(single, 'max_prepared_statements'));
    const allowed = number(readFileSync('deploy/postgres-init.sh', 'utf8'), /CONNECTION LIMIT (\d+)/);
    expect(3 * value(pooler, 'default_pool_size')).toBeLessThan(allowed);
    expect(value(pooler, 'server_login_retry')).toBe(1);
  });
});
