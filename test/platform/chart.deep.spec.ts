import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { HELM, KUBERNETES_VALIDATE } from '../support/production/programs.js';
import { requiring } from '../support/production/requiring.js';

const validator = join(KUBERNETES_VALIDATE, 'bin/kubernetes-validate');
const isInstalled = [HELM, validator].every((program) => existsSync(program));
const say =
  'scripts/production-programs.sh builds helm (with Go) and installs kubernetes-validate, which render and check the chart and ' +
  'of which this machine lacks one.';
const describeIfInstalled = requiring(isInstalled ? undefined : say);

const CHART = 'deploy/helm';

/** The exit code and what helm wrote. */
function helm(...words: string[]): [code: number | null, output: string] {
  const { status, stdout, stderr } = spawnSync(HELM, words, { encoding: 'utf8' });
  return [status, `${stdout}${stderr}`];
}

interface Container {
  env: { name: string; value: string }[];
  envFrom: { secretRef: { name: string } }[];
  image: string;
  ports: { name: string; containerPort: number }[];
}
interface Resource {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown> & {
    selector?: Record<string, unknown>;
    template?: {
      metadata: { labels: Record<string, string> };
      spec: { containers: Container[]; terminationGracePeriodSeconds?: number };
    };
  };
}

const settled = (values: string[]): string[] => ['secret=worksmith', ...values].flatMap((value) => ['--set', value]);

