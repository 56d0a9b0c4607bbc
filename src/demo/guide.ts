import { Client, type ApiRecord } from './client.js';
import { emailOf, passwordOf } from './people.js';
import { ENDEAVOURS, TASKS } from './story.js';

/** What to look at, as lines for a shell: a sign-in and five reads. */
export async function guide(
  admin: Client,
  organization: string,
  url: string,
  adminPassword: string,
): Promise<string[]> {
  const endeavours = await admin.get<ApiRecord[]>(`/endeavours?organization_id=${organization}`);
  const [reopening, catalogue] = [ENDEAVOURS.reopening, ENDEAVOURS.catalogue].map(
    ({ name }) => endeavours.find((endeavour) => endeavour.name === name)?.id,
  );
  const [count] = await admin.get<ApiRecord[]>(
    `/tasks?endeavour_id=${catalogue}&search=${encodeURIComponent(TASKS.count.title)}`,
  );
  const reads = [
    ["Theo's work, by due date", '/tasks?assignee_id=me&sort=due_date'],
    [
      'a report about the reopening in Markdown (with -H "Accept: text/html" as a printable page)',
      `/reports/endeavour/${reopening}`,
    ],
    ['a week of stand-ups, run by an agent', `/ritual-runs?endeavour_id=${reopening}`],
    ['who has endorsed the Definition of Done, and which tasks it blocks', `/endeavours/${catalogue}/dod-status`],
    ['why a task is not done yet', `/tasks/${count?.id}/dod-checks`],
  ];
  return [
    '',
    ...(await signInLines(url, adminPassword)),
    '',
    ...reads.flatMap(([what, path]) => [
      `# ${what}`,
      `curl -sS -w '\\n' -H "Authorization: Bearer $TOKEN" '${url}/api/v1${path}'`,
    ]),
  ];
}

async function signInLines(url: string, adminPassword: string): Promise<string[]> {
  const [email, password] = [emailOf('theo'), passwordOf('theo', adminPassword)];
  const works = await Client.signIn(url, email, password).then(
    () => true,
    () => false,
  );
  const body = JSON.stringify({ email, password: works ? password : '<password>' });
  return [
    works
      ? `The e-mail addresses of all accounts have the form ${email}. Sign in as Theo, a member, in the explorer or here:`
      : `The password of Theo has been changed. "npm run admin -- reset-password ${email}" prints a new one.`,
    '',
    `TOKEN=$(curl -sS '${url}/api/v1/auth/login' -H 'Content-Type: application/json' \\`,
    `  -d '${body}' | sed -E 's/.*"token":"([^"]+)".*/\\1/')`,
  ];
}
