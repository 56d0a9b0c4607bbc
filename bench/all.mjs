import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Databases } from './databases.mjs';
import { readTexts } from './data/texts.mjs';
import { describe } from './description.mjs';
import { machineOf } from './machine.mjs';
import { measureSizes } from './measure.mjs';
import { planOf } from './plan.mjs';
import { ROOT } from './processes.mjs';
import { measureStartup } from './startup.mjs';

/** Measures what the options select and prints the report; writes it to RESULTS.md after a complete run or on request. */
export async function measureAll({ server, options, isKept, texts, say }) {
  const plan = planOf(options);
  const startup = plan.startup ? await measureStartup() : undefined;
  const read = await readTexts(texts);
  const databases = new Databases(server.connection, read, { isKept, say });
  const measured = await measureSizes({ databases, postmaster: server.postmaster, texts: read.texts, plan, say });
  const text = describe({ measured, startup, machine: await machineOf(server), source: read.source, plan });
  say(`\n${text}`);
  if (plan.isWhole || options.write) writeFileSync(join(ROOT, 'bench/RESULTS.md'), text);
}