/** What helm writes for these values. */
function manifest(...values: string[]): string {
  const [code, output] = helm('template', 'demo', CHART, ...settled(values));
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

/** The resources of the chart with these values. */
const rendered = (...values: string[]): Resource[] =>
  (loadAll(manifest(...values)) as (Resource | null)[]).filter((resource) => resource !== null);

/** What a release of Kubernetes finds wrong in these objects; unknown fields are wrong. */
function faults(objects: string, release: string): string[] {
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('python3', [validator, '--strict', '-k', release, '-'], {
    encoding: 'utf8',
    input: objects,
    env: { PATH, PYTHONPATH: KUBERNETES_VALIDATE, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line !== '' && !/^INFO .* passed for /.test(line));
  return status === 0 ? lines : [`exit code ${status}`, ...lines];
}

const EVERYTHING = [
  'ingress.enabled=true',
  'ingress.className=nginx',
  'ingress.tlsSecret=cert',
  'ingress.annotations.a=b',
  'migrationSecret=owner',
  'imagePullSecrets[0].name=registry',
  'podAnnotations.a=b',
  'nodeSelector.disk=fast',
  'tolerations[0].key=spot',
  'settings.WORKERS=2',
];

const named = (resources: Resource[]): string[] =>
  resources.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted();
const containerOf = (resources: Resource[], kind: string): Container => {
  const [container] = resources.find((resource) => resource.kind === kind)?.spec.template?.spec.containers ?? [];
  return container;
};

describeIfInstalled('the chart', () => {
  it('passes the checks of helm', () => {
    const [code, output] = helm('lint', '--strict', CHART, '--set', 'secret=worksmith');
    expect([code, output]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it.each(['1.27', '1.32', '1.37'])(
    'consists of objects that Kubernetes %s knows, without any other field',
    (release) => {
      expect(faults(manifest(), release)).toEqual([]);
      expect(faults(manifest(...EVERYTHING), release)).toEqual([]);
      const misspelt = manifest().replace('periodSeconds: 2', 'periodSecond: 2');
      expect(faults(misspelt, release).join('\n')).toContain('periodSecond');
    },
  );

  it.each([
    ['replica=3', 'replica'],
    ['replicas=0', '/replicas'],
    ['settings.JWT_SECRET=abc', 'JWT_SECRET'],
    ['settings.DATABASE_URL=postgres://a', 'DATABASE_URL'],
    ['metrics.port=80', '/metrics/port'],
    ['image.pullPolicy=Sometimes', '/image/pullPolicy'],
  ])('refuses %s and names %s', (value, name) => {
    const [code, output] = helm('template', 'demo', CHART, ...settled([value]));
    expect([code, output]).toEqual([1, expect.stringContaining(name)]);
  });

  it('asks every replica whether it can read, and lets the rest go on where only writes fail', () => {
    expect(containerOf(rendered(), 'Deployment')).toMatchObject({
      startupProbe: { httpGet: { path: '/health/live', port: 'http' } },
      readinessProbe: { httpGet: { path: '/health/ready?for=read', port: 'http' } },
      livenessProbe: { httpGet: { path: '/health/live', port: 'http' } },
      resources: { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1536Mi' } },
    });
  });

  it.each([
    ['5000', 45],
    ['60000', 100],
  ])('kills a replica with DRAIN_MS=%s only after it had time to end', (drain, seconds) => {
    const resources = rendered(`settings.DRAIN_MS=${drain}`);
    const pod = resources.find(({ kind }) => kind === 'Deployment')?.spec.template?.spec;
    expect(pod?.terminationGracePeriodSeconds).toBe(seconds);
    expect(seconds * 1_000).toBeGreaterThan(Number(drain) + 25_000);
  });

  it('sends requests only to replicas, not to the pod that migrates', () => {
    const resources = rendered();
    const labels = (kind: string) => resources.find((one) => one.kind === kind)?.spec.template?.metadata.labels ?? {};
    for (const { spec } of resources.filter(({ kind }) => kind === 'Service')) {
      const { selector = {} } = spec;
      expect(labels('Deployment')).toMatchObject(selector);
      expect(labels('Job')).not.toMatchObject(selector);
    }
    const ports = containerOf(resources, 'Deployment').ports.map(({ name }) => name);
    expect(ports).toEqual(['http', 'metrics']);
  });

  it('says which secret it needs', () => {
    const [code, output] = helm('template', 'demo', CHART);
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Set secret to the name of a secret with DATABASE_URL'),
    ]);
  });

  it('makes replicas, a job that migrates before them, and services', () => {
    const resources = rendered();
    expect(named(resources)).toEqual([
      'Deployment demo',
      'Job demo-migrate',
      'PodDisruptionBudget demo',
      'Service demo',
      'Service demo-metrics',
    ]);
    const [job] = resources.filter(({ kind }) => kind === 'Job');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    expect(named(rendered('replicas=1', 'metrics.enabled=false', 'ingress.enabled=true'))).toEqual([
      'Deployment demo',
      'Ingress demo',
      'Job demo-migrate',
      'Service demo',
    ]);
  });

  it.each(['Deployment', 'Job'])('lets the %s run without rights, and write only temporary files', (kind) => {
    const resources = rendered();
    const pod = resources.find((resource) => resource.kind === kind)?.spec.template?.spec;
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      volumes: [{ name: 'temporary', emptyDir: expect.any(Object) as object }],
    });
    expect(containerOf(resources, kind)).toMatchObject({
      image: 'worksmith:0.1.0',
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
    });
  });

  it('passes settings on as texts, without those that are empty, and secrets by reference', () => {
    const resources = rendered('settings.WORKERS=2', 'settings.SELF_REGISTRATION=false', 'migrationSecret=owner');
    const { env, envFrom } = containerOf(resources, 'Deployment');
    expect(env.map(({ name, value }) => `${name}=${value}`).toSorted()).toEqual([
      'DRAIN_MS=5000',
      'METRICS_PORT=9464',
      'NODE_ENV=production',
      'SELF_REGISTRATION=false',
      'WORKERS=2',
    ]);
    expect(env.map(({ value }) => typeof value)).toEqual(env.map(() => 'string'));
    expect(resources.map(({ kind }) => kind)).not.toContain('Secret');
    expect(envFrom).toEqual([{ secretRef: { name: 'worksmith' } }]);
    expect(containerOf(resources, 'Job').envFrom.map(({ secretRef: { name } }) => name)).toEqual([
      'worksmith',
      'owner',
    ]);
  });

  it('has an ingress with TLS if a secret is named', () => {
    const resources = rendered('ingress.enabled=true', 'ingress.host=work.example.org', 'ingress.tlsSecret=cert');
    expect(resources.find(({ kind }) => kind === 'Ingress')?.spec).toMatchObject({
      tls: [{ hosts: ['work.example.org'], secretName: 'cert' }],
      rules: [{ host: 'work.example.org' }],
    });
  });
});
