/**
 * `npm run check:clients`: generates clients from the OpenAPI document for TypeScript and Python (by two generators each),
 * Java, Go and Rust, compiles each strictly, and runs the programs in test/clients with them against a new service. Languages without
 * tools on this machine are skipped with a message. Downloads go to a temporary folder. `npm run check:clients -- Java Go`
 * checks only these two.
 */
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const GENERATOR = 'openapi-generator-cli==7.26.0';
const PYTHON_CLIENT = 'openapi-python-client==0.29.1';
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const GO_RUNTIME = 'github.com/oapi-codegen/runtime@v1.9.0';
const DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1';
const NPM_PACKAGES = ['openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const ORVAL_PACKAGES = ['orval@7.13.2', 'typescript@5.9.3'];
const ADMIN = { email: 'ada@example.com', password: 'two wooden ladders' };
const START_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), 'worksmith-clients-'));
// If root starts the database, it runs as another user, who must be able to reach its folder.
chmodSync(folder, 0o755);
const document = join(folder, 'openapi.json');

/** Runs a program to its end; throws with its output if it fails. */
function run(command, args, cwd = folder, environment = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: {
      ...process.env,
      npm_config_cache: join(folder, 'npm-cache'),
      PIP_CACHE_DIR: join(folder, 'pip-cache'),
      ...environment,
    },
  });
  if (status === 0) return stdout;
  const said = `${stdout}${stderr}`.trim().split('\n').slice(-60).join('\n');
  throw new Error(`${command} ${args[0] ?? ''} failed: ${error?.message ?? ''}\n${said}`);
}

const has = (command, ...args) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;
const maven = (args, cwd) => run('mvn', ['-q', '-B', `-Dmaven.repo.local=${join(folder, 'm2')}`, ...args], cwd);

let generator;
/** A client of openapi-generator, a Java program that is packaged on PyPI. */
function generate(language, options) {
  generator ??= python('generator', GENERATOR);
  const output = join(folder, language);
  const client = ['generate', '-i', document, '-g', language, '-o', output];
  const without = ['--global-property', 'modelTests=false,apiTests=false,modelDocs=false,apiDocs=false'];
  run(join(dirname(generator), 'openapi-generator-cli'), [...client, ...without, ...options]);
  return output;
}

/** The Python interpreter of a new virtual environment with that package. */
function python(name, what) {
  run('python3', ['-m', 'venv', join(folder, name)]);
  const interpreter = join(folder, name, 'bin', 'python');
  run(interpreter, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', what]);
  return interpreter;
}

function checkTypescript(service) {
  const project = join(folder, 'typescript');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...NPM_PACKAGES], project);
  const tool = (name) => join(project, 'node_modules', ...name.split('/'));
  run(process.execPath, [tool('openapi-typescript/bin/cli.js'), document, '-o', 'schema.d.ts'], project);
  copyFileSync(join(root, 'test/clients/typescript/program.ts'), join(project, 'program.ts'));
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  run(process.execPath, [tool('typescript/bin/tsc'), ...strict, ...target, 'program.ts'], project);
  run(process.execPath, ['program.js', service, ADMIN.email, ADMIN.password], project);
}

/** The generator whose functions return a union of the responses by status. */
function checkOrval(service) {
  const project = join(folder, 'orval');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  run('npm', ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...ORVAL_PACKAGES], project);
  run('npx', ['--no-install', 'orval', '--input', document, '--output', 'api.ts', '--client', 'fetch'], project);
  copyFileSync(join(root, 'test/clients/orval/program.ts'), join(project, 'program.ts'));
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable'];
  run(process.execPath, ['node_modules/typescript/bin/tsc', ...strict, ...target, 'program.ts'], project);
  run(process.execPath, ['program.js', service, ADMIN.email, ADMIN.password], project);
}

function checkPython(service) {
  const client = python('python-client', generate('python', []));
  run(client, ['-W', 'error', join(root, 'test/clients/python/program.py'), service, ADMIN.email, ADMIN.password]);
}

function checkJava(service) {
  const options = 'openApiNullable=false,useSingleRequestParameter=true,hideGenerationTimestamp=true';
  // `wait` is already a method of every Java object.
  const mappings = ['--parameter-name-mappings', 'wait=waitSeconds'];
  // By default, the generator omits the model of a form, which the class of its operation imports nevertheless.
  const forms = ['--global-property', 'skipFormModel=false'];
  const output = generate('java', ['--library', 'native', ...mappings, ...forms, '--additional-properties', options]);
  copyFileSync(join(root, 'test/clients/java/Program.java'), join(output, 'src/main/java/Program.java'));
  const classpath = join(folder, 'classpath');
  maven(['-DskipTests', 'compile', `${DEPENDENCIES}:build-classpath`, `-Dmdep.outputFile=${classpath}`], output);
  run(
    'sh',
    ['-c', `java -cp "target/classes:$(cat ${classpath})" Program "$@"`, 'java', service, ADMIN.email, ADMIN.password],
    output,
  );
}

/** The generator whose closed models break on every property that is absent; the program imports a file. */
function checkPythonClient(service) {
  const interpreter = python('python-client-generator', PYTHON_CLIENT);
  const output = join(folder, 'python-client-output');
  mkdirSync(output);
  const generated = [
    'generate',
    '--path',
    document,
    '--meta',
    'none',
    '--output-path',
    join(output, 'worksmith_client'),
  ];
  run(join(dirname(interpreter), 'openapi-python-client'), generated);
  const program = join(root, 'test/clients/openapi-python-client/program.py');
  run(interpreter, [program, service, ADMIN.email, ADMIN.password], output, { PYTHONPATH: output });
}

