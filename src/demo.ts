import 'reflect-metadata';
import { StartError } from './common/start-error.js';
import { Refused } from './demo/client.js';
import { guide } from './demo/guide.js';
import { findFinished, makeOrganization, makePeople, markFinished, signInAdministrator } from './demo/people.js';
import { playStory } from './demo/play-story.js';
import { ORGANIZATION } from './demo/story.js';
import { localAddress } from './platform/config/address.js';
import { readSettings } from './platform/config/read-settings.js';
import { runCommand, UsageError, type CommandArguments } from './platform/process/command.js';

const FIRST_ADMINISTRATOR = 'admin@worksmith.example';

const INTERRUPTED =
  "To continue an interrupted demo, run it again on the same day with the same administrator's password.";

const USAGE = `Fills a running service with sample data through the REST API: a town library that reopens, with people,
endeavours, demands, tasks, a Definition of Done, approvals, rituals and an agent.

  npm run demo -- --password <password>                        signs in as ${FIRST_ADMINISTRATOR}; the password
                                                               was printed at the first start
  npm run demo -- --email <administrator> --password <password>
  npm run demo -- --url <url>                                  if the service does not run at PORT on this machine

ADMIN_EMAIL, ADMIN_PASSWORD and PORT are read from the environment and from .env. A second run changes nothing and
prints the guide again.`;

interface DemoOptions {
  url: string;
  email: string;
  password: string;
}

function readOptions({ flags, positionals }: CommandArguments): DemoOptions {
  if (positionals.length > 0) throw new UsageError(`Unknown argument "${positionals[0]}".`);
  const settings = readSettings(process.env, { secrets: [] });
  const { url, email = settings.ADMIN_EMAIL, password = settings.ADMIN_PASSWORD } = flags;
  if (password === undefined)
    throw new UsageError('The password of an administrator is required: --password <password>.');
  const address = url ?? localAddress(settings);
  if (!/^https?:\/\//.test(String(address))) throw new UsageError('The URL must begin with http:// or https://.');
  return {
    url: String(address).replace(/\/+$/, ''),
    email: String(email ?? FIRST_ADMINISTRATOR),
    password: String(password),
  };
}

/** Creates the sample data, unless it exists already. */
async function createDemo({ url, email, password }: DemoOptions): Promise<string[]> {
  const admin = await signInAdministrator(url, email, password);
  const finished = await findFinished(admin);
  if (finished !== undefined) {
    return ['The demo data already exists; nothing was changed.', ...(await guide(admin, finished, url, password))];
  }
  const cast = await makePeople(url, admin, password).catch((error: unknown) => {
    if (!(error instanceof Refused) || ![409, 422].includes(error.status)) throw error;
    throw new StartError(`${error.message}\n${INTERRUPTED}`);
  });
  const organization = await makeOrganization(cast);
  await playStory(cast, organization);
  await markFinished(cast, organization);
  return [`${ORGANIZATION.name} has been created.`, ...(await guide(admin, organization, url, password))];
}

await runCommand({
  usage: USAGE,
  options: { url: { type: 'string' }, email: { type: 'string' }, password: { type: 'string' } },
  run: (args) => createDemo(readOptions(args)),
});
