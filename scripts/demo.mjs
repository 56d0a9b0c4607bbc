import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Client } from './client.mjs';
import { DEMANDS, ENDEAVOURS, PEOPLE, TASKS } from './demo-data.mjs';

const HELP = `Fills a running service with a small organization, through its public interface.

  npm run demo -- --email <administrator> --password <password> [--url http://localhost:3000]

The first start of the service prints an administrator's e-mail and password.
`;

const DAY = 24 * 3600 * 1000;
const say = (line) => process.stdout.write(`${line}\n`);
const inDays = (days) => new Date(Date.now() + days * DAY).toISOString();

async function makePeople(admin) {
  const people = {};
  const password = `demo-${randomBytes(9).toString('base64url')}`;
  const stamp = randomBytes(2).toString('hex');
  for (const [key, name] of Object.entries(PEOPLE)) {
    const email = `${key}.${stamp}@harbour.example`;
    const user = await admin.post('/users', { name, email, password });
    people[key] = { ...user, password, client: await admin.signIn(email, password) };
  }
  return people;
}

async function makeOrganization({ clara, ...others }) {
  const organization = await clara.client.post('/organizations', {
    name: 'Harbour Library',
    description: 'A town library that reopens after two years of building work.',
  });
  for (const [key, { id, client }] of Object.entries(others)) {
    const invitation = await clara.client.post('/invitations', {
      organization_id: organization.id,
      role: key === 'noor' ? 'admin' : 'member',
    });
    await client.post('/invitations/accept', { token: invitation.token });
    others[key].id = id;
  }
  return organization;
}

async function makeWork(organization, people) {
  const endeavours = {};
  for (const [key, endeavour] of Object.entries(ENDEAVOURS)) {
    endeavours[key] = await people.clara.client.post('/endeavours', { ...endeavour, organization_id: organization.id });
  }
  const demands = {};
  for (const [key, { endeavour, by, ...demand }] of Object.entries(DEMANDS)) {
    const endeavour_id = endeavours[endeavour].id;
    demands[key] = await people[by].client.post('/demands', { ...demand, endeavour_id });
  }
  for (const { demand, by, assignee, due_in_days, moves = [], ...task } of TASKS) {
    const endeavour_id = endeavours[DEMANDS[demand].endeavour].id;
    const made = await people[by].client.post('/tasks', {
      ...task,
      endeavour_id,
      demand_id: demands[demand].id,
      ...(assignee !== undefined && { assignee_id: people[assignee].id }),
      ...(due_in_days !== undefined && { due_date: inDays(due_in_days) }),
    });
    for (const status of moves) {
      const reason = status === 'canceled' ? { canceled_reason: 'No longer needed: the old shelves stay.' } : {};
      await people[by].client.patch(`/tasks/${made.id}`, { status, ...reason });
    }
  }
  return endeavours;
}

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string', default: `http://localhost:${process.env.PORT ?? 3000}` },
      email: { type: 'string', default: process.env.ADMIN_EMAIL },
      password: { type: 'string', default: process.env.ADMIN_PASSWORD },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help || values.email === undefined || values.password === undefined) {
    process.stdout.write(HELP);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const admin = await new Client(values.url).signIn(values.email, values.password);
  const people = await makePeople(admin);
  const organization = await makeOrganization(people);
  const endeavours = await makeWork(organization, people);
  const { total, done } = await people.clara.client.get('/tasks?summary=true');
  say(
    `Harbour Library is there: ${Object.keys(people).length} people, ${Object.keys(endeavours).length} endeavours, ${total} tasks, ${done} done.`,
  );
  say('');
  say(`Sign in as ${people.clara.email} (owner) or ${people.theo.email} (member), password ${people.clara.password}`);
  say('');
  say('Then try, at the explorer or with curl:');
  say(`  GET  ${values.url}/api/v1/tasks?assignee_id=me&sort=due_date`);
  say(`  GET  ${values.url}/api/v1/tasks?endeavour_id=${endeavours.reopening.id}&summary=true`);
  say(`  GET  ${values.url}/api/v1/tasks?search=shelves`);
  say(`  GET  ${values.url}/api/v1/endeavours/${endeavours.reopening.id}`);
}

main().catch((error) => {
  process.stderr.write(
    `${error.cause?.code === 'ECONNREFUSED' ? 'Nothing answers there: start the service first (npm start).' : error.message}\n`,
  );
  process.exitCode = 1;
});
