import { measureRounds } from './rounds.mjs';
import { TestBed } from './stand.mjs';

/** Starts all servers of all sizes, and measures them in turn, route by route, round after round. */
export async function measureSizes({ databases, postmaster, texts, plan, say }) {
  const stands = [];
  try {
    for (const size of plan.sizes) {
      const stand = new TestBed(await databases.open(size), size, postmaster);
      stands.push(stand);
      await stand.open(texts, plan);
      say(`${size.name}: ${size.tasks} tasks in ${size.endeavours} endeavours`);
    }
    const figures = await measureRounds({ plan, stands, say });
    return stands.map((stand) => ({
      size: stand.size.name,
      figures: figures.filter(({ size }) => size === stand.size.name),
      counts: stand.counts,
      memory: { idle: stand.idle, loaded: stand.memory() },
    }));
  } finally {
    for (const stand of stands) await stand.close();
  }
}
