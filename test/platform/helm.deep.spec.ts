import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { loadAll } from 'js-yaml';
import { HELM } from '../support/production/programs.js';

const say = 'scripts/production-programs.sh builds helm, which renders the chart and which this machine lacks.';
const isInstalled = existsSync(HELM);
if (!isInstalled) process.stderr.write(`NOT RUN  ${say}\n`);

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
  securityContext: object;
  ports?: { name: string; containerPort: number }[];
}
interface Resource {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: Record<string, unknown> & { template?: { spec: { containers: Container[]; securityContext: object } } };
}

/** The resources of the chart with these values. */
function rendered(...values: string[]): Resource[] {
  const words = ['secret=worksmith', ...values].flatMap((value) => ['--set', value]);
  const [code, output] = helm('template', 'demo', CHART, ...words);
  expect([code, output]).toEqual([0, expect.any(String)]);
  return (loadAll(output) as (Resource | null)[]).filter((resource) => resource !== null);
}

const named = (resources: Resource[]): string[] =>
  resources.map(({ kind, metadata: { name } }) => `${kind} ${name}`).toSorted();
const containerOf = (resources: Resource[], kind: string): Container => {
  const [container] = resources.find((resource) => resource.kind === kind)?.spec.template?.spec.containers ?? [];
  return container;
};

it('has helm, or says that it is missing and fails in CI', () => {
  if (process.env.CI === 'true') expect(isInstalled ? '' : say).toBe('');
});

(isInstalled ? describe : describe.skip)('the chart', () => {
  it('passes the checks of helm', () => {
    const [code, output] = helm('lint', '--strict', CHART, '--set', 'secret=worksmith');
    expect([code, output]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
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
