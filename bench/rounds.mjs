/**
 * Measures every server of every size in turn, route by route, round after round, in an order that rotates with each
 * round. Servers and sizes that are compared with each other are measured within seconds.
 */
export async function measureRounds({ plan, stands, say }) {
  const figures = [];
  for (const stand of stands) await stand.warm(plan);
  for (const step of plan.steps) {
    for (let round = 0; round < step.rounds; round += 1) {
      for (const stand of stands) await stand.vacuum();
      for (const [name, route] of plan.routes.filter(([, { atMost = Infinity }]) => step.connections <= atMost)) {
        for (const kind of inTurn(route.servers, round)) {
          for (const stand of inTurn(stands, round)) {
            const measured = await stand.measure(name, kind, step);
            if (measured === undefined) continue;
            const what = { size: stand.size.name, route: name, server: kind, connections: step.connections, round };
            figures.push({ ...what, ...measured });
            say(line(figures.at(-1)));
          }
        }
      }
    }
  }
  return figures;
}

const inTurn = (items, round) => items.map((_, n) => items[(n + round) % items.length]);

function line({ size, route, server, connections, round, rps, p50, p99 }) {
  const times = p50 === undefined ? '' : `  p50 ${p50.toFixed(2)} ms  p99 ${p99.toFixed(2)} ms`;
  const what = `${size.padEnd(5)} ${route.padEnd(10)} ${server.padEnd(8)} ${String(connections).padStart(2)} connections`;
  return `  ${what}, round ${round + 1}: ${rps.toFixed(0).padStart(6)}/s${times}`;
}