/** Decodes errors by comparing `Content-Type` with `application/json`; the program reads a 400 and a 409. */
function checkGo(service) {
  const project = join(folder, 'go');
  mkdirSync(join(project, 'api'), { recursive: true });
  const environment = {
    GOPATH: join(folder, 'go-path'),
    GOCACHE: join(folder, 'go-cache'),
    // Without it, files of modules are read-only, and the folder could not be removed.
    GOFLAGS: '-modcacherw -mod=mod',
    GOTOOLCHAIN: 'local',
  };
  const go = (...args) => run('go', args, project, environment);
  go('install', OAPI_CODEGEN);
  run(join(environment.GOPATH, 'bin', 'oapi-codegen'), [
    '-generate',
    'types,client,skip-prune',
    '-package',
    'api',
    '-o',
    join(project, 'api', 'api.go'),
    document,
  ]);
  copyFileSync(join(root, 'test/clients/go/program.go'), join(project, 'main.go'));
  go('mod', 'init', 'clients');
  go('get', GO_RUNTIME);
  go('mod', 'tidy');
  go('build', '-o', 'program', '.');
  run(join(project, 'program'), [service, ADMIN.email, ADMIN.password], project);
}

function checkRust(service) {
  const output = generate('rust', ['--additional-properties', 'library=reqwest,packageName=worksmith_client']);
  const manifest = join(output, 'Cargo.toml');
  // The program runs the client, for which it needs a runtime; without default features, no TLS has to be compiled.
  writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('features = ["fs"]', 'features = ["fs", "rt"]'));
  mkdirSync(join(output, 'src/bin'));
  copyFileSync(join(root, 'test/clients/rust/program.rs'), join(output, 'src/bin/program.rs'));
  const environment = {
    CARGO_HOME: join(folder, 'cargo'),
    CARGO_TARGET_DIR: join(folder, 'cargo-target'),
    // Nobody debugs the program or builds it again.
    CARGO_PROFILE_DEV_DEBUG: '0',
    CARGO_INCREMENTAL: '0',
  };
  run('cargo', ['build', '-q', '--no-default-features'], output, environment);
  run(join(folder, 'cargo-target/debug/program'), [service, ADMIN.email, ADMIN.password], output);
}

/** Guzzle comes from the packages of the system: PHP has no packager in its own distribution. */
function checkPhp(service) {
  const output = generate('php', []);
  const program = join(root, 'test/clients/php/program.php');
  run('php', ['-d', 'error_reporting=-1', program, output, service, ADMIN.email, ADMIN.password]);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startService() {
  const port = await freePort();
  const { DATABASE_URL: _, ...environment } = process.env;
  const service = spawn(process.execPath, [join(root, 'scripts/start.mjs')], {
    cwd: root,
    env: {
      ...environment,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [service.stdout, service.stderr]) stream.on('data', (data) => (output += String(data)));
  const url = `http://127.0.0.1:${port}`;
  for (const until = Date.now() + START_MS; Date.now() < until && service.exitCode === null; await sleep(200)) {
    const ready = await fetch(`${url}/health/ready`).catch(() => undefined);
    if (ready?.status === 200) return { service, url };
  }
  service.kill('SIGKILL');
  throw new Error(`the service did not start:\n${output}`);
}

const missing = (...tools) => tools.find(([, isThere]) => !isThere)?.[0];
const JAVA = ['Java', has('java', '-version')];
const PYTHON = ['Python 3 with venv and pip', has('python3', '-c', 'import venv, ensurepip')];
const VENV = [
  'Python 3.10 or newer with venv and pip',
  has('python3', '-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 10)'),
];
const CHECKS = [
  ['TypeScript', checkTypescript],
  ['TypeScript by orval', checkOrval],
  ['Python', checkPython, missing(PYTHON, JAVA)],
  ['Java', checkJava, missing(JAVA, ['Maven', has('mvn', '-v')], PYTHON)],
  ['Python by openapi-python-client', checkPythonClient, missing(VENV)],
  ['Go', checkGo, missing(['Go', has('go', 'version')])],
  ['Rust', checkRust, missing(['Rust', has('cargo', '--version')], JAVA, PYTHON)],
  ['PHP', checkPhp, missing(['PHP with Guzzle', has('php', '-r', "require 'GuzzleHttp/autoload.php';")], JAVA, PYTHON)],
];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !CHECKS.some(([check]) => check === name));
if (unknown.length > 0) {
  const names = CHECKS.map(([check]) => `"${check}"`).join(', ');
  process.stderr.write(`There is no check named ${unknown.join(', ')}. The checks are ${names}.\n`);
  rmSync(folder, { recursive: true, force: true });
  process.exit(2);
}

const { service, url } = await startService();
let failures = 0;
try {
  writeFileSync(document, await (await fetch(`${url}/openapi.json`)).text());
  for (const [name, check, lacking] of CHECKS) {
    if (named.length > 0 && !named.includes(name)) continue;
    const began = Date.now();
    if (lacking !== undefined) {
      process.stdout.write(`skipped  ${name}: this machine has no ${lacking}.\n`);
      continue;
    }
    try {
      check(url);
      process.stdout.write(`ok       ${name} (${Math.round((Date.now() - began) / 1000)} s)\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`FAILED   ${name}: ${error.message}\n`);
    }
  }
} finally {
  const ended = new Promise((resolve) => service.once('exit', resolve));
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;
