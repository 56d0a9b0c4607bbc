import { fault, ok, warning, type DoctorFinding } from './findings.js';

const TIMEOUT_MS = 10_000;
const MAX_CLOCK_DIFFERENCE_MS = 2_000;

/** Asks a running service for its release and readiness, through whatever proxies are in between. */
export async function examineService(url: string): Promise<DoctorFinding[]> {
  const base = url.replace(/\/+$/, '');
  try {
    const answer = await ask(`${base}/version`);
    const about = answer.body as { data?: { version?: string; commit?: string | null; schema?: number } };
    if (answer.status !== 200 || about.data?.version === undefined) {
      return [fault(`${base} is not Worksmith: GET /version answered ${answer.status}. Check the URL and the proxy.`)];
    }
    const { version, commit, schema } = about.data;
    return [
      ok(`${base} runs ${version} (${commit ?? 'unknown commit'}), schema ${schema}.`),
      clockOf(answer.date, base),
      await readiness(base, 'read'),
      await readiness(base, 'write'),
    ];
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { message?: string } };
    const reason = cause?.message ?? message;
    return [fault(`${base} cannot be reached (${reason}). Check the URL, and that the service is running.`)];
  }
}

async function readiness(base: string, purpose: string): Promise<DoctorFinding> {
  const { status } = await ask(`${base}/health/ready?for=${purpose}`);
  if (status === 200) return ok(`${base} is ready to ${purpose}.`);
  return fault(
    `${base} is not ready to ${purpose} (${status}). Its log and this command on the server name the cause.`,
  );
}

function clockOf(date: string | null, base: string): DoctorFinding {
  const difference = Math.abs(Date.now() - Date.parse(date ?? ''));
  if (difference < MAX_CLOCK_DIFFERENCE_MS) return ok(`The clocks of this machine and of ${base} agree.`);
  return warning(`The clocks of this machine and of ${base} differ by ${difference} ms. Synchronize them.`);
}

async function ask(url: string): Promise<{ status: number; body: unknown; date: string | null }> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body: unknown = await response.json().catch(() => ({}));
  return { status: response.status, body, date: response.headers.get('date') };
}
